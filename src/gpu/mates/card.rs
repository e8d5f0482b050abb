//! The device as a [`Card`](stream::Card): a batch is a stage that builds refutation tables and a stage that counts.

use std::collections::VecDeque;
use std::thread;
use std::time::Duration;

use wgpu::BufferUsages as Usage;

use super::layout::{Batch, Slice, TABLE_SIZE, constants, placement_word};
use super::shaders;
use crate::gpu::GpuError;
use crate::gpu::device::{Device, Needs};
use crate::gpu::dispatch::{Download, Stage};
use crate::gpu::plan;
use crate::gpu::stream::{self, Count};
use crate::mates::Question;
use crate::shapes::BossPlacement;

/// Batches under way at once: the GPU works on one while the host looks at the other.
const LANES: usize = 2;
/// Boss placements in a batch; their tables take 28 MB.
pub(super) const MOST_PLACEMENTS: usize = 8192;
/// Slices in a batch: WebGPU's limit on workgroups in a dispatch.
pub(super) const MOST_SLICES: usize = 65_535;

/// What a device must offer.
pub(super) fn needs() -> Needs {
    Needs {
        storage_buffers: 4,
        bindings: 5,
        largest_buffer: MOST_PLACEMENTS as u64 * TABLE_SIZE,
        workgroup_size: 64,
        // The sums of a workgroup; compilers may round up.
        workgroup_memory: 1024,
        workgroups: MOST_SLICES as u32,
    }
}

/// A device made ready to answer one question.
pub(super) struct Card {
    device: Device,
    pipelines: Pipelines,
    idle: Vec<Buffers>,
    flights: VecDeque<Flight>,
    device_time: Duration,
}

/// The compiled stages.
pub(super) struct Pipelines {
    build_tables: wgpu::ComputePipeline,
    count_slice: wgpu::ComputePipeline,
}

/// The buffers of one batch under way.
struct Buffers {
    batch: wgpu::Buffer,
    placements: wgpu::Buffer,
    slices: wgpu::Buffer,
    #[cfg(test)]
    tables: wgpu::Buffer,
    counts: wgpu::Buffer,
    table_bindings: wgpu::BindGroup,
    slice_bindings: wgpu::BindGroup,
    download: Download,
}

/// A batch under way.
struct Flight {
    buffers: Buffers,
    submission: wgpu::SubmissionIndex,
    size: u64,
}

impl Pipelines {
    /// Compiles both stages at once.
    pub fn compile(device: &Device, question: Question) -> Pipelines {
        let Question { what, rules, method } = question;
        let overrides = shaders::table_overrides(rules);
        thread::scope(|scope| {
            let build_tables = scope.spawn(|| device.pipeline(shaders::table(), "build_tables", &overrides));
            let count_slice = device.pipeline(shaders::slice(method), "count_slice", &shaders::slice_overrides(what));
            Pipelines { build_tables: build_tables.join().expect("compiling does not panic"), count_slice }
        })
    }
}

impl Card {
    /// A card with these pipelines of the device.
    pub fn new(device: Device, pipelines: Pipelines) -> Result<Card, GpuError> {
        device.check()?;
        let words = constants();
        let constants = device.buffer("constants", 4 * words.len() as u64, Usage::STORAGE | Usage::COPY_DST);
        device.queue.write_buffer(&constants, 0, bytemuck::cast_slice(&words));
        let idle = (0..LANES).map(|_| Buffers::new(&device, &pipelines, &constants)).collect();
        device.check()?;
        Ok(Card { device, pipelines, idle, flights: VecDeque::new(), device_time: Duration::ZERO })
    }
}

impl stream::Card<BossPlacement> for Card {
    fn lanes(&self) -> usize {
        LANES
    }

    fn submit(&mut self, placements: &[BossPlacement], slices: &[plan::Slice], serial: u32) {
        let words: Vec<u32> = placements.iter().map(placement_word).collect();
        let slice = |slice: &plan::Slice| Slice::new(slice, placements[slice.unit as usize].slots());
        let slices: Vec<Slice> = slices.iter().map(slice).collect();
        let batch = Batch { placements: words.len() as u32, slices: slices.len() as u32, serial, padding: 0 };
        let buffers = self.idle.pop().expect("no more batches are sent than there are lanes");
        let queue = &self.device.queue;
        queue.write_buffer(&buffers.batch, 0, bytemuck::bytes_of(&batch));
        queue.write_buffer(&buffers.placements, 0, bytemuck::cast_slice(&words));
        queue.write_buffer(&buffers.slices, 0, bytemuck::cast_slice(&slices));
        let stages = [
            Stage {
                pipeline: &self.pipelines.build_tables,
                bindings: &buffers.table_bindings,
                workgroups: batch.placements.div_ceil(shaders::TABLES_PER_WORKGROUP),
            },
            Stage {
                pipeline: &self.pipelines.count_slice,
                bindings: &buffers.slice_bindings,
                workgroups: batch.slices,
            },
        ];
        let size = (slices.len() * size_of::<Count>()) as u64;
        let submission = buffers.download.send(&self.device, &stages, &buffers.counts, size);
        self.flights.push_back(Flight { buffers, submission, size });
    }

    fn collect(&mut self) -> Result<Vec<Count>, GpuError> {
        let Flight { buffers, submission, size } = self.flights.pop_front().expect("a batch is under way");
        let (bytes, device_time) = buffers.download.receive(&self.device, submission, size)?;
        self.device_time += device_time;
        self.idle.push(buffers);
        Ok(bytemuck::pod_collect_to_vec(&bytes))
    }

    fn device_time(&self) -> Option<Duration> {
        self.device.has_timestamps().then_some(self.device_time)
    }
}

impl Buffers {
    fn new(device: &Device, pipelines: &Pipelines, constants: &wgpu::Buffer) -> Buffers {
        let uploaded = Usage::STORAGE | Usage::COPY_DST;
        let counts_size = (MOST_SLICES * size_of::<Count>()) as u64;
        // The tables are only ever read by the next stage, but in a test.
        let readable = if cfg!(test) { Usage::COPY_SRC } else { Usage::empty() };
        let batch = device.buffer("batch", size_of::<Batch>() as u64, Usage::UNIFORM | Usage::COPY_DST);
        let placements = device.buffer("placements", 4 * MOST_PLACEMENTS as u64, uploaded);
        let slices = device.buffer("slices", (MOST_SLICES * size_of::<Slice>()) as u64, uploaded);
        let tables = device.buffer("tables", MOST_PLACEMENTS as u64 * TABLE_SIZE, Usage::STORAGE | readable);
        let counts = device.buffer("counts", counts_size, Usage::STORAGE | Usage::COPY_SRC);
        let table_bindings = device.bind(&pipelines.build_tables, &[&batch, &placements, &tables]);
        let slice_bindings = device.bind(&pipelines.count_slice, &[&batch, constants, &tables, &slices, &counts]);
        Buffers {
            batch,
            placements,
            slices,
            #[cfg(test)]
            tables,
            counts,
            table_bindings,
            slice_bindings,
            download: Download::new(device, counts_size),
        }
    }
}
