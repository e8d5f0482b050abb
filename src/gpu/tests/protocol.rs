//! The protocol with simulated devices.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use crate::count::{Counter, Question, Workload};
use crate::gpu::GpuError;
use crate::gpu::count::protocol::Returned;
use crate::gpu::count::{Phase, Protocol};
use crate::rules::Rules;
use crate::shapes::BossPlacement;
use crate::testing::calculator::{Calculator, blocks};
use crate::{Category, Count, Method};

/// How long a batch takes.
const SHORT: Duration = Duration::from_millis(20);

fn question(category: Category, rules: Rules) -> Question {
    Question { category, rules, method: Method::Factored }
}

fn come_back(results: Vec<u32>) -> Result<Returned, GpuError> {
    Ok(Returned { results, stamps: None })
}

/// A protocol for all boss placements with up to this many doves.
fn protocol(question: Question, most: u32) -> (Protocol, Workload) {
    let workload = Workload::new(&(2..=most), question.category);
    let mut protocol = Protocol::new(question);
    protocol.ask(workload.placements.clone(), None);
    (protocol, workload)
}

/// Drives a protocol to its end with a device; returns the phase and the batch of each turn.
fn drive(protocol: &mut Protocol, device: &mut Calculator) -> Result<Vec<(Phase, Vec<u32>)>, GpuError> {
    let (mut turns, mut flights) = (Vec::new(), VecDeque::new());
    loop {
        while let Some(batch) = protocol.next_batch() {
            flights.push_back(batch);
            assert!(flights.len() <= 2, "no more than two batches are on the way");
        }
        let Some(batch) = flights.pop_front() else { return Ok(turns) };
        let phase = protocol.phase()?;
        protocol.take(come_back(device.results(&batch)), SHORT)?;
        turns.push((phase, batch));
    }
}

#[test]
fn its_counts_are_those_of_the_cpu() {
    let draw = Rules { returns: false, ..Rules::default() };
    for (category, rules) in
        [(Category::Mates, Rules::default()), (Category::Wins, draw), (Category::Stuck, draw)]
    {
        let question = question(category, rules);
        let (mut protocol, workload) = protocol(question, 6);
        let mut device = Calculator::new(question);
        let turns = drive(&mut protocol, &mut device).expect("no contradiction");
        assert_eq!(protocol.phase(), Ok(Phase::Done));
        assert!(turns.is_sorted_by_key(|(phase, _)| *phase) && turns[0].0 == Phase::Known);
        assert_eq!(protocol.time_left(), Some(Duration::ZERO));
        let expected = crate::count(Count::new(category).rules(rules).doves(2..=6)).expect("a count");
        assert_eq!(workload.tally(protocol.confirmed()), expected, "{category}");
        assert_eq!(workload.tally_of_first(protocol.confirmed()), expected, "{category}");
        // Every boss placement is counted once, in order, and every batch has its own number.
        let counted = turns.iter().filter(|(phase, _)| *phase == Phase::All);
        let counted: Vec<BossPlacement> = counted.flat_map(|(_, batch)| device.placements(batch)).collect();
        assert_eq!(counted, workload.placements, "{category}");
        let serials: Vec<u32> = turns.iter().map(|(_, batch)| batch[1]).collect();
        assert_eq!(serials, (1..=serials.len() as u32).collect::<Vec<_>>());
    }
}

/// Only whole shapes have a row before the end.
#[test]
fn a_shape_is_counted_when_all_of_it_is() {
    let question = question(Category::Mates, Rules::default());
    let (mut protocol, workload) = protocol(question, 6);
    drive(&mut protocol, &mut Calculator::new(question)).expect("no contradiction");
    let mut shapes = workload.shapes().filter(|(shape, _)| shape.doves() == 6);
    let (_, placements) = shapes.find(|(_, placements)| placements.len() > 1).expect("a shape");
    let row = |counts: usize| {
        let rows = workload.tally_of_first(&protocol.confirmed()[..counts]).rows;
        rows.into_iter().find(|row| row.doves == 6).unwrap_or_default()
    };
    let (before, after) = (row(placements.end - 1), row(placements.end));
    assert!(before.shapes < after.shapes);
    assert_eq!(before.boss_placements + placements.len() as u64, after.boss_placements);
}

/// A change to the results, and whether it only loses work.
type Lie = (fn(&mut Vec<u32>), bool);

/// A device that is wrong or loses work is detected at once, in the self-test and later. Earlier confirmations stay
/// valid unless it is wrong.
#[test]
fn nothing_false_is_taken() {
    let question = question(Category::Mates, Rules::default());
    let lies: [Lie; 5] = [
        (|results| results[0] += 1, false),
        (|results| results[1] -= 1, false),
        (|results| results[2] -= 1, true),
        (|results| results.truncate(results.len() - 3), true),
        (Vec::clear, true),
    ];
    for phase in [Phase::Known, Phase::Sample, Phase::All] {
        for (lie, is_loss) in lies {
            let (mut protocol, _) = protocol(question, 7);
            let mut device = Calculator::new(question);
            while protocol.phase() != Ok(phase) || phase == Phase::All && protocol.confirmed().is_empty() {
                let batch = protocol.next_batch().expect("a batch");
                protocol.take(come_back(device.results(&batch)), SHORT).expect("no contradiction");
            }
            let before = protocol.confirmed().len();
            let mut results = device.results(&protocol.next_batch().expect("a batch"));
            lie(&mut results);
            let error = protocol.take(come_back(results), SHORT).expect_err("a lie");
            assert_eq!(error.is_loss(), is_loss, "{error}");
            assert_eq!((protocol.next_batch(), protocol.phase()), (None, Err(error)));
            assert_eq!(protocol.confirmed().len(), if is_loss { before } else { 0 });
        }
    }
}

/// A count resumes where it was, whatever was in flight, after another self-test.
#[test]
fn a_count_goes_on_where_it_was() {
    let question = question(Category::Mates, Rules::default());
    let (mut protocol, workload) = protocol(question, 7);
    let mut device = Calculator::new(question);
    let mut confirmed = 0;
    for _ in 0..3 {
        while protocol.confirmed().len() == confirmed {
            let batch = protocol.next_batch().expect("a batch");
            protocol.take(come_back(device.results(&batch)), SHORT).expect("no contradiction");
        }
        confirmed = protocol.confirmed().len();
        // This batch is lost.
        assert!(protocol.next_batch().is_some());
        protocol.resume();
        assert_eq!((protocol.phase(), protocol.confirmed().len()), (Ok(Phase::Known), confirmed));
        assert_eq!(protocol.elapsed(), Duration::ZERO);
    }
    drive(&mut protocol, &mut device).expect("no contradiction");
    let expected = crate::count(Count::mates().doves(2..=7)).expect("a count");
    assert_eq!(workload.tally(protocol.confirmed()), expected);
}

/// A clock of a device: its reading at a time in seconds.
type Clock = fn(f64) -> Option<u64>;

const FINE: Clock = |time| Some((1e9 * (1.0 + time)) as u64);
/// Steps of 0.1 ms, as Chrome documents; Chrome's own tests switch them off.
const COARSE: Clock = |time| Some(100_000 * (10_000.0 * (1.0 + time)) as u64);
const NONE: Clock = |_| None;

/// The forecasts of a device that does a block of n slots in n² / `fast` seconds, and whose batches come back `latency`
/// seconds late, each after the time spent so far; the number of batches, and the longest that the device worked on
/// one.
fn forecasts(latency: f64, fast: f64, clock: Clock, most: u32) -> (Vec<(f64, f64)>, usize, f64) {
    let question = question(Category::Mates, Rules::default());
    let (mut protocol, workload) = protocol(question, most);
    let counts: HashMap<BossPlacement, u32> = {
        let mut counter = Counter::new(question);
        let all = Workload::new(&(2..=12), Category::Mates).placements;
        let known = all.iter().filter(|placement| placement.slots() <= 7.max(most - 2));
        known.map(|placement| (*placement, counter.count(placement) as u32)).collect()
    };
    let device = Calculator::new(question);
    let (mut spent, mut told, mut batches, mut longest) = (0.0, Vec::new(), 0, 0.0_f64);
    while let Some(batch) = protocol.next_batch() {
        let placements = device.placements(&batch);
        let block =
            |placement: &BossPlacement| f64::from(placement.slots().pow(2) * blocks(placement)) / fast;
        let work: f64 = placements.iter().map(block).sum();
        let stamps = clock(spent).zip(clock(spent + work)).map(|(begin, end)| [begin, end]);
        let result = |placement: &BossPlacement| [counts[placement], blocks(placement), batch[1]];
        let results = placements.iter().flat_map(result).collect();
        let elapsed = Duration::from_secs_f64(latency + work);
        protocol.take(Ok(Returned { results, stamps }), elapsed).expect("no contradiction");
        spent += latency + work;
        (batches, longest) = (batches + 1, longest.max(work));
        told.extend(protocol.time_left().map(|left| (spent, left.as_secs_f64())));
    }
    assert_eq!(protocol.confirmed().len(), workload.placements.len());
    (told, batches, longest)
}

/// On a device that takes longer for blocks of boss placements with more slots, and whose batches come back late, the
/// forecast is right within a factor of 1.5, and of 3 in the first tenth of the time.
#[test]
fn forecasts_are_right() {
    for (latency, fast, clock) in
        [(0.002, 1e7, FINE), (0.03, 1e7, FINE), (0.001, 1e5, FINE), (0.001, 1e5, COARSE)]
    {
        let (told, ..) = forecasts(latency, fast, clock, 8);
        let (begun, spent) = (told[0].0, told[told.len() - 1].0);
        for (at, left) in told {
            let right = spent - at;
            let most = if at < begun + (spent - begun) / 10.0 { 3.0 } else { 1.5 };
            let is_right = left < most * right + latency && left > right / most - latency;
            assert!(is_right, "{latency}, {fast}: after {at} of {spent} s, {left} s are forecast");
        }
    }
}

/// If a card's batches are shorter than a step of its clock, or it has no clock, the page's wait is not taken for work:
/// few batches are sent, and the forecast is not much more than three times too long.
#[test]
fn a_wait_is_not_taken_for_work() {
    for clock in [FINE, COARSE, NONE] {
        let (told, batches, longest) = forecasts(0.04, 1e9, clock, 9);
        let (at, left) = told[0];
        let right = told[told.len() - 1].0 - at;
        assert!(left < 3.0 * right + 0.1, "{left} s are forecast for {right} s");
        assert!(batches < 60, "{batches} batches");
        assert!(longest < 0.1, "a batch of {longest} s");
    }
}

/// A clock that stands still does not make batches grow beyond what is safe.
#[test]
fn a_clock_that_stands_still_makes_no_long_batches() {
    let stopped: Clock = |time| Some(100_000 * (10_000.0 * (1.0 + time.min(0.5))) as u64);
    let (_, _, longest) = forecasts(0.002, 1e6, stopped, 9);
    assert!(longest < 0.1, "a batch of {longest} s");
}
