//! Work on a device: stages are dispatched one after another, then the results are downloaded.

use wgpu::BufferUsages as Usage;

use super::GpuError;
use super::device::{Device, Mapping, Stage};
use super::module::KnownAnswer;

/// Bytes of the two timestamps, which precede the results in a download.
const TIMESTAMPS_SIZE: u64 = 16;

/// The download buffer for one batch at a time.
#[derive(Debug)]
pub(crate) struct Download {
    buffer: wgpu::Buffer,
    timestamps: Option<Timestamps>,
}

/// The device's clock at the start and the end of a batch.
#[derive(Debug)]
struct Timestamps {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
}

/// A batch in flight, with the size of its results in bytes.
#[derive(Debug)]
pub(crate) struct Sent {
    submission: wgpu::SubmissionIndex,
    mapping: Mapping,
    size: u64,
}

impl Download {
    /// A download buffer for results of up to `size` bytes.
    pub(crate) fn new(device: &Device, size: u64) -> Download {
        let has_timestamps = device.device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
        let timestamps = has_timestamps.then(|| Timestamps {
            queries: device.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: None,
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: device.buffer("timestamps", TIMESTAMPS_SIZE, Usage::QUERY_RESOLVE | Usage::COPY_SRC),
        });
        let buffer = device.buffer("download", TIMESTAMPS_SIZE + size, Usage::MAP_READ | Usage::COPY_DST);
        Download { buffer, timestamps }
    }

    /// Submits stages, each with its number of workgroups, followed by a copy of the first `size` bytes of `results`
    /// into the download buffer.
    pub(crate) fn send(
        &self,
        device: &Device,
        stages: &[(&Stage, u32)],
        results: &wgpu::Buffer,
        size: u64,
    ) -> Sent {
        let mut encoder = device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let clock = self.timestamps.as_ref();
        let timestamp_writes = clock.map(|timestamps| wgpu::ComputePassTimestampWrites {
            query_set: &timestamps.queries,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        });
        let description = wgpu::ComputePassDescriptor { timestamp_writes, ..Default::default() };
        let mut pass = encoder.begin_compute_pass(&description);
        for (stage, workgroups) in stages {
            pass.set_pipeline(&stage.pipeline);
            pass.set_bind_group(0, &stage.bindings, &[]);
            pass.dispatch_workgroups(*workgroups, 1, 1);
        }
        drop(pass);
        if let Some(Timestamps { queries, resolved }) = clock {
            encoder.resolve_query_set(queries, 0..2, resolved, 0);
            encoder.copy_buffer_to_buffer(resolved, 0, &self.buffer, 0, TIMESTAMPS_SIZE);
        }
        encoder.copy_buffer_to_buffer(results, 0, &self.buffer, TIMESTAMPS_SIZE, size);
        let submission = device.queue.submit([encoder.finish()]);
        Sent { submission, mapping: device.map(&self.buffer, TIMESTAMPS_SIZE + size), size }
    }

    /// Waits for a batch; returns the words of its results and, if the device has a clock, when it began and
    /// ended, in nanoseconds.
    ///
    /// # Errors
    /// If the device fails.
    pub(crate) async fn receive(
        &self,
        device: &Device,
        sent: Sent,
    ) -> Result<(Vec<u32>, Option<[u64; 2]>), GpuError> {
        let Sent { submission, mapping, size } = sent;
        let size = TIMESTAMPS_SIZE + size;
        let mut bytes = device.read(&self.buffer, size, submission, &mapping).await?;
        let results = bytes.split_off(TIMESTAMPS_SIZE as usize);
        let tick = f64::from(device.queue.get_timestamp_period());
        let stamps = self.timestamps.is_some().then(|| {
            let stamps: Vec<u64> = bytemuck::pod_collect_to_vec(&bytes);
            [stamps[0], stamps[1]].map(|ticks| (ticks as f64 * tick) as u64)
        });
        Ok((bytemuck::pod_collect_to_vec(&results), stamps))
    }
}

/// Fails unless a kernel computes its known answer, with the buffer `between` bound between the uniform and the
/// answer, if there is one. `slow` is as in [`Device::pipeline`].
///
/// # Errors
/// If the answer is wrong, or the device fails.
pub(crate) async fn test(
    device: &Device,
    known: &KnownAnswer,
    between: Option<&wgpu::Buffer>,
    slow: &(dyn Fn() + Sync),
) -> Result<(), GpuError> {
    let KnownAnswer { name, module, uniforms, workgroups, answer, .. } = known;
    let pipeline = device.pipeline(module, slow).await?;
    let size = 4 * answer.len() as u64;
    let results = device.buffer("results", size, Usage::STORAGE | Usage::COPY_SRC);
    let stage = |words: &Vec<u32>| {
        let uniform = device.filled("uniform", words, Usage::UNIFORM);
        let buffers: Vec<&wgpu::Buffer> = [&uniform].into_iter().chain(between).chain([&results]).collect();
        device.stage(&pipeline, &buffers)
    };
    let stages: Vec<Stage> = uniforms.iter().map(stage).collect();
    device.check()?;
    let download = Download::new(device, size);
    let stages: Vec<(&Stage, u32)> = stages.iter().map(|stage| (stage, *workgroups)).collect();
    let sent = download.send(device, &stages, &results, size);
    let (found, _) = download.receive(device, sent).await?;
    match found.iter().zip(answer).enumerate().find(|(_, (found, expected))| found != expected) {
        None => Ok(()),
        Some((word, (&found, &expected))) => {
            Err(GpuError::SelfTest { test: (*name).to_owned(), word, found, expected })
        }
    }
}
