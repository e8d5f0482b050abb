//! The device: the planes and tables of a game in its memory, and the stages, run batch by batch.

use std::collections::VecDeque;
use std::ops::Range;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use wgpu::BufferUsages as Usage;

use super::layout::{GameTables, Quad, SolveBatch, action_parts, action_quads, most_open_actions};
use super::new_blocks::Plane;
use super::shaders::{self, RowWidth};
use super::shards::{MAX_SHARDS, Segment, Shards};
use crate::gpu::device::{Device, MAX_WORKGROUPS, Needs};
use crate::gpu::dispatch::{self, Clock, Download, Sent};
use crate::gpu::words::Words;
use crate::gpu::{Adapters, GpuError, barriers};
use crate::join::join;
use crate::solve::actions::block_actions::CompiledGame;
use crate::solve::space::deals::MAX_KINDS;
use crate::solve::space::layout::ClassId;

/// Batches in flight: the GPU works on one while the results of another are fetched and the host processes a third.
pub(super) const MAX_IN_FLIGHT: usize = 3;
/// Words in the results of a batch.
const RESULT_WORDS: u64 = 1 << 23;
/// Bytes of the results, downloads and lists of all batches in flight.
const BATCHES_BYTES: u64 = MAX_IN_FLIGHT as u64 * 4 * (2 * RESULT_WORDS + MAX_LISTED as u64);
/// Bytes of found blocks that come with the first download. Few batches find more, and what they find besides is
/// fetched by another submission, behind the batches in flight.
const FIRST_FOUND: u64 = 1 << 18;
/// Words at the beginning of the results, before those that workgroups write.
const HEAD_WORDS: u64 = 1;
/// The most blocks in a batch that lists their numbers.
pub(super) const MAX_LISTED: u32 = 1 << 18;
/// The most storage buffers of any stage, not counting the shards that it gathers from.
const OTHER_BUFFERS: u32 = 7;
/// The most words in a shard: a storage binding of wgpu is smaller than 2 GiB.
const MAX_SHARD_WORDS: u64 = (1 << 29) - 64;
/// The fewest words in a shard: some blocks would not fit in less.
pub(super) const MIN_SHARD_WORDS: u32 = 512;

/// The smallest limit on the bytes of a part of the actions, however small the shards are.
const MIN_PART: u64 = 1 << 20;

/// A stage of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveStage {
    /// What is decided without any other position.
    Ends,
    /// The wins of a round.
    Wins,
    /// Its losses.
    Losses,
    /// They are added to the earlier ones.
    Add,
}

/// What a batch does with its blocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub stage: SolveStage,
    /// The ends that rows are initialised from: see [`shaders`].
    pub start: u32,
    /// Whether the blocks that actions lead to are read.
    pub gathers: bool,
}

impl Task {
    /// A stage that starts from no ends and gathers nothing.
    pub fn alone(stage: SolveStage) -> Task {
        Task { stage, start: shaders::NO_START, gathers: false }
    }
}

/// The blocks of a segment in a batch.
#[derive(Clone, Debug)]
pub enum Blocks<'a> {
    /// Consecutive blocks.
    From(Range<u32>),
    /// The numbers of the blocks, ascending.
    Listed(&'a [u32]),
}

impl Blocks<'_> {
    /// The number of blocks.
    pub fn count(&self) -> u32 {
        match self {
            Blocks::From(blocks) => blocks.len() as u32,
            Blocks::Listed(list) => list.len() as u32,
        }
    }

    /// The first `count` blocks, and the rest.
    pub fn split(self, count: u32) -> (Self, Self) {
        let count = count.min(self.count());
        match self {
            Blocks::From(Range { start, end }) => {
                (Blocks::From(start..start + count), Blocks::From(start + count..end))
            }
            Blocks::Listed(list) => {
                let (first, rest) = list.split_at(count as usize);
                (Blocks::Listed(first), Blocks::Listed(rest))
            }
        }
    }
}

/// The results of a batch.
pub struct BatchAnswer {
    /// For each workgroup, the numbers of bits found and of items decided, and the serial number.
    pub counts: Vec<[u32; 3]>,
    /// The blocks in which something is found, in any order: number, then rows.
    pub found: Vec<u32>,
}

/// A device with compiled stages.
pub(super) struct SolveCard {
    device: Device,
    pub rows: RowWidth,
    /// The number of shards of a plane that the stages are compiled for.
    pub shards: usize,
    /// By stage.
    pipelines: [wgpu::ComputePipeline; 4],
    words: Words,
    idle: Vec<BatchMemory>,
    flights: VecDeque<BatchInFlight>,
    clock: Clock,
    /// The serial number of the last batch. Another game goes on from it, since the buffers of results still have the
    /// marks of earlier batches.
    pub serial: u32,
}

/// The buffers of one batch in flight.
struct BatchMemory {
    batch: wgpu::Buffer,
    list: wgpu::Buffer,
    results: wgpu::Buffer,
    download: Download,
}

/// A batch in flight.
struct BatchInFlight {
    memory: BatchMemory,
    sent: Sent,
    /// Bytes of the first download.
    size: u64,
    serial: u32,
    workgroups: u32,
    /// Words of a found block, including its number.
    stride: u64,
    blocks: u32,
}

/// A game on the card.
pub(super) struct Loaded {
    pub shards: Shards,
    pub classes: Vec<SolveBatch>,
    tables: wgpu::Buffer,
    /// The actions by number of slots, in parts.
    actions: Vec<Vec<wgpu::Buffer>>,
    /// For each part: see [`most_open_actions`].
    most_actions: Vec<Vec<[u32; MAX_KINDS + 1]>>,
    wins: Vec<wgpu::Buffer>,
    losses: Vec<wgpu::Buffer>,
    added: Vec<wgpu::Buffer>,
    ends: Vec<wgpu::Buffer>,
    /// A bit for each block: whether the previous round has found losses in it.
    marks: wgpu::Buffer,
}

impl Loaded {
    fn shards_of(&self, plane: Plane) -> &[wgpu::Buffer] {
        match plane {
            Plane::Wins => &self.wins,
            Plane::Losses => &self.losses,
        }
    }

    /// Bytes of all buffers on the card.
    pub fn bytes(&self) -> u64 {
        let shards = [&self.wins, &self.losses, &self.added, &self.ends].into_iter().chain(&self.actions).flatten();
        shards.chain([&self.tables, &self.marks]).map(wgpu::Buffer::size).sum::<u64>() + BATCHES_BYTES
    }
}

/// The fewest bytes that a game in these shards takes on a card.
pub(super) fn least_bytes(shards: &Shards) -> u64 {
    let bytes = |words: &[u32]| words.iter().map(|&words| 4 * u64::from(words)).sum::<u64>();
    3 * bytes(&shards.words) + bytes(&shards.ends_words) + BATCHES_BYTES
}

/// A game in these shards does not fit on a card.
pub(super) fn no_room(shards: &Shards, reason: String) -> GpuError {
    let largest = shards.words.iter().map(|&words| 4 * u64::from(words)).max().unwrap_or(0);
    GpuError::Room { bytes: least_bytes(shards), buffers: shards.count(), largest, reason }
}

/// The capacity of an adapter for a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Capacity {
    /// The most words in a shard.
    pub shard_words: u32,
    /// The most shards of a plane that a stage may bind.
    pub shards: usize,
}

impl Capacity {
    /// The capacity of an adapter.
    pub fn of(adapters: &Adapters, index: usize) -> Capacity {
        let (buffers, largest) = adapters.storage(index);
        Capacity {
            shard_words: (largest / 4).min(MAX_SHARD_WORDS) as u32,
            shards: buffers.saturating_sub(OTHER_BUFFERS).clamp(1, MAX_SHARDS) as usize,
        }
    }
}

impl SolveCard {
    /// Opens an adapter for games with these rows and this number of shards per plane, and tests its barriers and its
    /// largest buffers.
    pub fn open(adapters: &Adapters, index: usize, rows: RowWidth, shards: usize) -> Result<SolveCard, GpuError> {
        let (_, largest) = adapters.storage(index);
        let needs = Needs {
            storage_buffers: OTHER_BUFFERS + shards as u32,
            largest_buffer: largest.clamp(4 * RESULT_WORDS, 4 * MAX_SHARD_WORDS),
            workgroup_size: rows.workgroup_size,
        };
        let device = adapters.open(index, &needs)?;
        let compile = |stage| device.pipeline(shaders::module(stage, rows, shards));
        let both = |one, other| join(|| compile(one), || compile(other));
        let ((ends, wins), (losses, add)) =
            join(|| both(SolveStage::Ends, SolveStage::Wins), || both(SolveStage::Losses, SolveStage::Add));
        let pipelines = [ends?, wins?, losses?, add?];
        device.check()?;
        let idle: Vec<BatchMemory> = (0..MAX_IN_FLIGHT).map(|_| BatchMemory::new(&device)).collect();
        let words = Words::new(&device)?;
        device.check()?;
        for memory in &idle {
            words.test_empty(&device, &memory.results)?;
        }
        barriers::test(&device)?;
        let (flights, clock) = (VecDeque::new(), Clock::new(&device));
        Ok(SolveCard { device, rows, shards, pipelines, words, idle, flights, clock, serial: 0 })
    }

    /// Puts a game on the card, with all planes empty, in no more shards than the stages are compiled for. The buffers are
    /// probed first at their highest addresses: see [`Words`].
    pub fn load(&self, compiled: &CompiledGame, mut shards: Shards) -> Result<Loaded, GpuError> {
        let tables = GameTables::new(&compiled.index, &shards);
        let limit = self.device.device.limits().max_buffer_size;
        let most_bytes = limit.min((4 * u64::from(shards.most_words)).max(MIN_PART));
        let slots = 0..=compiled.index.placements.most_slots();
        let parts: Vec<Vec<usize>> =
            slots.map(|slots| action_parts(&compiled.index, &compiled.actions, slots, most_bytes)).collect();
        shards.cut_by_parts(&compiled.index.layout, &parts);
        let of_slots = |(slots, starts): (usize, &Vec<usize>)| -> Vec<Vec<Quad>> {
            let parts = starts.par_windows(2).map(|part| part[0]..part[1]);
            parts.map(|part| action_quads(&compiled.index, &compiled.actions, slots as u32, part)).collect()
        };
        let quads: Vec<Vec<Vec<Quad>>> = parts.par_iter().enumerate().map(of_slots).collect();
        let on_card = Usage::STORAGE | Usage::COPY_SRC | Usage::COPY_DST;
        // Stages bind exactly as many shards as they are compiled for, and no buffer may be empty.
        let buffer = |label: &str, words: usize| self.device.buffer(label, 4 * words.max(4) as u64, on_card);
        let plane = |label: &str, words: &[u32]| -> Vec<wgpu::Buffer> {
            let words = words.iter().copied().chain(std::iter::repeat(0)).take(self.shards);
            words.map(|words| buffer(label, words as usize)).collect()
        };
        let actions = |parts: &Vec<Vec<Quad>>| parts.iter().map(|quads| buffer("actions", 4 * quads.len())).collect();
        let most_actions = |parts: &Vec<Vec<Quad>>| parts.par_iter().map(|quads| most_open_actions(quads)).collect();
        let loaded = Loaded {
            tables: buffer("tables", tables.words.len()),
            actions: quads.iter().map(actions).collect(),
            most_actions: quads.iter().map(most_actions).collect(),
            wins: plane("wins", &shards.words),
            losses: plane("losses", &shards.words),
            added: plane("added", &shards.words),
            ends: plane("ends", &shards.ends_words),
            marks: buffer("marks", tables.marks_words as usize),
            classes: tables.classes,
            shards,
        };
        // Out of memory is reported like any other driver error; here it is the only plausible cause.
        self.device.check().map_err(|error| match error {
            GpuError::Driver(_) => no_room(&loaded.shards, error.to_string()),
            error => error,
        })?;
        let contents = || {
            let actions = loaded.actions.iter().flatten().zip(quads.iter().flatten());
            let actions = actions.map(|(buffer, quads)| (buffer, bytemuck::cast_slice(quads)));
            actions.chain([(&loaded.tables, &tables.words[..])])
        };
        contents().for_each(|(buffer, words)| self.upload(buffer, words));
        self.device.check()?;
        let planes = [&loaded.wins, &loaded.losses, &loaded.added, &loaded.ends].into_iter().flatten();
        planes.chain([&loaded.marks]).try_for_each(|buffer| self.words.test_empty(&self.device, buffer))?;
        contents().try_for_each(|(buffer, words)| self.words.test_content(&self.device, buffer, words))?;
        Ok(loaded)
    }

    /// Writes a buffer from its beginning, in pieces: written data stays in host memory until it is submitted.
    fn upload(&self, buffer: &wgpu::Buffer, words: &[u32]) {
        const PIECE: usize = 1 << 22;
        for (piece, words) in words.chunks(PIECE).enumerate() {
            self.device.queue.write_buffer(buffer, 4 * (piece * PIECE) as u64, bytemuck::cast_slice(words));
            self.device.queue.submit([]);
        }
    }

    /// The most blocks of a class that fit in a batch.
    pub fn most_blocks(&self, class: &SolveBatch, is_listed: bool) -> u32 {
        let found = u64::from(1 + class.rows * class.own_words);
        // Three words per workgroup; the last workgroup may be only partly filled.
        let by_results = (RESULT_WORDS - HEAD_WORDS - 3) / (3 + found);
        let most = (MAX_WORKGROUPS * self.teams(class)).min(by_results as u32);
        if is_listed { most.min(MAX_LISTED) } else { most }
    }

    /// The number of blocks of a class that one workgroup works on.
    pub fn teams(&self, class: &SolveBatch) -> u32 {
        self.rows.workgroup_size >> class.team_shift
    }

    /// How long the device has worked; `None` if unknown.
    pub fn device_time(&self) -> Option<Duration> {
        self.clock.time()
    }

    /// Submits a batch: a stage on some blocks of a segment, no more than fit in a batch.
    pub fn submit(&mut self, game: &Loaded, task: Task, segment: &Segment, blocks: &Blocks, serial: u32) {
        let class = &game.classes[segment.class.0];
        let count = blocks.count();
        let workgroups = count.div_ceil(self.teams(class));
        let most_actions = game.most_actions[class.slots as usize][segment.part][class.puts as usize];
        let chunks = if task.gathers { most_actions.div_ceil(1 << class.team_shift) } else { 0 };
        let batch = SolveBatch {
            first: if let Blocks::From(blocks) = blocks { blocks.start } else { segment.blocks.start },
            blocks: count,
            listed: u32::from(matches!(blocks, Blocks::Listed(_))),
            serial,
            start: task.start,
            chunks,
            found_at: 3 * workgroups,
            segment: segment.blocks.start,
            own_at: segment.at,
            ends_at: segment.ends_at,
            first_placement: segment.first_placement,
            ..*class
        };
        let memory = self.idle.pop().expect("no more batches are sent than may be in flight");
        let queue = &self.device.queue;
        queue.write_buffer(&memory.batch, 0, bytemuck::bytes_of(&batch));
        queue.write_buffer(&memory.results, 0, bytemuck::bytes_of(&0u32));
        if let Blocks::Listed(list) = blocks {
            queue.write_buffer(&memory.list, 0, bytemuck::cast_slice(list));
        }
        let shard = segment.shard;
        let actions = &game.actions[class.slots as usize][segment.part];
        let common = [&memory.batch, &game.tables, actions, &memory.list, &memory.results];
        let buffers: Vec<&wgpu::Buffer> = match task.stage {
            SolveStage::Ends => common.into_iter().chain([&game.ends[shard]]).collect(),
            SolveStage::Wins => {
                let own = [&game.ends[shard], &game.wins[shard], &game.marks];
                common.into_iter().chain(own).chain(&game.losses).collect()
            }
            SolveStage::Losses => {
                let own = [&game.ends[shard], &game.losses[shard], &game.added[shard]];
                common.into_iter().chain(own).chain(&game.wins).collect()
            }
            SolveStage::Add => {
                let own = [&game.losses[shard], &game.added[shard], &game.marks];
                [&memory.batch, &memory.list, &memory.results].into_iter().chain(own).collect()
            }
        };
        let pipeline = &self.pipelines[task.stage as usize];
        let bindings = self.device.bind(pipeline, &buffers);
        let stage = dispatch::Stage { pipeline, bindings: &bindings, workgroups };
        let size = (4 * (HEAD_WORDS + 3 * u64::from(workgroups)) + FIRST_FOUND).min(4 * RESULT_WORDS);
        let sent = memory.download.send(&self.device, &[stage], &memory.results, size);
        let stride = u64::from(1 + class.rows * class.own_words);
        self.flights.push_back(BatchInFlight { memory, sent, size, serial, workgroups, stride, blocks: count });
    }

    /// Clears all marks once earlier submissions are done.
    pub fn clear_marks(&self, game: &Loaded) {
        let mut encoder = self.device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.clear_buffer(&game.marks, 0, None);
        self.device.queue.submit([encoder.finish()]);
    }

    /// Waits for the oldest batch in flight. `done` is called when the device has finished it, and at most found blocks
    /// are still to be fetched.
    pub fn collect(&mut self, done: impl FnOnce()) -> Result<BatchAnswer, GpuError> {
        let BatchInFlight { memory, sent, size, serial, workgroups, stride, blocks } =
            self.flights.pop_front().expect("a batch is under way");
        let (mut bytes, time) = memory.download.receive(&self.device, sent, size)?;
        self.clock.add(time);
        done();
        let mut found = bytes.split_off(4 * (HEAD_WORDS as usize + 3 * workgroups as usize));
        let head: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes);
        let counts: Vec<[u32; 3]> =
            head[HEAD_WORDS as usize..].chunks_exact(3).map(|count| [count[0], count[1], count[2]]).collect();
        // If work was killed, the rest of the answer is meaningless.
        let is_whole = counts.iter().all(|&[_, _, mark]| mark == serial);
        if is_whole && head[0] > blocks {
            return Err(GpuError::Wrong(format!("{} blocks were found among {blocks}", head[0])));
        }
        let wanted = if is_whole { 4 * stride * u64::from(head[0]) } else { 0 };
        let here = found.len() as u64;
        if wanted > here {
            found.extend(memory.download.fetch(&self.device, &memory.results, size, wanted - here)?);
        }
        found.truncate(wanted as usize);
        self.idle.push(memory);
        Ok(BatchAnswer { counts, found: bytemuck::pod_collect_to_vec(&found) })
    }

    /// The rows of a plane for `count` blocks of a segment from `first` on; all batches must be done.
    pub fn read(
        &self,
        game: &Loaded,
        plane: Plane,
        segment: &Segment,
        first: u32,
        count: u32,
    ) -> Result<Vec<u32>, GpuError> {
        let class = &game.classes[segment.class.0];
        let shards = game.shards_of(plane);
        let block = u64::from(class.rows * class.own_words);
        let offset = 4 * (u64::from(segment.at) + u64::from(first - segment.blocks.start) * block);
        let memory = self.idle.first().expect("no batch is under way");
        let bytes =
            memory.download.fetch(&self.device, &shards[segment.shard], offset, 4 * block * u64::from(count))?;
        Ok(bytemuck::pod_collect_to_vec(&bytes))
    }

    /// Bytes per second, read and written together, that the device's memory copies.
    pub fn copying(&self) -> Result<f64, GpuError> {
        const TIMES: u32 = 16;
        // Larger than any cache, and no more than the device allows for a buffer.
        const SIZE: u64 = 1 << 28;
        let size = SIZE.min(self.device.device.limits().max_buffer_size);
        let memory = self.idle.first().expect("no batch is under way");
        let copies = [0, 1].map(|_| self.device.buffer("copy", size, Usage::COPY_SRC | Usage::COPY_DST));
        let copy = |times: u32| {
            let began = Instant::now();
            // Separate submissions, so that none takes long.
            for _ in 0..times {
                let mut encoder = self.device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
                encoder.copy_buffer_to_buffer(&copies[0], 0, &copies[1], 0, size);
                self.device.queue.submit([encoder.finish()]);
            }
            memory.download.fetch(&self.device, &copies[1], 0, 4).map(|_| began.elapsed().as_secs_f64())
        };
        // The first copy includes preparing the buffers; the difference of the other two excludes the fetch.
        copy(1)?;
        let (once, more) = (copy(1)?, copy(1 + TIMES)?);
        Ok(f64::from(2 * TIMES) * size as f64 / (more - once).max(1e-9))
    }

    /// Writes a plane of a class and marks all blocks, to stand in for earlier rounds.
    pub fn write(&self, game: &Loaded, plane: Plane, class: ClassId, words: &[u32]) {
        let shards = game.shards_of(plane);
        let size = (game.classes[class.0].rows * game.classes[class.0].own_words) as usize;
        for segment in game.shards.segments.iter().filter(|segment| segment.class == class) {
            let blocks = segment.blocks.start as usize * size..segment.blocks.end as usize * size;
            let words = bytemuck::cast_slice(&words[blocks]);
            self.device.queue.write_buffer(&shards[segment.shard], 4 * u64::from(segment.at), words);
        }
        let marks = vec![u32::MAX; (game.marks.size() / 4) as usize];
        self.device.queue.write_buffer(&game.marks, 0, bytemuck::cast_slice(&marks));
    }

    /// The most blocks of a class that can be read at once.
    pub fn most_read(&self, class: &SolveBatch) -> u32 {
        (RESULT_WORDS / u64::from(class.rows * class.own_words)) as u32
    }
}

impl BatchMemory {
    fn new(device: &Device) -> BatchMemory {
        BatchMemory {
            batch: device.buffer("batch", size_of::<SolveBatch>() as u64, Usage::UNIFORM | Usage::COPY_DST),
            list: device.buffer("list", 4 * u64::from(MAX_LISTED), Usage::STORAGE | Usage::COPY_DST),
            results: device.buffer("results", 4 * RESULT_WORDS, Usage::STORAGE | Usage::COPY_SRC | Usage::COPY_DST),
            download: Download::new(device, 4 * RESULT_WORDS),
        }
    }
}
