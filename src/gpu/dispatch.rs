//! One batch on a device: its stages one after the other, and what they leave to be read.

use std::time::Duration;

use wgpu::BufferUsages as Usage;

use super::GpuError;
use super::device::Device;

/// Bytes before the results in what is downloaded: two timestamps.
const TIMESTAMPS_SIZE: u64 = 16;

/// A dispatch within a batch.
pub(super) struct Stage<'a> {
    pub pipeline: &'a wgpu::ComputePipeline,
    pub bindings: &'a wgpu::BindGroup,
    pub workgroups: u32,
}

/// The way back of one batch at a time.
pub(super) struct Download {
    pub buffer: wgpu::Buffer,
    timestamps: Option<Timestamps>,
}

/// When a batch began and ended on the device.
struct Timestamps {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
}

impl Download {
    /// A way back for up to `size` bytes.
    pub fn new(device: &Device, size: u64) -> Download {
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

    /// Sends the stages, and then the first `size` bytes of `results` on their way back.
    pub fn send(&self, device: &Device, stages: &[Stage], results: &wgpu::Buffer, size: u64) -> wgpu::SubmissionIndex {
        let mut encoder = device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let timestamp_writes = self.timestamps.as_ref().map(|timestamps| wgpu::ComputePassTimestampWrites {
                query_set: &timestamps.queries,
                beginning_of_pass_write_index: Some(0),
                end_of_pass_write_index: Some(1),
            });
            let mut pass =
                encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { timestamp_writes, ..Default::default() });
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
        device.queue.submit([encoder.finish()])
    }

    /// Waits for what was sent, then fetches `size` bytes of a buffer from `offset` on, both multiples of 4.
    pub fn fetch(&self, device: &Device, source: &wgpu::Buffer, offset: u64, size: u64) -> Result<Vec<u8>, GpuError> {
        let mut encoder = device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(source, offset, &self.buffer, 0, size);
        let submission = device.queue.submit([encoder.finish()]);
        device.read(&self.buffer, size, submission)
    }

    /// Waits for what was sent: the results, and how long the device has worked, where it can tell.
    pub fn receive(
        &self,
        device: &Device,
        submission: wgpu::SubmissionIndex,
        size: u64,
    ) -> Result<(Vec<u8>, Duration), GpuError> {
        let mut bytes = device.read(&self.buffer, TIMESTAMPS_SIZE + size, submission)?;
        let results = bytes.split_off(TIMESTAMPS_SIZE as usize);
        let ticks = match bytemuck::pod_collect_to_vec::<u8, u64>(&bytes)[..] {
            [begin, end] => end.saturating_sub(begin),
            _ => 0,
        };
        let nanoseconds = ticks as f64 * f64::from(device.queue.get_timestamp_period());
        // Nonsense in a timestamp is no reason to fail: it is only a measurement.
        Ok((results, Duration::try_from_secs_f64(nanoseconds * 1e-9).unwrap_or_default()))
    }
}
