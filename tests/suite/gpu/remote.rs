//! A count on a GPU that somebody else drives: it sends what the engine sends, and believes as little.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use dovemate::Category;
use dovemate::internals::count::tally::Workload;
use dovemate::internals::count::{Counter, Method, Question};
use dovemate::internals::gpu::GpuError;
use dovemate::internals::gpu::count::remote::{RemoteCount, RemoteProgress};
use dovemate::internals::shapes::BossPlacement;
use dovemate::rules::Rules;
use serde_json::{Value as Json, json};

/// How long a batch takes.
const SHORT: Duration = Duration::from_millis(20);

/// What a device that makes no mistakes sends back; each boss placement's count is attributed to its first
/// slice.
struct Device {
    counter: Counter,
    placements: HashMap<u32, BossPlacement>,
}

fn word(placement: &BossPlacement) -> u32 {
    u32::from(placement.cells().0) | placement.own_boss() << 16 | placement.opposing_boss() << 20
}

impl Device {
    fn new(category: Category, rules: Rules) -> Device {
        let placements = Workload::new(&(2..=12), category).placements;
        Device {
            counter: Counter::new(Question { category, rules, method: Method::Factored }),
            placements: placements.iter().map(|placement| (word(placement), *placement)).collect(),
        }
    }

    fn counts(&mut self, batch: &[u32]) -> Vec<u32> {
        let (units, serial) = (batch[0] as usize, batch[2]);
        let (placements, slices) = batch[3..].split_at(units);
        let counts: Vec<u64> =
            placements.iter().map(|word| self.counter.count(&self.placements[word])).collect();
        let (slices, rest) = slices.as_chunks();
        assert_eq!((slices.len(), rest.len()), (batch[1] as usize, 0));
        let count = |&[table, _, first, items]: &[u32; 4]| {
            [if first == 0 { counts[table as usize] as u32 } else { 0 }, items, serial]
        };
        slices.iter().flat_map(count).collect()
    }
}

/// Drives a count to its end with a device; `sent` sees every batch.
fn drive(
    count: &mut RemoteCount,
    device: &mut Device,
    mut sent: impl FnMut(&[u32]),
) -> Result<Vec<RemoteProgress>, GpuError> {
    let (mut progress, mut flights) = (Vec::new(), VecDeque::new());
    loop {
        while let Some(batch) = count.next_batch() {
            sent(&batch);
            flights.push_back(device.counts(&batch));
            assert!(flights.len() <= 2);
        }
        let Some(counts) = flights.pop_front() else { return Ok(progress) };
        progress.push(count.take(&counts, SHORT, SHORT)?);
    }
}

#[test]
fn its_rows_are_those_of_the_cpu() {
    let draw = Rules { returns: false, ..Rules::default() };
    for (category, rules) in
        [(Category::Mates, Rules::default()), (Category::Wins, draw), (Category::Stuck, draw)]
    {
        let mut count = RemoteCount::new(category, rules, &(2..=6));
        let progress =
            drive(&mut count, &mut Device::new(category, rules), |_| ()).expect("no contradiction");
        let progress: Vec<Json> = progress.iter().map(|progress| json!(progress)).collect();
        let tested = progress.partition_point(|progress| progress["self_test"] == true);
        assert!(tested > 0 && progress[tested..].iter().all(|progress| progress["self_test"] == false));
        assert!(progress[..tested - 1].iter().all(|progress| progress["seconds_left"].is_null()));
        assert!(progress[tested - 1]["seconds_left"].as_f64().expect("a forecast") > 0.0);
        let last = progress.last().expect("some progress");
        let expected =
            dovemate::count(dovemate::Count::new(category).rules(rules).doves(2..=6)).expect("a count");
        assert_eq!(last["rows"], json!(expected.rows), "{category}");
        assert_eq!(last["placements"], json!(count.workload().placements.len()));
        assert_eq!(last["assignments"], json!(count.workload().assignments()));
        assert_eq!(last["seconds_left"], json!(0.0));
    }
}

/// A change of what comes back, and whether it is only a loss of work.
type Lie = (fn(&mut Vec<u32>), bool);

/// A device that is wrong or loses work is found out, at once, in the self-test and later.
#[test]
fn nothing_false_is_taken() {
    let question = (Category::Mates, Rules::default());
    for is_tested in [false, true] {
        let lies: [Lie; 5] = [
            (|counts| counts[0] += 1, false),
            (|counts| counts[1] -= 1, false),
            (|counts| counts[2] -= 1, true),
            (|counts| counts.truncate(counts.len() - 3), true),
            (Vec::clear, true),
        ];
        for (lie, is_loss) in lies {
            let mut count = RemoteCount::new(question.0, question.1, &(5..=6));
            let mut device = Device::new(question.0, question.1);
            let mut is_counting = false;
            while is_tested && !is_counting {
                let batch = count.next_batch().expect("a batch");
                let progress = count.take(&device.counts(&batch), SHORT, SHORT).expect("no contradiction");
                is_counting = json!(progress)["self_test"] == false;
            }
            let mut counts = device.counts(&count.next_batch().expect("a batch"));
            lie(&mut counts);
            let error = count.take(&counts, SHORT, SHORT).expect_err("a lie");
            assert_eq!(error.is_loss(), is_loss, "{error}");
            assert_eq!(count.next_batch(), None);
        }
    }
}

/// A count goes on where it was, whatever was on its way, after another self-test.
#[test]
fn a_count_goes_on_where_it_was() {
    let question = (Category::Mates, Rules::default());
    let mut count = RemoteCount::new(question.0, question.1, &(2..=7));
    let mut device = Device::new(question.0, question.1);
    let mut agreed = 0;
    for _ in 0..3 {
        let progress = loop {
            let batch = count.next_batch().expect("a batch");
            let progress = json!(count.take(&device.counts(&batch), SHORT, SHORT).expect("no contradiction"));
            assert!(progress["placements"].as_u64() >= Some(agreed));
            if progress["placements"].as_u64() > Some(agreed) {
                break progress;
            }
        };
        agreed = progress["placements"].as_u64().expect("a number");
        // These are lost.
        assert!(count.next_batch().is_some() && count.next_batch().is_some());
        count.resume();
    }
    let progress = drive(&mut count, &mut device, |_| ()).expect("no contradiction");
    assert_eq!(json!(progress[0])["placements"], json!(agreed));
    let expected = dovemate::count(dovemate::Count::mates().doves(2..=7)).expect("a count");
    assert_eq!(json!(progress.last())["rows"], json!(expected.rows));
}

/// On a device that takes the longer for an item the more slots its boss placement has, and whose batches come
/// back late, the forecast is right within a half, and at the beginning roughly.
#[test]
fn forecasts_are_right() {
    let time = Duration::from_secs_f64;
    for (latency, fast) in [(0.002, 1e9), (0.03, 1e9), (0.001, 1e7)] {
        let question = (Category::Mates, Rules::default());
        let mut count = RemoteCount::new(question.0, question.1, &(2..=8));
        let mut device = Device::new(question.0, question.1);
        let mut spent = 0.0;
        let mut told = Vec::new();
        while let Some(batch) = count.next_batch() {
            let (slices, _) = batch[3 + batch[0] as usize..].as_chunks();
            let work: f64 = slices.iter().map(|[_, slots, _, items]| f64::from(slots * slots * items)).sum();
            let elapsed = latency + work / fast;
            spent += elapsed;
            let counts = device.counts(&batch);
            let progress = count.take(&counts, time(elapsed), time(work / fast)).expect("no contradiction");
            told.extend(json!(progress)["seconds_left"].as_f64().map(|left| (spent, left)));
        }
        let begun = told[0].0;
        for &(at, left) in &told {
            let right = spent - at;
            let most = if at < begun + (spent - begun) / 10.0 { 3.0 } else { 1.5 };
            let is_right = left < most * right + latency && left > right / most - latency;
            assert!(is_right, "after {at} of {spent} s, {left} s are forecast");
        }
    }
}

/// The slices of all batches, and the words of their boss placements, are those that the engine sends: in the
/// same order, divided into batches by the pace of each.
#[cfg(feature = "gpu")]
#[test]
fn it_sends_what_the_engine_sends() {
    use std::sync::{Arc, Mutex};

    use dovemate::internals::gpu::count::{BatchCard, Count, Engine, Slice};

    /// Notes what it gets, and counts nothing.
    struct Recorder {
        slices: Arc<Mutex<Vec<[u32; 4]>>>,
        flights: VecDeque<Vec<Count>>,
    }

    impl BatchCard for Recorder {
        fn submit(&mut self, placements: &[BossPlacement], slices: &[Slice], serial: u32) {
            let words = |slice: &Slice| {
                let placement = &placements[slice.unit as usize];
                [word(placement), placement.slots(), slice.first_item, slice.items]
            };
            self.slices.lock().expect("no panic").extend(slices.iter().map(words));
            let count = |slice: &Slice| Count { found: 0, decided: slice.items, serial };
            self.flights.push_back(slices.iter().map(count).collect());
        }

        fn collect(&mut self) -> Result<Vec<Count>, GpuError> {
            Ok(self.flights.pop_front().expect("a batch is under way"))
        }

        fn device_time(&self) -> Option<Duration> {
            None
        }
    }

    let question = (Category::Mates, Rules::default());
    let mut count = RemoteCount::new(question.0, question.1, &(2..=8));
    let mut sent = Vec::new();
    let mut serials = Vec::new();
    let slices = |batch: &[u32]| {
        serials.push(batch[2]);
        let (placements, slices) = batch[3..].split_at(batch[0] as usize);
        let (slices, _) = slices.as_chunks();
        sent.extend(
            slices
                .iter()
                .map(|&[table, slots, first, items]| [placements[table as usize], slots, first, items]),
        );
    };
    drive(&mut count, &mut Device::new(question.0, question.1), slices).expect("no contradiction");
    assert_eq!(serials, (1..=serials.len() as u32).collect::<Vec<_>>());

    let recorded = Arc::default();
    let mut engine =
        Engine::new(Box::new(Recorder { slices: Arc::clone(&recorded), flights: VecDeque::new() }));
    engine.count(&count.workload().placements, |_, _| Ok(())).expect("no check");
    let recorded = recorded.lock().expect("no panic");
    assert!(sent.len() > recorded.len() && sent.ends_with(&recorded));
}
