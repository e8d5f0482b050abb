//! The rounds of a game on a card, in short batches whose results are checked before they are used.

use std::collections::VecDeque;
use std::ops::Range;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::card::{Answer, Blocks, Card, Loaded, Stage, Task};
use super::found::{Found, Ground, Plane};
use super::layout::Batch;
use super::marks;
use super::shaders::{AT_ONCE, NO_START, Rows, SAFE, SELF_LOST, STUCK};
use super::shards::{Segment, Shards};
use crate::gpu::GpuError;
use crate::gpu::pace::Pace;

/// The time that one thread takes to mark the predecessors of a changed block.
const MARKING: Duration = Duration::from_micros(2);

/// A game on a card.
pub struct Engine {
    card: Card,
    game: Loaded,
    /// By stage, without and with gathering: reading the successors makes items much heavier.
    paces: [[Pace; 2]; 4],
    serial: u32,
    /// The blocks that the last round has changed, by class: in wins, and in losses. Empty at first.
    wins: Changed,
    losses: Changed,
    /// How long the last pass over all blocks took, for wins and for losses.
    sweeps: [Option<Duration>; 2],
    /// Whether some position is lost regardless of all others.
    has_early_losses: bool,
    /// Blocks examined, by class.
    looked_at: Vec<u64>,
    /// The error that ended a round. It may have left batches in flight, so no further batch is sent.
    failure: Option<GpuError>,
    #[cfg(test)]
    tamper: Option<Tamper>,
    /// The fault to inject, and its round.
    #[cfg(test)]
    lie: Option<(u32, Lie)>,
}

/// A fault that tests inject in a round.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lie {
    /// The device is lost.
    Lost,
    /// Work is killed: a done mark is that of the batch before.
    Killed,
    /// Work times out.
    Hangs,
    /// A workgroup is marked as done but has not decided all its items.
    Undone,
    /// A position is reported whose bit is the last of the last class.
    High,
    /// Every block in which something is found has all positions of its first row set.
    Wrong,
}

/// A change that tests make to an answer before it is checked.
#[cfg(test)]
pub(super) type Tamper = Box<dyn FnMut(&Card, Stage, &mut Answer) + Send>;

/// Blocks that a round has changed.
#[derive(Default)]
struct Changed {
    /// By class.
    blocks: Vec<Vec<u32>>,
    count: usize,
}

impl Changed {
    fn none(classes: usize) -> Changed {
        Changed { blocks: vec![Vec::new(); classes], count: 0 }
    }
}

/// The blocks that a stage examines.
enum Scope {
    /// All blocks.
    All,
    /// Some blocks of each class, ascending.
    Listed(Vec<Vec<u32>>),
}

/// A batch in flight.
struct Flight {
    segment: usize,
    work: Work,
    serial: u32,
    cost: u64,
    submitted: Instant,
}

/// The blocks of a batch.
#[derive(Clone)]
enum Work {
    /// Consecutive blocks, by number.
    From(Range<u32>),
    /// Listed blocks, by index in the list of the class.
    Listed(Range<usize>),
}

impl Engine {
    /// An engine for a game on a card, with nothing solved yet.
    pub(super) fn new(card: Card, game: Loaded) -> Engine {
        let (classes, target) = (game.classes.len(), card.target());
        Engine {
            card,
            game,
            paces: std::array::from_fn(|_| [Pace::new(target), Pace::new(target)]),
            serial: 0,
            wins: Changed::none(classes),
            losses: Changed::none(classes),
            sweeps: [None; 2],
            has_early_losses: false,
            looked_at: vec![0; classes],
            failure: None,
            #[cfg(test)]
            tamper: None,
            #[cfg(test)]
            lie: None,
        }
    }

    /// The same adapter with another game. If no player has more than four kinds in this game, the same must hold for
    /// the other.
    ///
    /// # Errors
    /// If the card has no room for it.
    ///
    /// # Panics
    /// If the game has wider rows than the adapter was prepared for.
    pub fn another(mut self, ground: &Ground) -> Result<Engine, GpuError> {
        let game = ground.index.layout.game;
        let rows = Rows::of(game.red.len().max(game.green.len()));
        assert!(rows == self.card.rows || self.card.rows == Rows::Wide, "the adapter is ready for narrower rows");
        let most_words = self.game.shards.most_words;
        let game = self.card.load(ground, Shards::new(&ground.index.layout, most_words))?;
        Ok(Engine::new(self.card, game))
    }

    /// The card, for another game.
    pub(super) fn into_card(self) -> Card {
        self.card
    }

    /// The same engine with every answer passed through `tamper`.
    #[cfg(test)]
    pub(super) fn tampered(self, tamper: Tamper) -> Engine {
        Engine { tamper: Some(tamper), ..self }
    }

    /// The same engine with a fault in a round.
    #[cfg(test)]
    pub(crate) fn lying(self, round: u32, lie: Lie) -> Engine {
        Engine { lie: Some((round, lie)), ..self }
    }

    /// The measured bytes per second, read and written together, that the device's memory copies.
    ///
    /// # Errors
    /// If the device fails.
    pub fn copying(&self) -> Result<f64, GpuError> {
        self.card.copying()
    }

    /// Bytes of all buffers on the card.
    pub fn bytes(&self) -> u64 {
        self.game.bytes
    }

    /// How long the device has worked since it was opened; `None` if unknown.
    pub fn device_time(&self) -> Option<Duration> {
        self.card.device_time()
    }

    /// The number of blocks of each class that the rounds have examined, wins and losses added up.
    pub fn looked_at(&self) -> &[u64] {
        &self.looked_at
    }

    /// Finds the positions won and lost in exactly `number` plies. Rounds must be called in order, from 0 on. `found`
    /// gets all of these positions, losses first, the blocks of each class in ascending order, and may refuse them.
    ///
    /// # Errors
    /// As soon as the device fails, a result is invalid, or `found` refuses one. Every later call fails with the same
    /// error.
    pub fn round(
        &mut self,
        ground: &Ground,
        number: u32,
        found: &mut dyn FnMut(Found) -> Result<(), GpuError>,
    ) -> Result<(), GpuError> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        #[cfg(test)]
        let lie = self.lie.filter(|&(round, _)| round == number).map(|(_, lie)| lie);
        #[cfg(test)]
        if lie == Some(Lie::Lost) {
            self.card.lose();
        }
        #[cfg(test)]
        if lie == Some(Lie::Hangs) {
            self.card.hang();
        }
        #[cfg(test)]
        if lie == Some(Lie::Killed) {
            self.tamper = Some(Box::new(|_, _, answer| answer.counts[0][2] = answer.counts[0][2].wrapping_sub(1)));
        }
        #[cfg(test)]
        if lie == Some(Lie::Undone) {
            self.tamper = Some(Box::new(|_, _, answer| answer.counts[0][1] += 1));
        }
        #[cfg(test)]
        let found = &mut |mut new: Found| {
            if lie == Some(Lie::Wrong) {
                let class = &ground.index.layout.classes[new.class];
                let all = u32::MAX >> (32 - class.width.min(32));
                let size = new.words.len() / new.blocks.len();
                new.words.iter_mut().step_by(size).for_each(|word| *word = all);
            }
            found(new)
        };
        #[cfg(test)]
        if lie == Some(Lie::High) {
            let class = ground.index.layout.classes.len() - 1;
            let at = &ground.index.layout.classes[class];
            let mut words = vec![0; (self.game.classes[class].rows * self.game.classes[class].own_words) as usize];
            *words.last_mut().expect("a block has rows") = 1 << ((at.width - 1) % 32);
            let blocks = vec![(at.placements * at.sets - 1) as u32];
            found(Found { is_win: number.is_multiple_of(2), class, blocks, words })?;
        }
        let result = self.stages(ground, number, found);
        self.failure = result.as_ref().err().cloned();
        result
    }

    fn stages(
        &mut self,
        ground: &Ground,
        number: u32,
        found: &mut dyn FnMut(Found) -> Result<(), GpuError>,
    ) -> Result<(), GpuError> {
        let classes = self.game.classes.len();
        match number {
            0 => {
                self.has_early_losses = self.run(Task::alone(Stage::Ends), &Scope::All, &mut |_| Ok(()))? > 0;
                self.losses = self.early_losses(STUCK, found)?;
                if self.losses.count > 0 {
                    self.add(&Scope::All)?;
                }
            }
            1 => {
                let losses = self.early_losses(SELF_LOST, found)?;
                let task = Task { stage: Stage::Wins, start: AT_ONCE, gathers: self.losses.count > 0 };
                self.wins = self.find(task, &Scope::All, found)?;
                if losses.count > 0 {
                    self.add(&Scope::All)?;
                }
                self.losses = losses;
            }
            _ => {
                // In round 2 all wins so far come from round 1, so `self.wins` covers them, as it covers later changes.
                let lost = match self.wins.count {
                    0 => None,
                    _ => Some(self.scope(ground, &self.wins, 1)),
                };
                let won = (self.losses.count > 0).then(|| self.scope(ground, &self.losses, 0));
                let losses = match &lost {
                    Some(scope) => {
                        self.find(Task { stage: Stage::Losses, start: SAFE, gathers: true }, scope, found)?
                    }
                    None => Changed::none(classes),
                };
                self.wins = match &won {
                    Some(scope) => {
                        self.find(Task { stage: Stage::Wins, start: NO_START, gathers: true }, scope, found)?
                    }
                    None => Changed::none(classes),
                };
                if let Some(scope) = lost.filter(|_| losses.count > 0) {
                    self.add(&scope)?;
                }
                self.losses = losses;
            }
        }
        Ok(())
    }

    /// Runs a stage on some blocks of each class, with the planes as given, and returns what it finds. `planes` has the
    /// wins and losses of each class after some round, empty where there are none.
    pub(super) fn probe(
        &mut self,
        task: Task,
        planes: &[[Vec<u32>; 2]],
        blocks: Vec<Vec<u32>>,
    ) -> Result<Vec<Found>, GpuError> {
        for (class, [wins, losses]) in planes.iter().enumerate() {
            for (plane, words) in [(Plane::Wins, wins), (Plane::Losses, losses)] {
                if !words.is_empty() {
                    self.card.write(&self.game, plane, class, words);
                }
            }
        }
        let (scope, mut found) = (Scope::Listed(blocks), Vec::new());
        self.run(Task::alone(Stage::Ends), &scope, &mut |_| Ok(()))?;
        self.run(task, &scope, &mut |new| {
            found.push(new);
            Ok(())
        })?;
        Ok(found)
    }

    /// The losses that depend on no other position.
    fn early_losses(
        &mut self,
        start: u32,
        found: &mut dyn FnMut(Found) -> Result<(), GpuError>,
    ) -> Result<Changed, GpuError> {
        if self.has_early_losses {
            let task = Task { stage: Stage::Losses, start, gathers: false };
            return self.find(task, &Scope::All, found);
        }
        Ok(Changed::none(self.game.classes.len()))
    }

    /// Adds the new losses to the plane of losses within a scope, and marks the blocks that have any.
    fn add(&mut self, scope: &Scope) -> Result<(), GpuError> {
        self.card.clear_marks(&self.game);
        self.run(Task::alone(Stage::Add), scope, &mut |_| Ok(())).map(|_| ())
    }

    /// The blocks to examine after some have changed: their predecessors, unless finding these would take longer than
    /// examining all blocks.
    fn scope(&self, ground: &Ground, changed: &Changed, sweep: usize) -> Scope {
        let marking = MARKING * u32::try_from(changed.count / rayon::current_num_threads()).unwrap_or(u32::MAX);
        match self.sweeps[sweep] {
            Some(sweep) if 2 * marking < sweep => Scope::Listed(marks::before(ground, &changed.blocks)),
            _ => Scope::All,
        }
    }

    /// Runs a stage that finds wins or losses; returns the blocks it changes.
    fn find(
        &mut self,
        task: Task,
        scope: &Scope,
        found: &mut dyn FnMut(Found) -> Result<(), GpuError>,
    ) -> Result<Changed, GpuError> {
        let began = Instant::now();
        let mut changed = Changed::none(self.game.classes.len());
        self.run(task, scope, &mut |new| {
            changed.count += new.blocks.len();
            changed.blocks[new.class].extend(&new.blocks);
            found(new)
        })?;
        let sweep = usize::from(task.stage == Stage::Losses);
        match scope {
            Scope::All if task.gathers => self.sweeps[sweep] = Some(began.elapsed()),
            _ => {}
        }
        if task.gathers {
            for (class, looked_at) in self.looked_at.iter_mut().enumerate() {
                *looked_at += match scope {
                    Scope::All => blocks_of(&self.game.shards.segments, class),
                    Scope::Listed(lists) => lists[class].len() as u64,
                };
            }
        }
        Ok(changed)
    }

    /// Runs a stage on all blocks of a scope, in batches; returns the number of bits counted.
    fn run(
        &mut self,
        task: Task,
        scope: &Scope,
        found: &mut dyn FnMut(Found) -> Result<(), GpuError>,
    ) -> Result<u64, GpuError> {
        let segments = self.game.shards.segments.clone();
        let mut works = segments.iter().map(|segment| match scope {
            Scope::All => Work::From(segment.blocks.clone()),
            Scope::Listed(lists) => {
                let place = |number: u32| lists[segment.class].partition_point(|&block| block < number);
                Work::Listed(place(segment.blocks.start)..place(segment.blocks.end))
            }
        });
        let stage = task.stage;
        let (pace, kind) = (stage as usize, usize::from(task.gathers));
        let mut left: Option<(usize, Work)> = None;
        let mut next_segment = 0;
        let mut flights: VecDeque<Flight> = VecDeque::new();
        let mut last_done = Instant::now();
        let mut counted = 0;
        loop {
            while flights.len() < self.card.lanes() {
                let Some((segment, work)) = left.take().or_else(|| {
                    let work = works.next()?;
                    next_segment += 1;
                    Some((next_segment - 1, work))
                }) else {
                    break;
                };
                if work.count() == 0 {
                    continue;
                }
                let class = &self.game.classes[segments[segment].class];
                let most = self.card.most_blocks(class, matches!(work, Work::Listed(_)));
                let by_pace = (self.paces[pace][kind].cost() >> class.team_shift).clamp(1, u64::from(most)) as u32;
                let (now, rest) = work.split(by_pace);
                let cost = (now.count() as u64) << class.team_shift;
                self.serial = self.serial.wrapping_add(1).max(1);
                let blocks = now.blocks(scope, segments[segment].class);
                self.card.submit(&self.game, task, &segments[segment], blocks, self.serial);
                flights.push_back(Flight { segment, work: now, serial: self.serial, cost, submitted: Instant::now() });
                left = Some((segment, rest));
            }
            let Some(flight) = flights.pop_front() else {
                return Ok(counted);
            };
            let (paces, submitted) = (&mut self.paces, flight.submitted);
            #[allow(unused_mut)]
            let mut answer = self.card.collect(|| {
                paces[pace][kind].learn(flight.cost, submitted.max(last_done).elapsed());
                last_done = Instant::now();
            })?;
            #[cfg(test)]
            if let Some(tamper) = &mut self.tamper {
                tamper(&self.card, stage, &mut answer);
            }
            counted += answer.counts.iter().map(|count| u64::from(count[0])).sum::<u64>();
            let class = segments[flight.segment].class;
            let blocks = flight.work.blocks(scope, class);
            let of_class = &self.game.classes[class];
            let new = believed(stage, class, of_class, self.card.teams(of_class), blocks, flight.serial, answer)?;
            if !new.blocks.is_empty() {
                found(new)?;
            }
        }
    }

    /// The rows of a plane of a class, block by block.
    ///
    /// # Errors
    /// If the device fails.
    pub fn plane(&mut self, plane: Plane, class: usize) -> Result<Vec<u32>, GpuError> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let most = self.card.most_read(&self.game.classes[class]);
        let mut words = Vec::new();
        for segment in self.game.shards.segments.iter().filter(|segment| segment.class == class) {
            let mut first = segment.blocks.start;
            while first < segment.blocks.end {
                let count = most.min(segment.blocks.end - first);
                words.extend(self.card.read(&self.game, plane, segment, first, count)?);
                first += count;
            }
        }
        Ok(words)
    }
}

/// Joins consecutive results of the same kind and class, which came in several batches.
pub(crate) fn joined(found: Vec<Found>) -> Vec<Found> {
    let mut joined: Vec<Found> = Vec::new();
    for new in found {
        match joined.last_mut() {
            Some(last) if (last.is_win, last.class) == (new.is_win, new.class) => {
                last.blocks.extend(new.blocks);
                last.words.extend(new.words);
            }
            _ => joined.push(new),
        }
    }
    joined
}

/// The number of blocks in a class.
fn blocks_of(segments: &[Segment], class: usize) -> u64 {
    segments.iter().filter(|segment| segment.class == class).map(|segment| segment.blocks.len() as u64).sum()
}

impl Work {
    fn count(&self) -> usize {
        match self {
            Work::From(range) => range.len(),
            Work::Listed(range) => range.len(),
        }
    }

    /// The first `count` blocks, and the rest.
    fn split(self, count: u32) -> (Work, Work) {
        match self {
            Work::From(Range { start, end }) => {
                let middle = end.min(start.saturating_add(count));
                (Work::From(start..middle), Work::From(middle..end))
            }
            Work::Listed(Range { start, end }) => {
                let middle = end.min(start + count as usize);
                (Work::Listed(start..middle), Work::Listed(middle..end))
            }
        }
    }

    fn blocks<'a>(&self, scope: &'a Scope, class: usize) -> Blocks<'a> {
        match (self, scope) {
            (Work::Listed(range), Scope::Listed(lists)) => Blocks::Listed(&lists[class][range.clone()]),
            (Work::From(range), _) => Blocks::From(range.start, range.len() as u32),
            (Work::Listed(_), Scope::All) => unreachable!("a list comes from a scope with lists"),
        }
    }
}

/// What a batch has found, if the answer is valid: every workgroup has decided all its rows, every block that arrived
/// is one of the batch and arrived once, no row has bits beyond its deals, and the bits of each workgroup's blocks are
/// as many as it has counted.
fn believed(
    stage: Stage,
    class: usize,
    of_class: &Batch,
    teams: u32,
    blocks: Blocks,
    serial: u32,
    answer: Answer,
) -> Result<Found, GpuError> {
    let count = blocks.count();
    let each = if stage == Stage::Ends { of_class.own_words } else { of_class.rows };
    let workgroups = count.div_ceil(teams) as usize;
    let mut done = 0;
    for (place, &[_, decided, mark]) in answer.counts.iter().take(workgroups).enumerate() {
        let items = each * teams.min(count - place as u32 * teams);
        if mark == serial && decided != items {
            return Err(GpuError::Undecided { items, decided });
        }
        done += usize::from(mark == serial);
    }
    if done != workgroups {
        return Err(GpuError::Undone { undone: workgroups - done, slices: workgroups });
    }
    let nothing = Found { is_win: stage == Stage::Wins, class, blocks: Vec::new(), words: Vec::new() };
    if matches!(stage, Stage::Ends | Stage::Add) {
        return Ok(nothing);
    }
    let size = (of_class.rows * of_class.own_words) as usize;
    let mut entries: Vec<&[u32]> = answer.found.chunks_exact(size + 1).collect();
    entries.par_sort_unstable_by_key(|entry| entry[0]);
    let garbled = |block: u32, reason| GpuError::Garbled { block, class, reason };
    // The bits in each word of a row that belong to no deal.
    let padding = |word: u32| {
        let bits = of_class.width.saturating_sub(32 * word).min(32);
        if bits == 32 { 0 } else { u32::MAX << bits }
    };
    let paddings: Vec<u32> = (0..of_class.own_words).map(padding).collect();
    // For each block, its number of bits, and whether it has bits that belong to no deal.
    let looked_at: Vec<(u32, bool)> = entries
        .par_iter()
        .map(|entry| {
            let rows = entry[1..].iter().zip(paddings.iter().cycle());
            rows.fold((0, false), |(bits, padded), (word, padding)| {
                (bits + word.count_ones(), padded | (word & padding != 0))
            })
        })
        .collect();
    let mut left: Vec<u32> = answer.counts.iter().map(|count| count[0]).collect();
    let mut numbers: Vec<u32> = Vec::with_capacity(entries.len());
    for (entry, &(bits, padded)) in entries.iter().zip(&looked_at) {
        let number = entry[0];
        let place = match blocks {
            Blocks::From(first, count) => number.checked_sub(first).filter(|&place| place < count),
            Blocks::Listed(list) => list.binary_search(&number).ok().map(|place| place as u32),
        };
        let place = place.ok_or_else(|| garbled(number, "it is none of the batch"))?;
        if numbers.last() == Some(&number) {
            return Err(garbled(number, "it came twice"));
        }
        if padded {
            return Err(garbled(number, "it has bits that are no deal's"));
        }
        let left = &mut left[(place / teams) as usize];
        let rest = left.checked_sub(bits).filter(|_| bits > 0);
        *left = rest.ok_or_else(|| garbled(number, "its bits are not those that were counted"))?;
        numbers.push(number);
    }
    let mut words = vec![0; entries.len() * size];
    words.par_chunks_exact_mut(size).zip(&entries).for_each(|(words, entry)| words.copy_from_slice(&entry[1..]));
    match left.iter().position(|&left| left > 0) {
        None => Ok(Found { blocks: numbers, words, ..nothing }),
        Some(workgroup) => {
            let place = workgroup as u32 * teams;
            let number = match blocks {
                Blocks::From(first, _) => first + place,
                Blocks::Listed(list) => list[place as usize],
            };
            Err(garbled(number, "bits that were counted in it or beside it have not come"))
        }
    }
}
