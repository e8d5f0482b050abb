//! Every action of a player with its value, best first, and the line that follows.
//!
//! The value of an action is that of the position after it, from the other player's point of view and one ply further
//! away: an action that surrounds the opposing boss is a *win in 1*, one that loses outright a *lose in 1*. Wins come
//! first, the quickest first; then draws; then *none within n plies*; then losses, the slowest first. A win or loss
//! without a known distance counts as longer than any that search has proved; a bound of the distance orders these.
//!
//! The value of the position itself may be known while those after its actions are not, as at the edge of the openings.
//! If no action is then known to have that value, one of those that lack an exact value has it, and they come first.
//!
//! Actions of equal value are sorted by what they demand of the opponent: for draws and losses, the number of *ways* in
//! which the opponent can keep the value comes first, fewest first, if it is known ([`super::traps`]). Then comes the
//! [`Estimate`](crate::search::Estimate), best first, which is suggested and not proved and never changes a value; then
//! the invariant u64 of the position after the action, and the text only where that is the same. Wins with a distance
//! are not estimated.
//!
//! Mirror images are one position: the positions after the actions are searched and estimated once each, as the image
//! that their invariant u64 has. So the ranking is the same however the board lies.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::ranked::Ranked;
use super::{Known, Lookup, LookupError, Source, Worth, traps};
use crate::clock::Instant;
use crate::rules::{Action, Board, Code, Color, Game, Outcome};
use crate::search::{Position, Search, Stopped, Threads};
use crate::value::Value;

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most plies, counted from the position in question; up to [`Search::LONGEST`].
    pub plies: u32,
    /// The time at which to stop.
    pub deadline: Option<Instant>,
    /// How many positions a ranking by proofs alone may look at, on one thread. Unlike a deadline, this gives the same
    /// answer on every machine.
    pub positions: Option<u64>,
}

impl Limits {
    /// At most this many plies, however long that takes.
    pub const fn plies(plies: u32) -> Limits {
        Limits { plies, deadline: None, positions: None }
    }

    /// This part of the time that is left, and of the positions.
    fn part(self, part: u32, of: u32) -> Limits {
        let until = |deadline: Instant| {
            let now = Instant::now();
            now + deadline.saturating_duration_since(now) * part / of
        };
        let share = |positions: u64| positions.saturating_mul(part.into()) / u64::from(of);
        Limits { deadline: self.deadline.map(until), positions: self.positions.map(share), ..self }
    }

    /// Where time is what limits a search, it is on all cores.
    fn threads(self) -> Threads {
        match self {
            Limits { deadline: Some(_), positions: None, .. } => Threads::All,
            _ => Threads::One,
        }
    }
}

/// A position, with the actions that lead to it.
type Reached<'r> = (Position, Vec<&'r mut Ranked>);

/// All actions of a player in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// The actions, best first.
    pub actions: Vec<Ranked>,
    /// What is known of the position by itself, without a search.
    pub known: Option<Known>,
    /// The number of plies searched completely, if anything had to be searched.
    pub searched: Option<u32>,
    /// Whether the search was stopped before all allowed plies were searched.
    pub is_out_of_time: bool,
}

/// Plies after which a line of drawn positions is cut, where it is shown.
pub const MAX_DRAWN: usize = 6;

/// Actions of the two players in turn, each with the board it leads to.
pub type Line = Vec<(Action, Board)>;

/// The texts of a line's actions, starting from a board.
pub fn texts(board: &Board, line: &Line) -> Vec<String> {
    let boards = std::iter::once(board).chain(line.iter().map(|(_, after)| after));
    line.iter().zip(boards).map(|((action, _), before)| action.text(before)).collect()
}

impl Ranking {
    /// The value of the position to its player: its own if known, else that of the best action. If that is a draw and
    /// another action is undecided within n plies, the position is undecided too; if it is a win and another action may
    /// win sooner, the distance is unknown.
    pub fn worth(&self) -> Worth {
        if let Some(value) = self.own_value() {
            return Worth::Exact(value);
        }
        let best = self.actions.first().map_or(Worth::Exact(Value::Lose(0)), |best| best.worth);
        let mut open = self.actions.iter().map(|ranked| ranked.worth).filter(|worth| !worth.is_exact());
        match best {
            Worth::Exact(Value::Draw) => open.find(|worth| matches!(worth, Worth::NoneWithin(_))).unwrap_or(best),
            Worth::Exact(Value::Win(plies)) if self.searched.is_some_and(|searched| searched + 1 < plies) => {
                open.next().map_or(best, |_| Worth::Win)
            }
            best => best,
        }
    }

    /// The plies within which the position is won or lost, if that is all that is known of the distance.
    pub fn within(&self) -> Option<u32> {
        match self.worth() {
            Worth::Win => {
                self.actions.iter().filter(|ranked| ranked.worth.name() == "win").filter_map(Ranked::bound).min()
            }
            Worth::Lose => self.actions.iter().try_fold(0, |most, ranked| Some(most.max(ranked.bound()?))),
            Worth::Exact(_) | Worth::NoneWithin(_) => None,
        }
    }

    /// The exact value of the position, if it is known by itself.
    fn own_value(&self) -> Option<Value> {
        self.known.and_then(Known::exact)
    }

    /// Where the value of the position comes from; `None` if it was searched.
    pub fn source(&self) -> Option<Source> {
        self.known.map(|known| known.source)
    }

    /// Applies what the position's own value, if it is known, implies for its actions.
    fn infer_from_position(&mut self) {
        let (Some(value), Some(source)) = (self.own_value(), self.source()) else { return };
        let infer = |ranked: &mut Ranked, worth| (ranked.worth, ranked.source, ranked.within) = (worth, source, None);
        if let Value::Lose(_) = value {
            let open = self.actions.iter_mut().filter(|ranked| matches!(ranked.worth, Worth::NoneWithin(_)));
            open.for_each(|ranked| infer(ranked, Worth::Lose));
        }
        if self.is_value_open() {
            let mut open = self.actions.iter_mut().filter(|ranked| !ranked.worth.is_exact());
            if let (Some(only), None) = (open.next(), open.next()) {
                infer(only, Worth::Exact(value));
            }
        }
    }

    /// Whether the position's own value is known, but no action is known to have it.
    pub fn is_value_open(&self) -> bool {
        self.own_value().is_some_and(|value| self.actions.iter().all(|ranked| ranked.worth != Worth::Exact(value)))
    }

    /// Sorts the actions of a player, best first.
    pub fn sort(&mut self, mover: Color) {
        let known = self.own_value().map(Worth::Exact);
        // One of the open actions has the value. But a proved win, however long, is better than guessing which.
        let has_win = self.actions.iter().any(|ranked| matches!(ranked.worth, Worth::Exact(Value::Win(_))));
        let guesses = self.is_value_open() && !has_win;
        let is_first = |ranked: &Ranked| known == Some(ranked.worth) || guesses && !ranked.worth.is_exact();
        let ways = |ranked: &Ranked| ranked.ways.map_or(u32::MAX, |ways| ways.kept);
        let score = |ranked: &Ranked| ranked.estimate.map_or(i32::MIN, |estimate| estimate.score);
        let key =
            |ranked: &Ranked| (ranked.urgency(), ways(ranked), Reverse(score(ranked)), image(&ranked.after, mover));
        let mut keyed: Vec<_> = self.actions.drain(..).map(|ranked| (key(&ranked), ranked)).collect();
        keyed.sort_by(|(a_key, a), (b_key, b)| {
            let by_value = is_first(b).cmp(&is_first(a)).then_with(|| b.worth.compare(a.worth));
            by_value.then_with(|| a_key.cmp(b_key)).then_with(|| a.text.cmp(&b.text))
        });
        self.actions.extend(keyed.into_iter().map(|(_, ranked)| ranked));
    }

    /// The best action, if it is known to have the position's value; `None` also if the player has no legal action.
    pub fn best(&self) -> Option<&Ranked> {
        self.actions.first().filter(|_| !self.is_value_open())
    }
}

/// The invariant u64 of the position after an action of this player: the same for all images of it.
fn image(after: &Board, mover: Color) -> Code {
    after.code().invariant(mover.opponent())
}

/// One part in so many of the proofs' time goes to the outlook.
const OUTLOOK: u32 = 6;
/// The tenths of the time that go to proofs.
const FOR_PROOFS: u32 = 6;
const TENTHS: u32 = 10;
/// The positions that a lookahead looks at while a proof expands one.
const QUICKER: u64 = 16;
/// The number of positions that a lookahead may look at, unless [`QUICKER`] times the number that the proofs looked
/// at is more.
const LOOKAHEAD: u64 = 20_000;
/// The depth in plies of a lookahead that only breaks ties.
const TIE_PLIES: u32 = 2;
/// The number of positions that each step of a line may look at in any case.
const LINE: u64 = 1 << 16;

/// Answers questions about the positions of one game. Clones share what they find.
#[derive(Clone)]
pub struct Asker<'a> {
    game: Game,
    lookup: Option<&'a dyn Lookup>,
    search: Search,
}

impl<'a> Asker<'a> {
    /// Looks values up first, if a look-up is given, and searches where it knows none.
    pub fn new(game: Game, lookup: Option<&'a dyn Lookup>) -> Asker<'a> {
        let mut search = Search::new(&game);
        if let Some(openings) = super::openings::Openings::of(&game).filter(|_| lookup.is_some()) {
            search.look_up(openings, openings.most_doves());
        }
        Asker { game, lookup, search }
    }

    /// Cuts every question short while this flag is set, as if its time were up.
    pub fn stop_on(&mut self, flag: Arc<AtomicBool>) {
        self.search.stop_on(flag);
    }

    /// The number of positions that its searches have looked at so far.
    pub fn looked_at(&self) -> u64 {
        self.search.looked_at()
    }

    /// Whether the flag of [`Asker::stop_on`] is set.
    pub fn is_stopped(&self) -> bool {
        self.search.is_stopped.load(Ordering::Relaxed)
    }

    /// An asker of the same game that knows no values, and stops when this one does.
    #[must_use]
    pub fn without_values(&self) -> Asker<'static> {
        let mut asker = Asker::new(self.game, None);
        asker.stop_on(Arc::clone(&self.search.is_stopped));
        asker
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Makes the search end with the time or the positions of these limits.
    fn stop_by(&mut self, limits: Limits) {
        self.search.stop_at(limits.deadline);
        self.search.stop_after(limits.positions);
    }

    /// What is known of a position without a search.
    fn known(&self, board: &Board, mover: Color) -> Result<Option<Known>, LookupError> {
        self.lookup.map_or(Ok(None), |lookup| lookup.value(board, mover))
    }

    /// The value of a position, if it is known, or is a win or loss within this many plies (at most
    /// [`Search::LONGEST`]). Nothing is found while the asker is stopped.
    ///
    /// # Errors
    /// If a dove on the board is not in the game, a boss is surrounded, or values cannot be read.
    pub fn value(&mut self, board: &Board, mover: Color, plies: u32) -> Result<Option<Value>, LookupError> {
        let position = Position::of(board, mover, &self.game)?;
        if let Some(value) = self.known(board, mover)?.and_then(Known::exact) {
            return Ok(Some(value));
        }
        self.stop_by(Limits::plies(plies));
        Ok(self.search.value(&position, plies.min(Search::LONGEST)).unwrap_or(None))
    }

    /// Ranks the actions of a player. Six tenths of the time, or of the positions, go to proofs, the rest to the lookahead
    /// that orders what they leave undecided; without such a limit that takes about as long as they did.
    ///
    /// # Errors
    /// If a dove on the board is not in the game, a boss is surrounded, or values cannot be read.
    pub fn rank(&mut self, board: &Board, mover: Color, limits: Limits) -> Result<Ranking, LookupError> {
        self.game.check(board)?;
        let (mut ranking, looked_at) = self.rank_open(board, mover, limits.part(FOR_PROOFS, TENTHS))?;
        self.suggest(&mut ranking, mover, limits, looked_at)?;
        Ok(ranking)
    }

    /// Ranks the actions of a player by what is proved alone; nothing is suggested. All of the time goes to proofs.
    ///
    /// # Errors
    /// If a dove on the board is not in the game, a boss is surrounded, or values cannot be read.
    pub fn rank_proved(&mut self, board: &Board, mover: Color, limits: Limits) -> Result<Ranking, LookupError> {
        self.game.check(board)?;
        self.rank_open(board, mover, limits).map(|(ranking, _)| ranking)
    }

    /// Ranks the actions of a player on a board of the game on which no boss is surrounded, by what is proved alone.
    /// Also returns how many positions the proofs have looked at.
    fn rank_open(&mut self, board: &Board, mover: Color, limits: Limits) -> Result<(Ranking, u64), LookupError> {
        let before = self.search.looked_at();
        let mut actions = self.without_search(board, mover)?;
        let mut open = self.positions(actions.iter_mut().filter(|ranked| !ranked.worth.is_exact()), mover);
        let (mut searched, mut is_out_of_time) = (None, false);
        if !open.is_empty() {
            let (most, threads) = (limits.plies.min(Search::LONGEST), limits.threads());
            let root = Position::of_image(board.code().invariant(mover), mover, &self.game);
            // First what is near, then who wins at whatever distance.
            self.stop_by(limits.part(OUTLOOK - 1, OUTLOOK));
            let done = self.deepen(&mut open, most, threads);
            is_out_of_time = done < most;
            if is_out_of_time {
                self.stop_by(Limits { deadline: limits.deadline, ..limits.part(1, OUTLOOK) });
                self.look_out(&root, &mut open, threads);
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
        ranking.sort(mover);
        Ok((ranking, self.search.looked_at() - before))
    }

    /// Finds the wins and losses of more and more plies, up to `most`, until the search stops. Returns how many were
    /// searched completely.
    fn deepen(&mut self, open: &mut [Reached], most: u32, threads: Threads) -> u32 {
        for plies in 1..=most {
            let look = |search: &mut Search, (position, ranked): &mut Reached| {
                if let Some(value) = search.value_in(position, plies - 1)? {
                    let found = (Worth::Exact(value.before()), Source::Search, None);
                    ranked.iter_mut().for_each(|ranked| (ranked.worth, ranked.source, ranked.within) = found);
                }
                Ok(())
            };
            let mut left = open.iter_mut().filter(|(_, ranked)| !ranked[0].worth.is_exact());
            let found = match threads {
                Threads::One => left.try_for_each(|reached| look(&mut self.search, reached)),
                Threads::All => {
                    let left: Vec<&mut Reached> = left.collect();
                    left.into_par_iter().try_for_each_init(|| self.search.clone(), look)
                }
            };
            if found == Err(Stopped) {
                return plies - 1;
            }
        }
        most
    }

    /// Finds out who wins a position at whatever distance, and by which of its open actions.
    fn look_out(&mut self, root: &Position, open: &mut [Reached], threads: Threads) {
        match threads {
            Threads::One => drop(self.search.outlook(root)),
            Threads::All => {
                // What is found below the other positions helps with the first.
                let positions = std::iter::once(root).chain(open.iter().map(|(position, _)| position));
                let is_found = Arc::<AtomicBool>::default();
                rayon::scope_fifo(|scope| {
                    for (number, position) in positions.enumerate() {
                        for wins in [true, false] {
                            let (mut search, is_found) = (self.search.clone(), Arc::clone(&is_found));
                            scope.spawn_fifo(move |_| {
                                search.is_found = Arc::clone(&is_found);
                                let is_proved = search.wins_or_loses(position, wins, None) == Ok(true);
                                is_found.fetch_or(is_proved && number == 0, Ordering::Relaxed);
                            });
                        }
                    }
                });
            }
        }
        for (position, ranked) in open {
            for (wins, worth) in [(false, Worth::Win), (true, Worth::Lose)] {
                if let Some(plies) = self.search.bound(position, wins).filter(|_| !ranked[0].worth.is_exact()) {
                    for ranked in ranked.iter_mut() {
                        (ranked.worth, ranked.source, ranked.within) = (worth, Source::Search, Some(plies + 1));
                    }
                }
            }
        }
    }

    /// The legal actions on a board of the game, with what is known without a search.
    fn without_search(&self, board: &Board, mover: Color) -> Result<Vec<Ranked>, LookupError> {
        let by_rules = |value| Ok::<_, LookupError>((Worth::Exact(value), Source::Rules));
        let known = |after: &Board| match self.game.rules.outcome_of(after, mover) {
            Outcome::Won => by_rules(Value::Win(1)),
            Outcome::Lost => by_rules(Value::Lose(1)),
            Outcome::Drawn => by_rules(Value::Draw),
            Outcome::Open => Ok(match self.known(after, mover.opponent())? {
                Some(Known { worth, source }) => (worth.before(), source),
                None => (Worth::NoneWithin(0), Source::Search),
            }),
        };
        let ranked = |(action, after): (Action, Board)| {
            let (text, (worth, source)) = (action.text(board), known(&after)?);
            Ok(Ranked { action, text, after, worth, source, within: None, ways: None, estimate: None })
        };
        self.game.legal_actions(board, mover).map(ranked).collect()
    }

    /// The different positions after these actions of a player, with the actions that lead to each. The game goes on
    /// there.
    fn positions<'r>(&self, actions: impl Iterator<Item = &'r mut Ranked>, mover: Color) -> Vec<Reached<'r>> {
        let mut by_image: BTreeMap<Code, Vec<&mut Ranked>> = BTreeMap::new();
        for ranked in actions {
            by_image.entry(image(&ranked.after, mover)).or_default().push(ranked);
        }
        by_image
            .into_iter()
            .map(|(image, ranked)| (Position::of_image(image, mover.opponent(), &self.game), ranked))
            .collect()
    }

    /// The first action, in the order of their positions' invariant u64s, that keeps this value of the position; `None`
    /// if the search stops before it is found.
    fn keeping(
        &mut self,
        board: &Board,
        mover: Color,
        value: Value,
        deadline: Option<Instant>,
    ) -> Result<Option<Ranked>, LookupError> {
        let mut actions = self.without_search(board, mover)?;
        actions.sort_by_cached_key(|ranked| (image(&ranked.after, mover), ranked.text.clone()));
        if let Some(place) = actions.iter().position(|ranked| ranked.worth == Worth::Exact(value)) {
            return Ok(Some(actions.swap_remove(place)));
        }
        let Some(plies) = value.plies().and_then(|plies| plies.checked_sub(1)) else { return Ok(None) };
        let plies = plies.min(Search::LONGEST);
        self.search.stop_at(deadline);
        self.search.stop_after(deadline.is_none().then(|| self.search.looked_at().max(LINE)));
        let found = actions.into_iter().filter(|ranked| !ranked.worth.is_exact()).find(|ranked| {
            let position = Position::of_image(image(&ranked.after, mover), mover.opponent(), &self.game);
            matches!(self.search.value(&position, plies), Ok(Some(after)) if after.before() == value)
        });
        Ok(found.map(|ranked| Ranked { worth: Worth::Exact(value), source: Source::Search, ..ranked }))
    }

    /// Sorts actions of equal value by ways, then by estimates: from a lookahead for those that may be the choice, one
    /// ply deep for the others that are undecided.
    fn suggest(
        &mut self,
        ranking: &mut Ranking,
        mover: Color,
        limits: Limits,
        looked_at: u64,
    ) -> Result<(), LookupError> {
        let is_decided = |best: &Worth| matches!(best, Worth::Exact(Value::Win(_)));
        let Some(best) = ranking.actions.first().map(|first| first.worth).filter(|best| !is_decided(best)) else {
            return Ok(());
        };
        // A win without a distance may lead in circles.
        let is_open = matches!(best, Worth::NoneWithin(_) | Worth::Win);
        self.search.stop_at(limits.deadline);
        if let Some(lookup) = self.lookup.filter(|_| !is_open) {
            let of_best = ranking.actions.iter_mut().filter(|ranked| ranked.worth == best);
            traps::count(&self.game, lookup, of_best, mover, &self.search)?;
        }
        let game = self.game;
        let plies = if is_open { limits.plies.min(Search::LONGEST) } else { TIE_PLIES };
        let positions = match limits.positions.map(|positions| positions.saturating_mul(QUICKER)) {
            Some(positions) => positions.saturating_mul((TENTHS - FOR_PROOFS).into()) / u64::from(TENTHS),
            None if limits.deadline.is_some() => u64::MAX / 2,
            None if is_open => (QUICKER * looked_at).max(LOOKAHEAD),
            None => LOOKAHEAD,
        };
        // Among several threads, their pace would break ties.
        let threads = if is_open { limits.threads() } else { Threads::One };
        for (is_best, plies) in [(true, plies), (false, 1)] {
            let is_member = |ranked: &Ranked| match ranked.worth {
                worth if worth == best => is_best,
                worth => !is_best && matches!(worth, Worth::NoneWithin(_)),
            };
            let leaves_game_open = |ranked: &&mut Ranked| game.rules.outcome_of(&ranked.after, mover) == Outcome::Open;
            let members = ranking.actions.iter_mut().filter(|ranked| is_member(ranked)).filter(leaves_game_open);
            let (after, members): (Vec<Position>, Vec<Vec<&mut Ranked>>) =
                self.positions(members, mover).into_iter().unzip();
            let estimates = self.search.compare(&after, plies, positions, threads);
            for (ranked, estimate) in members.into_iter().zip(estimates) {
                ranked.into_iter().for_each(|ranked| ranked.estimate = Some(estimate));
            }
        }
        ranking.sort(mover);
        Ok(())
    }

    /// A player's action, if there is one, and the line that follows if both players choose their first-ranked action.
    /// A win or a loss is played to the end of the game; a draw for at most `most_drawn` plies. The line stops where
    /// the value or its distance is unknown, the next action would take more search than everything before it, or the
    /// deadline passes.
    ///
    /// # Errors
    /// If values cannot be read.
    pub fn line(
        &mut self,
        first: Option<&Ranked>,
        mover: Color,
        most_drawn: usize,
        deadline: Option<Instant>,
    ) -> Result<Line, LookupError> {
        let mut line = Line::new();
        let mut best = first.cloned();
        let mut player = mover;
        while let Some(Ranked { action, after, worth, .. }) = best {
            // The value that the position after the action has.
            let value = match worth {
                Worth::NoneWithin(_) | Worth::Win | Worth::Lose => break,
                Worth::Exact(Value::Draw) if line.len() >= most_drawn => break,
                Worth::Exact(Value::Draw) => Value::Draw,
                Worth::Exact(Value::Win(plies)) => Value::Lose(plies - 1),
                Worth::Exact(Value::Lose(plies)) => Value::Win(plies - 1),
            };
            let is_over = self.game.rules.outcome_of(&after, player) != Outcome::Open;
            line.push((action, after.clone()));
            if is_over {
                break;
            }
            player = player.opponent();
            best = self.keeping(&after, player, value, deadline)?;
        }
        Ok(line)
    }
}
