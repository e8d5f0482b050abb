//! One batch on a device: its stages are dispatched one after another, then the results are downloaded.

use std::time::{Duration, Instant};

use wgpu::BufferUsages as Usage;

use super::GpuError;
use super::device::Device;

/// Bytes of the two timestamps, which precede the results in a download.
const TIMESTAMPS_SIZE: u64 = 16;

/// A dispatch within a batch.
pub struct Stage<'a> {
    /// The compiled stage.
    pub pipeline: &'a wgpu::ComputePipeline,
    /// Its buffers.
    pub bindings: &'a wgpu::BindGroup,
    /// The number of workgroups.
    pub workgroups: u32,
}

/// The download buffer for one batch at a time.
pub struct Download {
    buffer: wgpu::Buffer,
    timestamps: Option<Timestamps>,
}

/// When a batch began and ended on the device.
struct Timestamps {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
}

/// A batch on its way.
pub struct Sent {
    submission: wgpu::SubmissionIndex,
    at: Instant,
}

/// The total time a device has worked, by its timestamps.
pub struct Clock(pub Option<Duration>);

impl Clock {
    /// Nothing is measured yet.
    pub fn new(device: &Device) -> Clock {
        Clock(device.has_timestamps().then_some(Duration::ZERO))
    }

    /// Adds the time of a batch. One unknown time makes the sum unknown for good.
    pub fn add(&mut self, time: Option<Duration>) {
        self.0 = self.0.zip(time).map(|(sum, time)| sum + time);
    }

    /// The sum; `None` if it is unknown. A sum of zero counts as unknown too.
    pub fn time(&self) -> Option<Duration> {
        self.0.filter(|time| !time.is_zero())
    }
}

/// How long a batch took by its two timestamps, with ticks of `tick` nanoseconds; `None` if they make no
/// sense. Drivers have been seen to leave them zero, to swap them, and to set them years apart. No batch
/// takes longer than `elapsed`, the time from its submission to its result.
pub fn between(begin: u64, end: u64, tick: f32, elapsed: Duration) -> Option<Duration> {
    let ticks = end.checked_sub(begin).filter(|_| begin > 0)?;
    let time = Duration::try_from_secs_f64(ticks as f64 * f64::from(tick) * 1e-9).ok()?;
    (time <= elapsed).then_some(time)
}

impl Download {
    /// A download buffer for results of up to `size` bytes.
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

    /// Submits the stages, followed by a copy of the first `size` bytes of `results` into the download
    /// buffer.
    pub fn send(&self, device: &Device, stages: &[Stage], results: &wgpu::Buffer, size: u64) -> Sent {
        let at = Instant::now();
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
        Sent { submission: device.queue.submit([encoder.finish()]), at }
    }

    /// Waits for a batch; returns its results and, if known, how long the device worked on it.
    pub fn receive(
        &self,
        device: &Device,
        sent: Sent,
        size: u64,
    ) -> Result<(Vec<u8>, Option<Duration>), GpuError> {
        let mut bytes = device.read(&self.buffer, TIMESTAMPS_SIZE + size, sent.submission)?;
        let elapsed = sent.at.elapsed();
        let results = bytes.split_off(TIMESTAMPS_SIZE as usize);
        // An implausible timestamp is not a failure: it is only a measurement.
        let time = match bytemuck::pod_collect_to_vec::<u8, u64>(&bytes)[..] {
            [begin, end] => between(begin, end, device.queue.get_timestamp_period(), elapsed),
            _ => None,
        };
        Ok((results, time))
    }
}
