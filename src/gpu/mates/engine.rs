//! Counting on a GPU: batches go out, counts come back, two batches in flight.
//!
//! The first batches are small; from how long they take, the next ones are made to last about [`TARGET`]. So a dispatch stays
//! far below the watchdogs of desktop systems whatever the adapter, and a fast adapter gets large batches soon.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use wgpu::BufferUsages as Usage;

use super::layout::{Batch, Count, Slice, TABLE_SIZE, constants, placement_word};
use super::{items, shaders};
use crate::gpu::GpuError;
use crate::gpu::device::Device;
use crate::gpu::plan::{Plan, Planner, Room};
use crate::mates::pairs::MAX_SLOTS;
use crate::mates::{Counter, Method, Question, What};
use crate::rules::Outcome;
use crate::shapes::{BossPlacement, assignments};

/// How long a batch should take.
const TARGET: Duration = Duration::from_millis(100);
/// The very first batch's cost, in items: a few boss placements.
const FIRST_COST: u64 = 4096;
/// How much larger than the last a batch may be.
const GROWTH: u64 = 4;
/// Batches under way at once: the GPU works on one while the host looks at the other.
const IN_FLIGHT: usize = 2;
/// Every so many boss placements one is counted again on the CPU, besides the first of each batch.
const SAMPLE: usize = 64;
/// Boss placements in a batch; their tables take 28 MB.
const MOST_PLACEMENTS: usize = 8192;
/// Slices in a batch: WebGPU's limit on workgroups in a dispatch.
const MOST_SLICES: usize = 65_535;
/// What a table costs, as a number of items.
const TABLE_COST: u64 = 64;

/// A device made ready to answer one question.
pub struct Engine {
    device: Device,
    method: Method,
    check: Counter,
    iterations: Option<u32>,
    build_tables: wgpu::ComputePipeline,
    count_slice: wgpu::ComputePipeline,
    lanes: Vec<Lane>,
    serial: u32,
    /// What the next batch may cost, in items; learnt from the batches so far.
    cost: u64,
    /// Ticks of the device's clock, where it has one.
    ticks: u64,
    /// The error that ended a count. It may have left batches under way, so none follows.
    failure: Option<GpuError>,
}

/// The buffers of one batch in flight.
struct Lane {
    batch: wgpu::Buffer,
    placements: wgpu::Buffer,
    slices: wgpu::Buffer,
    counts: wgpu::Buffer,
    download: wgpu::Buffer,
    table_bindings: wgpu::BindGroup,
    slice_bindings: wgpu::BindGroup,
    timestamps: Option<Timestamps>,
}

/// When a batch began and ended on the device.
struct Timestamps {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
}

/// Bytes before the counts in what is downloaded: two timestamps.
const TIMESTAMPS_SIZE: u64 = 16;

/// A batch under way.
struct Flight {
    plan: Plan,
    lane: Lane,
    serial: u32,
    submission: wgpu::SubmissionIndex,
    submitted: Instant,
    fault: Option<FaultKind>,
}

/// A failure to be played, to see that it is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What fails.
    pub kind: FaultKind,
    /// When it fails.
    pub place: FaultPlace,
}

/// What fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The device is lost.
    Lost,
    /// A slice is not done.
    Undone,
    /// A count is larger than its slice.
    Excess,
    /// A count is wrong by one.
    Wrong,
}

/// The batch that fails: the first, the last, or that of the boss placement in the middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultPlace {
    /// The first batch.
    First,
    /// A batch in the middle.
    Middle,
    /// The last batch.
    Last,
}

impl Engine {
    /// Compiles the shaders. `iterations` bounds the loop iterations of an invocation, on adapters that need it.
    pub(super) fn new(device: Device, question: Question, iterations: Option<u32>) -> Result<Engine, GpuError> {
        let Question { what, rules, method } = question;
        let both_surrounded = match rules.outcome(true, true) {
            Outcome::Open => 0.0,
            Outcome::Won => 1.0,
            Outcome::Lost => 2.0,
            Outcome::Drawn => 3.0,
        };
        let overrides = [("RETURNS", f64::from(u8::from(rules.returns))), ("BOTH_SURROUNDED", both_surrounded)];
        let build_tables = device.pipeline(shaders::table(), "build_tables", &overrides);
        let what = match what {
            What::Mates => 0.0,
            What::Wins => 1.0,
            What::Stuck => 2.0,
        };
        let count_slice = device.pipeline(shaders::slice(method), "count_slice", &[("WHAT", what)]);
        device.check()?;

        let words = constants();
        let constants = device.buffer("constants", 4 * words.len() as u64, Usage::STORAGE | Usage::COPY_DST);
        device.queue.write_buffer(&constants, 0, bytemuck::cast_slice(&words));
        let lanes = (0..IN_FLIGHT).map(|_| Lane::new(&device, &build_tables, &count_slice, &constants)).collect();
        device.check()?;
        // The factored method on the CPU checks either method.
        let check = Counter::new(Question { method: Method::Factored, ..question });
        Ok(Engine {
            device,
            method,
            check,
            iterations,
            build_tables,
            count_slice,
            lanes,
            serial: 0,
            cost: FIRST_COST,
            ticks: 0,
            failure: None,
        })
    }

    /// How long the device itself has worked since the engine was made; `None` if it cannot tell.
    pub fn device_time(&self) -> Option<Duration> {
        let nanoseconds = self.ticks as f64 * f64::from(self.device.queue.get_timestamp_period());
        self.device.has_timestamps().then(|| Duration::from_secs_f64(nanoseconds * 1e-9))
    }

    /// Counts on each boss placement, in order; `found` gets its place in the list and its count as soon as they are known
    /// and checked.
    ///
    /// # Errors
    /// As soon as the device fails or a result is not to be believed. What `found` has got until then stands. From then on
    /// every call fails with the same error.
    pub fn count(
        &mut self,
        placements: &[BossPlacement],
        fault: Option<Fault>,
        found: impl FnMut(usize, u64),
    ) -> Result<(), GpuError> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let counted = self.count_batches(placements, fault, found);
        self.failure = counted.as_ref().err().cloned();
        counted
    }

    fn count_batches(
        &mut self,
        placements: &[BossPlacement],
        fault: Option<Fault>,
        mut found: impl FnMut(usize, u64),
    ) -> Result<(), GpuError> {
        let slice_items = items::slice_items(self.method, self.iterations)
            .ok_or_else(|| GpuError::Loops("its loops stop before a single item is done".into()))?;
        let room = Room { units: MOST_PLACEMENTS, slices: MOST_SLICES, items: slice_items, unit_cost: TABLE_COST };
        let by_slots: [u32; MAX_SLOTS + 1] = std::array::from_fn(|slots| items::items(slots as u32, self.method));
        let items = placements.iter().map(|placement| by_slots[placement.slots() as usize]).collect();
        let mut planner = Planner::new(items, room);
        let faulty = fault.map(|fault| match fault.place {
            FaultPlace::First => 0,
            FaultPlace::Middle => placements.len() / 2,
            FaultPlace::Last => placements.len() - 1,
        });
        let mut fault = fault.zip(faulty);
        let mut flights = VecDeque::new();
        let mut last_done = Instant::now();
        let mut unfinished = 0;
        loop {
            while let Some(lane) = self.lanes.pop() {
                let Some(plan) = planner.next(self.cost) else {
                    self.lanes.push(lane);
                    break;
                };
                let here = fault.take_if(|(_, place)| (plan.first..plan.first + plan.units).contains(place));
                flights.push_back(self.submit(plan, lane, placements, here.map(|(fault, _)| fault.kind)));
            }
            let Some(flight) = flights.pop_front() else {
                return Ok(());
            };
            let counts = self.collect(&flight, placements)?;
            let Flight { plan, lane, submitted, .. } = flight;
            self.lanes.push(lane);
            let elapsed = submitted.max(last_done).elapsed();
            last_done = Instant::now();
            let rate = plan.cost as f64 / elapsed.as_secs_f64().max(1e-6);
            self.cost = ((rate * TARGET.as_secs_f64()) as u64).clamp(1, GROWTH * self.cost);

            let mut sums = vec![0; plan.units];
            sums[0] = std::mem::take(&mut unfinished);
            for (slice, count) in plan.slices.iter().zip(&counts) {
                sums[slice.unit as usize] += u64::from(count.found);
            }
            self.check_sample(&plan, placements, &sums)?;
            for (place, sum) in sums.iter().enumerate() {
                if place < plan.finished {
                    found(plan.first + place, *sum);
                } else {
                    unfinished = *sum;
                }
            }
        }
    }

    fn submit(&mut self, plan: Plan, lane: Lane, placements: &[BossPlacement], fault: Option<FaultKind>) -> Flight {
        if fault == Some(FaultKind::Lost) {
            self.device.device.destroy();
        }
        self.serial = self.serial.wrapping_add(1).max(1);
        let words: Vec<u32> = placements[plan.first..plan.first + plan.units].iter().map(placement_word).collect();
        let slice = |slice| Slice::new(slice, placements[plan.first + slice.unit as usize].slots());
        let slices: Vec<Slice> = plan.slices.iter().map(slice).collect();
        let batch =
            Batch { placements: words.len() as u32, slices: slices.len() as u32, serial: self.serial, padding: 0 };
        let queue = &self.device.queue;
        queue.write_buffer(&lane.batch, 0, bytemuck::bytes_of(&batch));
        queue.write_buffer(&lane.placements, 0, bytemuck::cast_slice(&words));
        queue.write_buffer(&lane.slices, 0, bytemuck::cast_slice(&slices));

        let mut encoder = self.device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let timestamp_writes = lane.timestamps.as_ref().map(|timestamps| wgpu::ComputePassTimestampWrites {
                query_set: &timestamps.queries,
                beginning_of_pass_write_index: Some(0),
                end_of_pass_write_index: Some(1),
            });
            let mut pass =
                encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { timestamp_writes, ..Default::default() });
            pass.set_pipeline(&self.build_tables);
            pass.set_bind_group(0, &lane.table_bindings, &[]);
            pass.dispatch_workgroups(batch.placements.div_ceil(4), 1, 1);
            pass.set_pipeline(&self.count_slice);
            pass.set_bind_group(0, &lane.slice_bindings, &[]);
            pass.dispatch_workgroups(batch.slices - u32::from(fault == Some(FaultKind::Undone)), 1, 1);
        }
        if let Some(Timestamps { queries, resolved }) = &lane.timestamps {
            encoder.resolve_query_set(queries, 0..2, resolved, 0);
            encoder.copy_buffer_to_buffer(resolved, 0, &lane.download, 0, TIMESTAMPS_SIZE);
        }
        let counts_size = u64::from(batch.slices) * size_of::<Count>() as u64;
        encoder.copy_buffer_to_buffer(&lane.counts, 0, &lane.download, TIMESTAMPS_SIZE, counts_size);
        let submission = queue.submit([encoder.finish()]);
        Flight { plan, lane, serial: self.serial, submission, submitted: Instant::now(), fault }
    }

    /// Waits for a batch; its counts, each with its done mark and no larger than its slice.
    fn collect(&mut self, flight: &Flight, placements: &[BossPlacement]) -> Result<Vec<Count>, GpuError> {
        let slices = flight.plan.slices.len();
        let size = TIMESTAMPS_SIZE + (slices * size_of::<Count>()) as u64;
        let bytes = self.device.read(&flight.lane.download, size, flight.submission.clone())?;
        let (timestamps, counts) = bytes.split_at(TIMESTAMPS_SIZE as usize);
        if let [begin, end] = bytemuck::pod_collect_to_vec::<u8, u64>(timestamps)[..] {
            self.ticks += end.saturating_sub(begin);
        }
        let mut counts: Vec<Count> = bytemuck::pod_collect_to_vec(counts);
        match flight.fault {
            Some(FaultKind::Excess) => counts[0].found = u32::MAX,
            Some(FaultKind::Wrong) => counts[0].found += 1,
            _ => {}
        }
        let undone = counts.iter().filter(|count| count.done != flight.serial).count();
        if undone > 0 {
            return Err(GpuError::Undone { undone, slices });
        }
        for (slice, count) in flight.plan.slices.iter().zip(&counts) {
            let most = assignments(placements[flight.plan.first + slice.unit as usize].slots());
            if u64::from(count.found) > most {
                return Err(GpuError::Excess { count: count.found, most });
            }
        }
        Ok(counts)
    }

    fn check_sample(&mut self, plan: &Plan, placements: &[BossPlacement], sums: &[u64]) -> Result<(), GpuError> {
        for (place, &found) in sums.iter().enumerate().take(plan.finished) {
            let placement = &placements[plan.first + place];
            if place == 0 || (plan.first + place).is_multiple_of(SAMPLE) {
                let expected = self.check.count(placement);
                if found != expected {
                    return Err(GpuError::Differs { placement: placement.to_string(), found, expected });
                }
            }
        }
        Ok(())
    }
}

impl Lane {
    fn new(
        device: &Device,
        build_tables: &wgpu::ComputePipeline,
        count_slice: &wgpu::ComputePipeline,
        constants: &wgpu::Buffer,
    ) -> Lane {
        let uploaded = Usage::STORAGE | Usage::COPY_DST;
        let counts_size = (MOST_SLICES * size_of::<Count>()) as u64;
        let batch = device.buffer("batch", size_of::<Batch>() as u64, Usage::UNIFORM | Usage::COPY_DST);
        let placements = device.buffer("placements", 4 * MOST_PLACEMENTS as u64, uploaded);
        let slices = device.buffer("slices", (MOST_SLICES * size_of::<Slice>()) as u64, uploaded);
        let tables = device.buffer("tables", MOST_PLACEMENTS as u64 * TABLE_SIZE, Usage::STORAGE);
        let counts = device.buffer("counts", counts_size, Usage::STORAGE | Usage::COPY_SRC);
        let download = device.buffer("download", TIMESTAMPS_SIZE + counts_size, Usage::MAP_READ | Usage::COPY_DST);
        let table_bindings = device.bind(build_tables, &[&batch, &placements, &tables]);
        let slice_bindings = device.bind(count_slice, &[&batch, constants, &tables, &slices, &counts]);
        let timestamps = device.has_timestamps().then(|| Timestamps {
            queries: device.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: None,
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: device.buffer("timestamps", TIMESTAMPS_SIZE, Usage::QUERY_RESOLVE | Usage::COPY_SRC),
        });
        Lane { batch, placements, slices, counts, download, table_bindings, slice_bindings, timestamps }
    }
}
