//! Answers about the positions of a game: the actions of a player ranked, and the line that follows.
//!
//! A value is probed if the game's [`Lookup`] knows it, and otherwise searched: first the near wins and losses, ply by
//! ply, then, if a limit ends that, the winner at any distance. Positions that neither decides are estimated.
//!
//! Positions are searched and estimated in canonical form, so mirror images share one result and the ranking is
//! the same however the board lies.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::ranked::{Ranked, canonical_after};
use super::ranking::Ranking;
use super::{Known, Lookup, LookupError, Source, Worth, traps};
use crate::search::{Position, Role, Search, Stopped, Threads};
use dovemate::Limits;
use dovemate::clock::Instant;
use dovemate::rules::{Action, Board, Code, Color, Game, Outcome};
use dovemate_solver::{Value, Wdl};

/// How far to search, on how many threads, and within which limits.
#[derive(Clone, Debug)]
pub struct Effort {
    /// The search depth: the maximum number of plies, counted from the position in question; up to [`Effort::LONGEST`].
    pub plies: u32,
    /// The threads. On more than one, all results except proved values depend on timing.
    pub threads: Threads,
    /// The limits. The limit on positions is for proofs; a lookahead visits more, each in less time.
    pub limits: Limits,
}

impl Effort {
    /// Maximum number of plies that a search looks ahead.
    pub const LONGEST: u32 = Search::LONGEST;

    /// At most this many plies on the calling thread, however long that takes.
    pub fn plies(plies: u32) -> Effort {
        Effort { plies, threads: Threads::One, limits: Limits::default() }
    }

    /// As many plies as all threads search until a deadline.
    pub fn until(deadline: Instant) -> Effort {
        Effort { plies: Effort::LONGEST, threads: Threads::All, limits: Limits::until(deadline) }
    }

    /// The fraction `numerator / denominator` of the time left and of the positions.
    fn fraction(&self, numerator: u32, denominator: u32) -> Effort {
        let until = |deadline: Instant| {
            let now = Instant::now();
            now + deadline.saturating_duration_since(now) / denominator * numerator
        };
        let quota = |positions: u64| positions.saturating_mul(numerator.into()) / u64::from(denominator);
        let Limits { deadline, positions, .. } = self.limits;
        let limits =
            Limits { deadline: deadline.map(until), positions: positions.map(quota), ..self.limits.clone() };
        Effort { limits, ..*self }
    }

    /// The limits, with this limit on positions instead.
    fn with_positions(&self, positions: Option<u64>) -> Limits {
        Limits { positions, ..self.limits.clone() }
    }
}

/// Actions of the two players in turn, each with the board it leads to.
pub type Line = Vec<(Action, Board)>;

/// The texts of a line's actions, starting from a board.
pub fn texts(board: &Board, line: &Line) -> Vec<String> {
    let boards = std::iter::once(board).chain(line.iter().map(|(_, after)| after));
    line.iter().zip(boards).map(|((action, _), before)| action.text(before)).collect()
}

/// The last question, who wins at any distance, gets 1 ÷ this of the proofs' time.
const WINNERS_DIVISOR: u32 = 6;
/// How many tenths of the time go to proofs.
const PROOF_TENTHS: u32 = 6;
const TENTHS: u32 = 10;
/// Positions that a lookahead visits while a proof expands one.
const LOOKAHEAD_PER_PROOF: u64 = 16;
/// The positions that a lookahead without limits may visit. If the best action is undecided, or a win at an unknown
/// distance, it may visit [`LOOKAHEAD_PER_PROOF`] times the positions of the proofs, if that is more.
const LOOKAHEAD_POSITIONS: u64 = 20_000;
/// The depth in plies of a lookahead that only breaks ties.
const TIE_BREAK_PLIES: u32 = 2;
/// Each step of a line may visit at least this many positions.
const LINE_STEP_POSITIONS: u64 = 1 << 16;

/// A position, with the actions that lead to it.
type Reached<'r> = (Position, Vec<&'r mut Ranked>);

/// Answers questions about the positions of one game. Clones share what they find.
///
/// ```
/// use dovemate_analysis::{Analysis, Effort};
/// use dovemate::{Board, Color, Game};
///
/// let board: Board = "-Y-B;--ay;H---;b---".parse()?;
/// let mut analysis = Analysis::by_search(Game::default());
/// let ranking = analysis.rank(&board, Color::Green, &Effort::plies(3))?;
/// let best = ranking.best().expect("the game is not over");
/// println!("{} {}", best.text, best.worth);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Analysis<'a> {
    game: Game,
    lookup: Option<&'a dyn Lookup>,
    /// A search without limits; each question runs in a clone with limits of its own.
    search: Search,
    /// The number of positions that all questions have visited on their calling threads.
    visited: u64,
    /// How many searches for a value a limit has stopped.
    pub(crate) stopped: u64,
}

impl fmt::Debug for Analysis<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Analysis { game, lookup, visited, .. } = self;
        let mut analysis = f.debug_struct("Analysis");
        analysis.field("game", game).field("lookup", lookup).field("visited", visited).finish_non_exhaustive()
    }
}

impl<'a> Analysis<'a> {
    /// Maximum plies shown of a drawn line.
    pub const MAX_DRAWN: usize = 6;

    /// Answers questions about the game of a lookup: by its values, and by search where it knows none.
    pub fn new(lookup: &'a dyn Lookup) -> Analysis<'a> {
        let mut analysis = Analysis { lookup: Some(lookup), ..Analysis::by_search(lookup.game()) };
        if let Some(openings) = super::openings::Openings::of(&analysis.game) {
            analysis.search.probe_in(openings, openings.most_doves());
        }
        analysis
    }

    /// Answers questions about a game by search alone, even where the openings in the program know more.
    pub fn by_search(game: Game) -> Analysis<'a> {
        Analysis { game, lookup: None, search: Search::new(&game), visited: 0, stopped: 0 }
    }

    /// An analysis of another lookup. It shares what this one finds if both are of the same game.
    pub fn with_values<'b>(&self, lookup: &'b dyn Lookup) -> Analysis<'b> {
        let Analysis { game, ref search, visited, stopped, .. } = *self;
        match lookup.game() == game {
            true => Analysis { game, lookup: Some(lookup), search: search.clone(), visited, stopped },
            false => Analysis::new(lookup),
        }
    }

    /// The number of positions that its searches have visited so far; those that other threads visited are not counted.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// An analysis of the same game that knows no values.
    #[must_use]
    pub fn without_values(&self) -> Analysis<'static> {
        Analysis::by_search(self.game)
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Probes a position, without a search.
    fn known(&self, board: &Board, mover: Color) -> Result<Option<Known>, LookupError> {
        match self.lookup {
            Some(lookup) => lookup.probe(board, mover),
            None => Ok(None),
        }
    }

    /// The value of a position, if it is known, or is a win or loss that a search on one thread finds.
    ///
    /// # Errors
    /// If a dove on the board is not in the game, a boss is surrounded, or values cannot be read.
    pub fn value(
        &mut self,
        board: &Board,
        mover: Color,
        effort: &Effort,
    ) -> Result<Option<Value>, LookupError> {
        let position = Position::of(board, mover, &self.game)?;
        if let Some(value) = self.known(board, mover)?.and_then(Known::exact) {
            return Ok(Some(value));
        }
        let mut search = self.search.within(effort.limits.clone());
        let value = search.value(&position, effort.plies.min(Search::LONGEST));
        self.visited += search.visited();
        self.stopped += u64::from(value.is_err());
        Ok(value.unwrap_or(None))
    }

    /// Ranks the actions of a player. Six tenths of the time, or of the positions, go to proofs, the rest to the
    /// lookahead that orders the undecided actions. Without such a limit, on one thread, the lookahead takes about as
    /// long as the proofs did.
    ///
    /// # Errors
    /// If a dove on the board is not in the game, a boss is surrounded, or values cannot be read.
    pub fn rank(&mut self, board: &Board, mover: Color, effort: &Effort) -> Result<Ranking, LookupError> {
        self.rank_in_game(board, mover, &[], effort)
    }

    /// Like [`Analysis::rank`], for a game in which the boards of `seen` have come up after the player's actions, each
    /// listed once for every occurrence. Such a position is estimated as a draw if it is not proved, because it may
    /// come up again and again.
    ///
    /// # Errors
    /// If a dove on the board is not in the game, a boss is surrounded, or values cannot be read.
    pub fn rank_in_game(
        &mut self,
        board: &Board,
        mover: Color,
        seen: &[Board],
        effort: &Effort,
    ) -> Result<Ranking, LookupError> {
        let before = self.visited;
        let mut ranking = self.rank_proved(board, mover, &effort.fraction(PROOF_TENTHS, TENTHS))?;
        let by_proofs = self.visited - before;
        let seen: Vec<Code> = seen.iter().map(|board| canonical_after(board, mover)).collect();
        for ranked in &mut ranking.actions {
            ranked.seen = seen.iter().filter(|seen| **seen == ranked.code).count();
        }
        self.suggest(&mut ranking, mover, effort, by_proofs)?;
        Ok(ranking)
    }

    /// Ranks the actions of a player by proofs alone; nothing is suggested. All of the time goes to proofs.
    ///
    /// # Errors
    /// If a dove on the board is not in the game, a boss is surrounded, or values cannot be read.
    pub fn rank_proved(
        &mut self,
        board: &Board,
        mover: Color,
        effort: &Effort,
    ) -> Result<Ranking, LookupError> {
        self.game.check(board)?;
        let mut actions = self.known_actions(board, mover)?;
        let inexact = actions.iter_mut().filter(|ranked| !ranked.worth.is_exact());
        let mut open = self.by_position(inexact, mover);
        let (mut searched, mut is_out_of_time) = (None, false);
        if !open.is_empty() {
            let most = effort.plies.min(Search::LONGEST);
            // First the near wins and losses, then, if a limit ended that, the winner at any distance.
            let near = effort.fraction(WINNERS_DIVISOR - 1, WINNERS_DIVISOR);
            let mut search = self.search.within(near.limits);
            let done = deepen(&mut search, &mut open, most, effort.threads);
            self.visited += search.visited();
            is_out_of_time = done < most;
            if is_out_of_time {
                let root = self.canonical(board, mover);
                let positions = effort.fraction(1, WINNERS_DIVISOR).limits.positions;
                let rest = effort.with_positions(positions);
                self.prove_winners(&root, &mut open, rest, effort.threads);
            }
            for ranked in &mut actions {
                if let Worth::NoneWithin(_) = ranked.worth {
                    ranked.worth = Worth::NoneWithin(done);
                }
            }
            searched = Some(done);
        }
        let mut ranking = Ranking { actions, known: self.known(board, mover)?, searched, is_out_of_time };
        ranking.infer_from_position();
        ranking.sort();
        Ok(ranking)
    }

    /// Searches for the winner of a position at any distance, and for the open actions that win or lose.
    fn prove_winners(&mut self, root: &Position, open: &mut [Reached], limits: Limits, threads: Threads) {
        let mut search = self.search.within(limits);
        match threads {
            // Drop the result: the search has stored its proofs in the table.
            Threads::One => drop(search.prove_winner(root)),
            Threads::All => prove_side_by_side(&search, root, open),
        }
        self.visited += search.visited();
        // The root's successors are oriented as its actions leave them; those in `open` are in canonical form.
        for position in search.successors(root) {
            let canonical = self.canonical(&position.board(), position.mover());
            let is_reached =
                |(reached, ranked): &&mut Reached| *reached == canonical && !ranked[0].worth.is_exact();
            let Some((_, ranked)) = open.iter_mut().find(is_reached) else { continue };
            for (role, worth) in [(Role::Defender, Worth::Win), (Role::Attacker, Worth::Lose)] {
                let bounds = [&position, &canonical].map(|position| search.bound(position, role));
                if let Some(plies) = bounds.into_iter().flatten().min() {
                    set_all(ranked, worth, Some(plies + 1));
                }
            }
        }
    }

    /// A position in canonical form.
    fn canonical(&self, board: &Board, mover: Color) -> Position {
        Position::of_canonical(board.code().canonical(mover), mover, &self.game)
    }

    /// The legal actions on a board of the game, with the values that are known without a search.
    fn known_actions(&self, board: &Board, mover: Color) -> Result<Vec<Ranked>, LookupError> {
        let mut actions = Vec::new();
        for (action, after) in self.game.legal_actions(board, mover) {
            let known = self.known_action(&after, mover)?;
            actions.push(Ranked::new((board, mover), (action, after), known));
        }
        Ok(actions)
    }

    /// The value of an action, without a search: by the rules, or else by probing the position after it.
    fn known_action(&self, after: &Board, mover: Color) -> Result<Known, LookupError> {
        let by_rules = |value| Known { worth: Worth::Exact(value), source: Source::Rules };
        Ok(match self.game.rules.outcome_of(after, mover) {
            Outcome::Won => by_rules(Value::Win(1)),
            Outcome::Lost => by_rules(Value::Lose(1)),
            Outcome::Drawn => by_rules(Value::Draw),
            Outcome::Open => match self.known(after, mover.opponent())? {
                Some(Known { worth, source }) => Known { worth: worth.before(), source },
                None => Known { worth: Worth::NoneWithin(0), source: Source::Search },
            },
        })
    }

    /// The different positions after these actions of a player, with the actions that lead to each. No action may
    /// end the game.
    fn by_position<'r>(
        &self,
        actions: impl Iterator<Item = &'r mut Ranked>,
        mover: Color,
    ) -> Vec<Reached<'r>> {
        let mut by_code: BTreeMap<Code, Vec<&mut Ranked>> = BTreeMap::new();
        for ranked in actions {
            by_code.entry(ranked.code).or_default().push(ranked);
        }
        let position = |code| Position::of_canonical(code, mover.opponent(), &self.game);
        by_code.into_iter().map(|(code, ranked)| (position(code), ranked)).collect()
    }

    /// Sorts actions of equal value by ways, then by estimates. A lookahead estimates those of the best value; other
    /// undecided ones are estimated one ply deep. `by_proofs` is the number of positions that the proofs visited.
    fn suggest(
        &mut self,
        ranking: &mut Ranking,
        mover: Color,
        effort: &Effort,
        by_proofs: u64,
    ) -> Result<(), LookupError> {
        let Some(best) = ranking.actions.first().map(|first| first.worth) else { return Ok(()) };
        if matches!(best, Worth::Exact(Value::Win(_))) {
            return Ok(());
        }
        // The opponent's ways to keep a draw, or a win.
        if let (Some(value @ (Wdl::Draw | Wdl::Lose)), Some(lookup)) = (best.wdl(), self.lookup) {
            let search = self.search.within(effort.with_positions(None));
            let actions = ranking.actions.iter_mut().filter(|ranked| ranked.worth == best);
            traps::count(&self.game, lookup, actions, value, mover, &search)?;
        }
        // Playing for a win without a known distance may go round in circles.
        let is_open = matches!(best, Worth::NoneWithin(_) | Worth::Win);
        // With several threads, timing would break ties between decided actions.
        let (plies, threads) = match is_open {
            true => (effort.plies.min(Search::LONGEST), effort.threads),
            false => (TIE_BREAK_PLIES, Threads::One),
        };
        let positions = match (effort.limits.positions, effort.limits.deadline) {
            (Some(positions), _) => Some(lookahead_positions(positions)),
            (None, Some(_)) => None,
            (None, None) if is_open => Some((LOOKAHEAD_PER_PROOF * by_proofs).max(LOOKAHEAD_POSITIONS)),
            (None, None) => Some(LOOKAHEAD_POSITIONS),
        };
        let limits = effort.with_positions(positions);
        self.estimate(ranking, mover, |worth| worth == best, plies, limits.clone(), threads);
        let is_other = |worth| worth != best && matches!(worth, Worth::NoneWithin(_));
        self.estimate(ranking, mover, is_other, 1, limits, threads);
        ranking.sort();
        ranking.cap_points();
        Ok(())
    }

    /// Estimates the actions whose values satisfy a condition and that do not end the game.
    fn estimate(
        &mut self,
        ranking: &mut Ranking,
        mover: Color,
        condition: impl Fn(Worth) -> bool,
        plies: u32,
        limits: Limits,
        threads: Threads,
    ) {
        let rules = self.game.rules;
        let is_open = |ranked: &Ranked| rules.outcome_of(&ranked.after, mover) == Outcome::Open;
        let actions = ranking.actions.iter_mut();
        let members = actions.filter(|ranked| condition(ranked.worth) && is_open(ranked));
        let (after, members): (Vec<Position>, Vec<Vec<&mut Ranked>>) =
            self.by_position(members, mover).into_iter().unzip();
        let mut search = self.search.within(limits);
        let drawn: Vec<bool> = members.iter().map(|ranked| ranked[0].seen > 0).collect();
        let estimates = search.compare(&after, &drawn, plies, threads);
        self.visited += search.visited();
        for (ranked, estimate) in members.into_iter().zip(estimates) {
            for ranked in ranked {
                ranked.estimate = Some(estimate);
            }
        }
    }

    /// A player's action, if there is one, and the line that follows if both players keep the value. Each time, the
    /// first action in canonical order that is known to keep it is played or, if none is known, the first that a search
    /// finds. A win or a loss is played to the end of the game; a draw for at most `most_drawn` plies. The line stops
    /// where the value or its distance is unknown, or at a limit of `effort`. The limit on positions applies to each
    /// action by itself; without limits, the search for an action may visit as many positions as everything before it.
    /// In both cases it may visit at least 65,536 positions.
    ///
    /// # Errors
    /// If values cannot be read.
    pub fn principal_variation(
        &mut self,
        first: Option<&Ranked>,
        mover: Color,
        most_drawn: usize,
        effort: &Effort,
    ) -> Result<Line, LookupError> {
        let mut line = Line::new();
        let mut best = first.cloned();
        let mut player = mover;
        while let Some(Ranked { action, after, worth, .. }) = best {
            let Worth::Exact(value) = worth else { break };
            if value == Value::Draw && line.len() >= most_drawn {
                break;
            }
            let is_over = self.game.rules.outcome_of(&after, player) != Outcome::Open;
            line.push((action, after.clone()));
            if is_over {
                break;
            }
            player = player.opponent();
            let positions = match (effort.limits.positions, effort.limits.deadline) {
                (Some(positions), _) => Some(positions.max(LINE_STEP_POSITIONS)),
                (None, Some(_)) => None,
                (None, None) => Some(self.visited.max(LINE_STEP_POSITIONS)),
            };
            let limits = effort.with_positions(positions);
            best = self.keeping_action(&after, player, value.after(), limits)?;
        }
        Ok(line)
    }

    /// An action that keeps this value of the position: the first one known without a search, or else the first one
    /// that a search finds, in the order of the canonical codes after the actions. `None` if none is found.
    fn keeping_action(
        &mut self,
        board: &Board,
        mover: Color,
        value: Value,
        limits: Limits,
    ) -> Result<Option<Ranked>, LookupError> {
        let mut actions = self.known_actions(board, mover)?;
        actions.sort_by_cached_key(|ranked| (ranked.code, ranked.text.clone()));
        if let Some(known) = actions.iter().find(|ranked| ranked.worth == Worth::Exact(value)) {
            return Ok(Some(known.clone()));
        }
        let Some(plies) = value.plies().and_then(|plies| plies.checked_sub(1)) else { return Ok(None) };
        let plies = plies.min(Search::LONGEST);
        let mut search = self.search.within(limits);
        let mut found = None;
        for ranked in actions.into_iter().filter(|ranked| !ranked.worth.is_exact()) {
            let position = Position::of_canonical(ranked.code, mover.opponent(), &self.game);
            let Ok(after) = search.value(&position, plies) else { break };
            if after.map(Value::before) == Some(value) {
                found = Some(ranked);
                break;
            }
        }
        self.visited += search.visited();
        Ok(found.map(|ranked| Ranked { worth: Worth::Exact(value), source: Source::Search, ..ranked }))
    }
}

/// The number of positions for the lookahead, out of the limit for proofs and lookahead together.
fn lookahead_positions(positions: u64) -> u64 {
    let visits = positions.saturating_mul(LOOKAHEAD_PER_PROOF);
    visits.saturating_mul((TENTHS - PROOF_TENTHS).into()) / u64::from(TENTHS)
}

/// Sets the value that the search has found for actions that lead to the same position.
fn set_all(actions: &mut [&mut Ranked], worth: Worth, within: Option<u32>) {
    for ranked in actions {
        ranked.set(worth, Source::Search, within);
    }
}

/// Finds wins and losses ply by ply, up to `most`, until the search stops. Returns the number of plies searched
/// completely.
fn deepen(search: &mut Search, open: &mut [Reached], most: u32, threads: Threads) -> u32 {
    for plies in 1..=most {
        let prove = |search: &mut Search, (position, ranked): &mut Reached| {
            if let Some(value) = search.value_in(position, plies - 1)? {
                set_all(ranked, Worth::Exact(value.before()), None);
            }
            Ok(())
        };
        let mut left = open.iter_mut().filter(|(_, ranked)| !ranked[0].worth.is_exact());
        let proved = match threads {
            Threads::One => left.try_for_each(|reached| prove(search, reached)),
            Threads::All => {
                let left: Vec<&mut Reached> = left.collect();
                left.into_par_iter().try_for_each_init(|| search.clone(), prove)
            }
        };
        if proved == Err(Stopped) {
            return plies - 1;
        }
    }
    most
}

/// Searches on all threads for the winner of a position and of those below it, whose results help with the first.
fn prove_side_by_side(search: &Search, root: &Position, open: &[Reached]) {
    let positions = std::iter::once(root).chain(open.iter().map(|(position, _)| position));
    let is_found = Arc::<AtomicBool>::default();
    rayon::scope_fifo(|scope| {
        for (number, position) in positions.enumerate() {
            for role in [Role::Attacker, Role::Defender] {
                let mut search = search.clone().until_found(&is_found);
                let is_found = Arc::clone(&is_found);
                scope.spawn_fifo(move |_| {
                    let is_proved = search.prove_result(position, role) == Ok(true);
                    if is_proved && number == 0 {
                        is_found.store(true, Ordering::Relaxed);
                    }
                });
            }
        }
    });
}
