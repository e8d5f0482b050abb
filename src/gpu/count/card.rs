//! The device as a [`BatchCard`]: a batch has a stage that builds refutation tables and a stage that counts.

use std::collections::VecDeque;
use std::time::Duration;

use wgpu::BufferUsages as Usage;

use super::engine::BatchCard;
use super::layout::{Batch, Count, SliceWords, TABLE_SIZE, Upload, constants};
use super::plan::Slice;
use super::shaders;
use crate::count::Question;
use crate::gpu::GpuError;
use crate::gpu::device::{Device, Needs};
use crate::gpu::dispatch::{Clock, Download, Sent, Stage};
use crate::gpu::module::Module;
use crate::gpu::shared::WORKGROUP_MEMORY;
use crate::gpu::words::Words;
use crate::join::join;
use crate::shapes::BossPlacement;

/// Batches in flight: the GPU works on one while the host processes the other.
pub(super) const MAX_IN_FLIGHT: usize = 2;
/// Boss placements in a batch; their tables take 28 MB.
pub(super) const MAX_PLACEMENTS: usize = 8192;
/// Slices in a batch: WebGPU's limit on workgroups in a dispatch.
pub(super) const MAX_SLICES: usize = 65_535;

/// The limits that a device must offer.
pub(in crate::gpu) fn needs() -> Needs {
    Needs {
        storage_buffers: 4,
        bindings: 5,
        largest_buffer: MAX_PLACEMENTS as u64 * TABLE_SIZE,
        workgroup_size: 64,
        workgroup_memory: WORKGROUP_MEMORY,
        workgroups: MAX_SLICES as u32,
    }
}

/// A device prepared to answer one question.
pub(super) struct Card {
    device: Device,
    pipelines: Pipelines,
    idle: Vec<Buffers>,
    flights: VecDeque<Flight>,
    clock: Clock,
}

/// The compiled stages.
pub(super) struct Pipelines {
    build_tables: wgpu::ComputePipeline,
    count_slice: wgpu::ComputePipeline,
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

impl Pipelines {
    /// Compiles both stages in parallel.
    pub fn compile(device: &Device, question: Question) -> Result<Pipelines, GpuError> {
        let Question { category, rules, .. } = question;
        let compile = |module: Module| device.pipeline(module.source, module.entry_point, &module.overrides);
        let (build_tables, count_slice) =
            join(|| compile(shaders::table_module(rules)), || compile(shaders::slice_module(category)));
        Ok(Pipelines { build_tables: build_tables?, count_slice: count_slice? })
    }
}

impl Card {
    /// A card on the device, with these pipelines compiled for it.
    pub fn new(device: Device, pipelines: Pipelines) -> Result<Card, GpuError> {
        device.check()?;
        let words = constants();
        let constants = device.buffer("constants", 4 * words.len() as u64, Usage::STORAGE | Usage::COPY_DST);
        device.queue.write_buffer(&constants, 0, bytemuck::cast_slice(&words));
        let idle: Vec<Buffers> = (0..MAX_IN_FLIGHT).map(|_| Buffers::new(&device, &pipelines, &constants)).collect();
        let large = Words::new(&device)?;
        device.check()?;
        let clock = Clock::new(&device);
        for buffers in &idle {
            large.test_empty(&device, &buffers.tables)?;
            large.test_empty(&device, &buffers.counts)?;
        }
        Ok(Card { device, pipelines, idle, flights: VecDeque::new(), clock })
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
    fn new(device: &Device, pipelines: &Pipelines, constants: &wgpu::Buffer) -> Buffers {
        let uploaded = Usage::STORAGE | Usage::COPY_DST;
        let counts_size = (MAX_SLICES * size_of::<Count>()) as u64;
        // Except in a test, only the next stage reads the tables.
        let readable = if cfg!(test) { Usage::COPY_SRC } else { Usage::empty() };
        let batch = device.buffer("batch", size_of::<Batch>() as u64, Usage::UNIFORM | Usage::COPY_DST);
        let placements = device.buffer("placements", 4 * MAX_PLACEMENTS as u64, uploaded);
        let slices = device.buffer("slices", (MAX_SLICES * size_of::<SliceWords>()) as u64, uploaded);
        let tables = device.buffer("tables", MAX_PLACEMENTS as u64 * TABLE_SIZE, Usage::STORAGE | readable);
        let counts = device.buffer("counts", counts_size, Usage::STORAGE | Usage::COPY_SRC);
        let table_bindings = device.bind(&pipelines.build_tables, &[&batch, &placements, &tables]);
        let slice_bindings = device.bind(&pipelines.count_slice, &[&batch, constants, &tables, &slices, &counts]);
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

#[cfg(test)]
mod tests {

    use super::*;
    use crate::count::clause::{Clause, GROUPS};
    use crate::count::table::Table;
    use crate::count::{Category, Method};
    use crate::gpu::testing;
    use crate::rules::Rules;
    use crate::shapes::Shape;

    /// The tables of stage 1 equal those of the CPU, clause by clause: on every 97th boss placement, pruned ones
    /// included, under all rule variants.
    #[test]
    fn tables_are_those_of_the_cpu() {
        let Some((adapters, adapter)) = testing::adapter("tables_are_those_of_the_cpu") else { return };
        let all: Vec<BossPlacement> = Shape::all().iter().flat_map(BossPlacement::all).collect();
        let sample: Vec<BossPlacement> = all.into_iter().step_by(97).collect();
        let mut clauses = 0;
        for rules in Rules::variants() {
            let question = Question { category: Category::Mates, rules, method: Method::Factored };
            let device = adapters.open(adapter.index, &needs()).expect("the device opens");
            let pipelines = Pipelines::compile(&device, question).expect("the shaders compile");
            let mut card = Card::new(device, pipelines).expect("the shaders compile");
            for placements in sample.chunks(1024) {
                let slice = Slice { unit: 0, first_item: 0, items: 1 };
                card.submit(placements, &[slice], 1);
                let Flight { buffers, sent, .. } = card.flights.pop_front().expect("it was just sent");
                let size = placements.len() as u64 * TABLE_SIZE;
                let download = Download::new(&card.device, size);
                sent.wait(&card.device, &buffers.download).expect("the batch is done");
                let copied = download.send(&card.device, &[], &buffers.tables, size);
                let (bytes, _) = download.receive(&card.device, copied, size).expect("the tables come back");
                card.idle.push(buffers);
                let mut expected = Table::default();
                for (placement, bytes) in placements.iter().zip(bytes.chunks_exact(TABLE_SIZE as usize)) {
                    expected.build(placement, rules);
                    let found = read_table(bytes);
                    for (group, found) in found.iter().enumerate() {
                        // A clause without actors has no effect; the shader leaves it out.
                        let theirs = expected.group(group).iter().filter(|clause| !clause.actors.is_nobody());
                        let parts = |clause: &Clause| {
                            let Clause { actors, refuters } = clause;
                            (actors.0, refuters.putters.0, refuters.movers.0)
                        };
                        let mut theirs: Vec<_> = theirs.map(parts).collect();
                        let mut ours = found.clauses.clone();
                        // The two sides order the clauses of a group differently.
                        theirs.sort_unstable();
                        ours.sort_unstable();
                        clauses += ours.len();
                        assert_eq!(ours, theirs, "{placement}, {rules:?}, group {group}");
                        assert_eq!(
                            [found.safe, found.wins],
                            [expected.safe[group].0, expected.wins[group].0],
                            "{placement}, {rules:?}, group {group}: who is safe, who wins"
                        );
                    }
                }
            }
        }
        assert!(clauses > 0, "no clause was compared");
    }

    struct Group {
        clauses: Vec<(u32, u32, u64)>,
        safe: u32,
        wins: u32,
    }

    /// Reads a table in the layout of `shaders/layout.wgsl`.
    fn read_table(bytes: &[u8]) -> Vec<Group> {
        let words: Vec<u32> = bytemuck::pod_collect_to_vec(bytes);
        let (heads, clauses) = words.split_at(2 * GROUPS);
        let per_group = clauses.len() / GROUPS;
        let group = |group: usize| {
            let clauses = clauses[per_group * group..].chunks_exact(4).take((heads[group] & 0xffff) as usize);
            let clause = |c: &[u32]| (c[0] & 0xffff, c[0] >> 16, u64::from(c[1]) | u64::from(c[2]) << 32);
            Group { clauses: clauses.map(clause).collect(), safe: heads[group] >> 16, wins: heads[GROUPS + group] }
        };
        (0..GROUPS).map(group).collect()
    }
}
