//! The device as a [`BatchCard`]: a batch has a stage that builds refutation tables and a stage that counts.

use std::collections::VecDeque;
use std::time::Duration;

use wgpu::BufferUsages as Usage;

use super::batches::{MAX_IN_FLIGHT, MAX_PLACEMENTS, MAX_SLICES};
use super::engine::BatchCard;
use super::layout::{Batch, Count, SliceWords, TABLE_SIZE, Upload, constants};
use super::plan::Slice;
use super::shaders;
use crate::count::Question;
use crate::gpu::GpuError;
use crate::gpu::device::Device;
use crate::gpu::dispatch::{Clock, Download, Sent, Stage};
use crate::gpu::kernel::{Words, test_barriers};
use crate::gpu::limits::LARGEST_BUFFER;
use crate::join::join;
use crate::shapes::BossPlacement;

/// Bytes of the tables of a batch.
const TABLES_SIZE: u64 = MAX_PLACEMENTS as u64 * TABLE_SIZE;
const _: () = assert!(TABLES_SIZE <= LARGEST_BUFFER);

/// A device prepared to answer one question.
pub(super) struct Card {
    device: Device,
    build_tables: wgpu::ComputePipeline,
    count_slice: wgpu::ComputePipeline,
    idle: Vec<Buffers>,
    flights: VecDeque<Flight>,
    clock: Clock,
}

/// The buffers of one batch in flight.
struct Buffers {
    batch: wgpu::Buffer,
    placements: wgpu::Buffer,
    slices: wgpu::Buffer,
    tables: wgpu::Buffer,
    counts: wgpu::Buffer,
    table_bindings: wgpu::BindGroup,
    slice_bindings: wgpu::BindGroup,
    download: Download,
}

/// A batch in flight.
struct Flight {
    buffers: Buffers,
    sent: Sent,
    size: u64,
}

impl Card {
    /// Prepares a device to answer a question, and tests its barriers and its largest buffers.
    pub fn new(device: Device, Question { category, rules, .. }: Question) -> Result<Card, GpuError> {
        let build_tables = || device.pipeline(shaders::table_module(rules));
        let count_slice = || device.pipeline(shaders::slice_module(category));
        let (compiled, barriers) = join(|| join(build_tables, count_slice), || test_barriers(&device));
        barriers?;
        let (build_tables, count_slice) = (compiled.0?, compiled.1?);
        let words = constants();
        let constants = device.buffer("constants", 4 * words.len() as u64, Usage::STORAGE | Usage::COPY_DST);
        device.queue.write_buffer(&constants, 0, bytemuck::cast_slice(&words));
        let buffers = |_| Buffers::new(&device, [&build_tables, &count_slice], &constants);
        let idle: Vec<Buffers> = (0..MAX_IN_FLIGHT).map(buffers).collect();
        let large = Words::new(&device)?;
        device.check()?;
        let clock = Clock::new(&device);
        for buffers in &idle {
            large.test_empty(&device, &buffers.tables)?;
            large.test_empty(&device, &buffers.counts)?;
        }
        Ok(Card { device, build_tables, count_slice, idle, flights: VecDeque::new(), clock })
    }
}

impl BatchCard for Card {
    fn submit(&mut self, placements: &[BossPlacement], slices: &[Slice], serial: u32) {
        let Upload { batch, placements, slices } = Upload::new(placements, slices, serial);
        let buffers = self.idle.pop().expect("no more batches are sent than may be in flight");
        let queue = &self.device.queue;
        queue.write_buffer(&buffers.batch, 0, bytemuck::bytes_of(&batch));
        queue.write_buffer(&buffers.placements, 0, bytemuck::cast_slice(&placements));
        queue.write_buffer(&buffers.slices, 0, bytemuck::cast_slice(&slices));
        let stages = [
            Stage {
                pipeline: &self.build_tables,
                bindings: &buffers.table_bindings,
                workgroups: batch.placements.div_ceil(shaders::TABLES_PER_WORKGROUP),
            },
            Stage {
                pipeline: &self.count_slice,
                bindings: &buffers.slice_bindings,
                workgroups: batch.slices,
            },
        ];
        let size = (slices.len() * size_of::<Count>()) as u64;
        let sent = buffers.download.send(&self.device, &stages, &buffers.counts, size);
        self.flights.push_back(Flight { buffers, sent, size });
    }

    fn collect(&mut self) -> Result<Vec<Count>, GpuError> {
        let Flight { buffers, sent, size } = self.flights.pop_front().expect("a batch is under way");
        let (bytes, time) = buffers.download.receive(&self.device, sent, size)?;
        self.clock.add(time);
        self.idle.push(buffers);
        Ok(bytemuck::pod_collect_to_vec(&bytes))
    }

    fn device_time(&self) -> Option<Duration> {
        self.clock.time()
    }
}

impl Buffers {
    fn new(device: &Device, stages: [&wgpu::ComputePipeline; 2], constants: &wgpu::Buffer) -> Buffers {
        let uploaded = Usage::STORAGE | Usage::COPY_DST;
        let counts_size = (MAX_SLICES * size_of::<Count>()) as u64;
        let batch = device.buffer("batch", size_of::<Batch>() as u64, Usage::UNIFORM | Usage::COPY_DST);
        let placements = device.buffer("placements", 4 * MAX_PLACEMENTS as u64, uploaded);
        let slices = device.buffer("slices", (MAX_SLICES * size_of::<SliceWords>()) as u64, uploaded);
        let tables = device.buffer("tables", TABLES_SIZE, Usage::STORAGE);
        let counts = device.buffer("counts", counts_size, Usage::STORAGE | Usage::COPY_SRC);
        let table_bindings = device.bind(stages[0], &[&batch, &placements, &tables]);
        let slice_bindings = device.bind(stages[1], &[&batch, constants, &tables, &slices, &counts]);
        Buffers {
            batch,
            placements,
            slices,
            tables,
            counts,
            table_bindings,
            slice_bindings,
            download: Download::new(device, counts_size),
        }
    }
}
