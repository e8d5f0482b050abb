//! One batch on a device: its stages are dispatched one after another, then the results are downloaded.

use wgpu::BufferUsages as Usage;

use super::GpuError;
use super::device::Device;

/// Bytes of the two timestamps, which precede the results in a download.
const TIMESTAMPS_SIZE: u64 = 16;

/// A dispatch within a batch.
pub(crate) struct Stage<'a> {
    /// The compiled stage.
    pub pipeline: &'a wgpu::ComputePipeline,
    /// Its buffers.
    pub bindings: &'a wgpu::BindGroup,
    /// The number of workgroups.
    pub workgroups: u32,
}

/// The download buffer for one batch at a time.
pub(crate) struct Download {
    buffer: wgpu::Buffer,
    timestamps: Option<Timestamps>,
}

/// The device's clock at the start and the end of a batch.
struct Timestamps {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
}

/// A batch in flight, with the size of its results in bytes.
pub(crate) struct Sent {
    submission: wgpu::SubmissionIndex,
    size: u64,
}

impl Download {
    /// A download buffer for results of up to `size` bytes.
    pub(crate) fn new(device: &Device, size: u64) -> Download {
        let timestamps = device.has_timestamps().then(|| Timestamps {
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

    /// Submits the stages, followed by a copy of the first `size` bytes of `results` into the download
    /// buffer.
    pub(crate) fn send(&self, device: &Device, stages: &[Stage], results: &wgpu::Buffer, size: u64) -> Sent {
        let mut encoder = device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let timestamp_writes =
                self.timestamps.as_ref().map(|timestamps| wgpu::ComputePassTimestampWrites {
                    query_set: &timestamps.queries,
                    beginning_of_pass_write_index: Some(0),
                    end_of_pass_write_index: Some(1),
                });
            let mut pass = encoder
                .begin_compute_pass(&wgpu::ComputePassDescriptor { timestamp_writes, ..Default::default() });
            for stage in stages {
                pass.set_pipeline(stage.pipeline);
                pass.set_bind_group(0, stage.bindings, &[]);
                pass.dispatch_workgroups(stage.workgroups, 1, 1);
            }
        }
        if let Some(Timestamps { queries, resolved }) = &self.timestamps {
            encoder.resolve_query_set(queries, 0..2, resolved, 0);
            encoder.copy_buffer_to_buffer(resolved, 0, &self.buffer, 0, TIMESTAMPS_SIZE);
        }
        encoder.copy_buffer_to_buffer(results, 0, &self.buffer, TIMESTAMPS_SIZE, size);
        Sent { submission: device.queue.submit([encoder.finish()]), size }
    }

    /// Waits for a batch; returns the words of its results and, if the device has a clock, when it began and
    /// ended, in nanoseconds.
    ///
    /// # Errors
    /// If the device fails.
    pub(crate) fn receive(
        &self,
        device: &Device,
        sent: Sent,
    ) -> Result<(Vec<u32>, Option<[u64; 2]>), GpuError> {
        let mut bytes = device.read(&self.buffer, TIMESTAMPS_SIZE + sent.size, sent.submission)?;
        let results = bytes.split_off(TIMESTAMPS_SIZE as usize);
        let tick = f64::from(device.queue.get_timestamp_period());
        let stamps = self.timestamps.is_some().then(|| {
            let stamps: Vec<u64> = bytemuck::pod_collect_to_vec(&bytes);
            [stamps[0], stamps[1]].map(|ticks| (ticks as f64 * tick) as u64)
        });
        Ok((bytemuck::pod_collect_to_vec(&results), stamps))
    }
}
