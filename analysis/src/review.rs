//! The review of a game: what each action was worth, what it gave away, and what was better.
//!
//! Values carry over between positions. Backwards: a loss for the opponent is a win, and a position is worth its best
//! action once all are known. Forwards: the value of an action is that of the position after it. Where values do not
//! decide, estimates do, and the verdict is only probable.

use serde::Serialize;

use super::record::{Ending, Record};
use super::{Analysis, Effort, LookupError, Ranked, Ranking, Worth};
use dovemate::rules::Color;
use dovemate_solver::{Value, Wdl};

/// The loss of points from which an action is a grave mistake.
const GRAVE_POINTS: f64 = 0.3;
/// The loss of points from which an action is a mistake.
const MISTAKE_POINTS: f64 = 0.1;
/// The loss of points from which an action is a mistake by estimates alone. From one depth to the next, estimates vary
/// by less.
const DOUBTFUL_POINTS: f64 = 0.15;
/// The distance in plies assumed for a win or loss at an unknown distance, for [`ReviewedPosition::points`].
const UNKNOWN_PLIES: u32 = 30;

/// A value, with the upper bound of its distance if the distance is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bounded {
    /// The value.
    #[serde(flatten)]
    pub worth: Worth,
    /// The upper bound of the distance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<u32>,
}

/// A searched position of a game: its value to the player to move, and its actions, best first.
#[derive(Clone, Debug)]
pub struct SearchedPosition {
    /// The value.
    pub worth: Bounded,
    /// The actions.
    pub actions: Vec<SearchedAction>,
    /// Whether it was searched far enough for its estimates to count.
    pub is_done: bool,
}

/// An action of a [`SearchedPosition`].
#[derive(Clone, Debug)]
pub struct SearchedAction {
    /// Its text.
    pub text: String,
    /// Its value to the player who takes it.
    pub worth: Bounded,
    /// The points expected in thousandths, if they are estimated.
    pub points: Option<u32>,
}

/// A position of a game, and the verdict on the action that led to it.
#[derive(Clone, Debug)]
pub struct ReviewedPosition {
    /// The value to the player to move, if it is known.
    pub worth: Option<Bounded>,
    /// The points expected by the player to move, from 0 to 1: exactly 0.5 for a draw, and nearer to 1 or 0 the quicker
    /// a win or loss is. They are estimated if the value is not known.
    pub points: Option<f64>,
    /// The first action, if it is proved to win; where the position's distance is known, only if the action has it.
    pub reply: Option<String>,
    /// The verdict on the action that led to the position, if there is one.
    pub verdict: Option<ActionVerdict>,
}

/// The verdict on an action.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionVerdict {
    /// The kind.
    pub kind: VerdictKind,
    /// The sign: `✓`, `?!`, `?`, `??`, or nothing for [`VerdictKind::Likely`].
    pub sign: &'static str,
    /// A better action, if one is known; for [`VerdictKind::Doubtful`], the one that looks best.
    pub better: Option<String>,
    /// The value of the better action or, if none is known, of the position before.
    pub worth: Option<Bounded>,
    /// The number of actions that may be the better one, if it is unknown which.
    pub candidates: usize,
    /// The points expected by the player before and after the action, for [`VerdictKind::Doubtful`].
    pub points: [f64; 2],
}

/// The kinds of verdicts on an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictKind {
    /// As good as any.
    Kept,
    /// Probably as good as any.
    Likely,
    /// It has the best result, or may have it, but another action wins sooner or loses later.
    Better,
    /// It loses, and another action was safe for longer.
    Allowed,
    /// It loses, and another action draws.
    LostDraw,
    /// It does not win, and another action does.
    LostWin,
    /// Probably worse than another action.
    Doubtful,
}

impl VerdictKind {
    /// Whether the action gave something away.
    pub const fn is_mistake(self) -> bool {
        !matches!(self, VerdictKind::Kept | VerdictKind::Likely)
    }
}

impl Bounded {
    /// A value without an upper bound of its distance.
    const fn plain(worth: Worth) -> Bounded {
        Bounded { worth, within: None }
    }

    /// A win within this many plies; exact if they are 0 or 1, because only a game that is over is won in 0.
    const fn won_within(plies: u32) -> Bounded {
        match plies {
            0 | 1 => Bounded::plain(Worth::Exact(Value::Win(plies))),
            _ => Bounded { worth: Worth::Win, within: Some(plies) },
        }
    }

    fn wdl(self) -> Option<Wdl> {
        self.worth.wdl()
    }

    /// The distance, its upper bound, or the plies within which nothing is decided, whichever is known.
    fn bound(self) -> Option<u32> {
        self.worth.plies().or(self.within)
    }

    /// The value of an action, from that of the position after it.
    #[must_use]
    pub fn before(self) -> Bounded {
        Bounded { worth: self.worth.before(), within: self.within.map(|plies| plies.saturating_add(1)) }
    }

    /// The value of the position after an action, from that of the action.
    fn after(self) -> Bounded {
        let less = |plies: u32| plies.saturating_sub(1);
        let worth = match self.worth {
            Worth::Exact(value) => Worth::Exact(value.after()),
            Worth::NoneWithin(plies) => Worth::NoneWithin(less(plies)),
            unknown => unknown.before(),
        };
        Bounded { worth, within: self.within.map(less) }
    }

    /// Whether one known value is better than another to the same player.
    fn is_better_than(self, other: Bounded) -> bool {
        let is_comparable = self.wdl() != other.wdl() || self.worth.is_exact() && other.worth.is_exact();
        self.wdl().is_some() && is_comparable && self.worth > other.worth
    }

    /// The later of two losses; exact if the other one is known not to be later.
    fn later_loss(self, other: Bounded) -> Bounded {
        let most = self.bound().zip(other.bound()).map(|(one, other)| one.max(other));
        let exact = [self, other].into_iter().find(|loss| loss.worth.is_exact() && loss.bound() == most);
        exact.unwrap_or(Bounded { worth: Worth::Lose, within: most })
    }

    /// Whether this win or loss is known to be shorter than any win or loss that an undecided action may turn out to
    /// be.
    fn is_shorter_than(self, undecided: Bounded) -> bool {
        let bound = self.bound();
        matches!(undecided.worth, Worth::NoneWithin(plies) if bound.is_some_and(|bound| plies >= bound))
    }
}

impl From<&Ranked> for Bounded {
    fn from(ranked: &Ranked) -> Bounded {
        Bounded { worth: ranked.worth, within: ranked.within }
    }
}

impl From<&Ranking> for Bounded {
    fn from(ranking: &Ranking) -> Bounded {
        Bounded { worth: ranking.worth(), within: ranking.within() }
    }
}

impl From<&Ranking> for SearchedPosition {
    fn from(ranking: &Ranking) -> SearchedPosition {
        let action = |ranked: &Ranked| SearchedAction {
            text: ranked.text.clone(),
            worth: ranked.into(),
            points: ranked.points(),
        };
        SearchedPosition {
            worth: ranking.into(),
            actions: ranking.actions.iter().map(action).collect(),
            is_done: true,
        }
    }
}

impl SearchedPosition {
    fn action(&self, text: &str) -> Option<&SearchedAction> {
        self.actions.iter().find(|action| action.text == text)
    }

    /// The points expected according to the value of the first action or, if it is undecided, to the estimates.
    fn estimated_points(&self) -> Option<f64> {
        // Of undecided actions, some have only bounds.
        let first = self.actions.first()?;
        let undecided = || self.actions.iter().find_map(|action| action.points);
        match first.worth.wdl() {
            Some(_) => Some(points(first.worth)),
            None => first.points.or_else(undecided).map(|points| f64::from(points) / 1000.0),
        }
    }

    /// The number of actions without an exact value that may turn out to have this one.
    fn candidates(&self, wdl: Option<Wdl>) -> usize {
        self.actions.iter().filter(|action| action.worth.worth.may_be(wdl)).count()
    }
}

impl Analysis<'_> {
    /// Searches every position of a game except a finished one, each with an effort of its own.
    ///
    /// # Errors
    /// If values cannot be read, or the record is of another game.
    pub fn search_game(
        &mut self,
        record: &Record,
        effort: impl Fn() -> Effort,
    ) -> Result<Vec<Option<SearchedPosition>>, LookupError> {
        let (found, wanted) = (*self.game(), record.game());
        if found != wanted {
            return Err(LookupError::OtherGame { found, wanted });
        }
        let mut searched = Vec::new();
        for (board, mover) in record.positions() {
            let is_over = Ending::by_rules(self.game(), board, *mover) != Ending::Unfinished;
            let ranking = (!is_over).then(|| self.rank(board, *mover, &effort())).transpose()?;
            searched.push(ranking.as_ref().map(SearchedPosition::from));
        }
        Ok(searched)
    }
}

/// Reviews a game. `searched` has the searches of its positions, `None` for a position without one.
///
/// # Panics
/// If `searched` has fewer entries than the game has positions.
pub fn review(record: &Record, searched: &[Option<SearchedPosition>]) -> Vec<ReviewedPosition> {
    let texts = record.texts();
    let worths = worths(record, &texts, searched);
    let points: Vec<Option<f64>> = worths
        .iter()
        .zip(searched)
        .map(|(worth, searched)| worth.map(points).or_else(|| searched.as_ref()?.estimated_points()))
        .collect();
    let position = |ply: usize| {
        let moved = ply.checked_sub(1).map(|before| Moved {
            text: &texts[before],
            worths: [worths[before], worths[ply].map(Bounded::before)],
            searched: [searched[before].as_ref(), searched[ply].as_ref()],
            points: [points[before], points[ply].map(|points| 1.0 - points)],
        });
        let first = searched[ply].as_ref().and_then(|searched| searched.actions.first());
        let is_best = |action: &&SearchedAction| {
            action.worth.wdl() == Some(Wdl::Win)
                && worths[ply]
                    .is_none_or(|worth| !worth.worth.is_exact() || worth.worth == action.worth.worth)
        };
        ReviewedPosition {
            worth: worths[ply],
            points: points[ply],
            reply: first.filter(is_best).map(|action| action.text.clone()),
            verdict: moved.and_then(|moved| moved.verdict()),
        }
    };
    (0..worths.len()).map(position).collect()
}

/// The values of the positions of a game to the players to move, where they are known.
fn worths(record: &Record, texts: &[String], searched: &[Option<SearchedPosition>]) -> Vec<Option<Bounded>> {
    let positions = record.positions();
    let mut worths = vec![None; positions.len()];
    for ply in (0..positions.len()).rev() {
        let known = searched[ply].as_ref().map(|searched| searched.worth);
        let listed = ply.checked_sub(1).and_then(|before| searched[before].as_ref()?.action(&texts[before]));
        let own = known.or_else(|| value_at_end(record, ply));
        worths[ply] = sharper(own, listed.map(|action| action.worth.after()));
        let next: Option<Bounded> = worths.get(ply + 1).copied().flatten();
        if let Some(next) = next {
            let carried = carried_back(next.before(), &texts[ply], searched[ply].as_ref());
            worths[ply] = sharper(worths[ply], carried);
        }
    }
    for ply in 1..worths.len() {
        let before: Option<Bounded> = worths[ply - 1];
        if let Some(bound) = before.filter(|worth| worth.wdl() == Some(Wdl::Lose)).and_then(Bounded::bound) {
            worths[ply] = sharper(worths[ply], Some(Bounded::won_within(bound.saturating_sub(1))));
        }
    }
    worths
}

/// The value of a position at which the game is over.
fn value_at_end(record: &Record, ply: usize) -> Option<Bounded> {
    let (board, mover): &(_, Color) = &record.positions()[ply];
    let value = match Ending::by_rules(&record.game(), board, *mover) {
        Ending::Won(winner) if winner == *mover => Value::Win(0),
        Ending::Won(_) => Value::Lose(0),
        Ending::BothSurrounded => Value::Draw,
        _ => return None,
    };
    Some(Bounded::plain(Worth::Exact(value)))
}

/// The more precise of two values of one position; `None` if both are undecided.
fn sharper(a: Option<Bounded>, b: Option<Bounded>) -> Option<Bounded> {
    let [a, b] = [a, b].map(|worth| worth.filter(|worth| worth.wdl().is_some()));
    let (Some(first), Some(second)) = (a, b) else { return a.or(b) };
    let far = |worth: Bounded| worth.bound().unwrap_or(u32::MAX);
    let is_sharper = !first.worth.is_exact() && (second.worth.plies().is_some() || far(second) < far(first));
    if is_sharper { b } else { a }
}

/// The value that the played action proves for the position before it.
fn carried_back(played: Bounded, text: &str, searched: Option<&SearchedPosition>) -> Option<Bounded> {
    let actions = searched.map_or(&[][..], |searched| &searched.actions);
    let worth = |action: &SearchedAction| if action.text == text { played } else { action.worth };
    let all: Vec<Bounded> = actions.iter().map(worth).collect();
    if played.wdl() != Some(Wdl::Win) && !all.iter().all(|worth| worth.wdl().is_some()) {
        return None;
    }
    let mut wins = all.iter().chain([&played]).filter(|worth| worth.wdl() == Some(Wdl::Win)).peekable();
    if wins.peek().is_none() {
        let better = |best: Bounded, worth: Bounded| match (best.wdl(), worth.wdl()) {
            (Some(Wdl::Lose), Some(Wdl::Lose)) => best.later_loss(worth),
            _ if worth.is_better_than(best) => worth,
            _ => best,
        };
        return all.iter().copied().reduce(better);
    }
    let least = wins.filter_map(|worth| worth.bound()).min();
    // The distance is known if no other action can be a quicker win.
    let is_no_quicker = |worth: &Bounded| match worth.wdl() {
        Some(Wdl::Win) => worth.worth.plies() >= least,
        Some(_) => true,
        None => worth.bound().map(|plies| plies.saturating_add(1)) >= least,
    };
    match least {
        Some(plies) if !all.is_empty() && all.iter().all(is_no_quicker) => {
            Some(Bounded::plain(Worth::Exact(Value::Win(plies))))
        }
        least => Some(least.map_or(Bounded::plain(Worth::Win), Bounded::won_within)),
    }
}

/// The points that a known value is worth.
fn points(worth: Bounded) -> f64 {
    /// The least points between a win and a loss, however far away both are: more than [`GRAVE_POINTS`]. Half of them,
    /// from a win to a draw, are more than [`DOUBTFUL_POINTS`].
    const LEAST: f64 = 0.35;
    /// The distance at which the points above [`LEAST`] have halved.
    const PLIES: f64 = 8.0;
    let plies = f64::from(worth.bound().unwrap_or(UNKNOWN_PLIES));
    let size = LEAST + (1.0 - LEAST) / (1.0 + plies / PLIES);
    match worth.wdl() {
        Some(Wdl::Win) => 0.5 + size / 2.0,
        Some(Wdl::Lose) => 0.5 - size / 2.0,
        Some(Wdl::Draw) | None => 0.5,
    }
}

/// An action that was played. Values and points before and after it are its player's.
struct Moved<'s> {
    text: &'s str,
    worths: [Option<Bounded>; 2],
    searched: [Option<&'s SearchedPosition>; 2],
    points: [Option<f64>; 2],
}

impl Moved<'_> {
    fn actions(&self) -> &[SearchedAction] {
        self.searched[0].map_or(&[], |searched| &searched.actions)
    }

    /// The points that the action lost.
    fn points_lost(&self) -> f64 {
        let [before, after] = self.points;
        before.zip(after).map_or(0.0, |(before, after)| before - after)
    }

    fn verdict(&self) -> Option<ActionVerdict> {
        match self.worths {
            [Some(before), Some(after)] => return self.by_values(before, after),
            [None, Some(after)] if after.wdl() == Some(Wdl::Lose) => {
                let safe = self.actions().iter().find(|action| after.is_shorter_than(action.worth));
                if let Some(safe) = safe {
                    return Some(self.mistake(VerdictKind::Allowed, Some(safe), None));
                }
            }
            [Some(before), None] if before.wdl() == Some(Wdl::Win) => {
                let played = self.actions().iter().find(|action| action.text == self.text);
                if played.is_some_and(|action| before.is_shorter_than(action.worth)) {
                    return Some(self.worse(VerdictKind::Better, before));
                }
            }
            _ => {}
        }
        self.by_estimates()
    }

    fn by_values(&self, before: Bounded, after: Bounded) -> Option<ActionVerdict> {
        if before.is_better_than(after) {
            let kind = match before.wdl() {
                same if same == after.wdl() => VerdictKind::Better,
                Some(Wdl::Win) => VerdictKind::LostWin,
                _ => VerdictKind::LostDraw,
            };
            return Some(self.worse(kind, before));
        }
        // The best distance may be unknown although a better action is known.
        if let Some(better) = self.actions().iter().find(|action| action.worth.is_better_than(after)) {
            return Some(self.mistake(VerdictKind::Better, Some(better), None));
        }
        let is_sure = before.worth == Worth::Exact(Value::Draw)
            || before.worth.is_exact() && before.worth == after.worth;
        is_sure.then(|| self.as_good(VerdictKind::Kept, "✓"))
    }

    fn by_estimates(&self) -> Option<ActionVerdict> {
        let is_done = self.searched.iter().all(|searched| searched.is_some_and(|searched| searched.is_done));
        let is_won = self.worths[1].is_some_and(|worth| worth.wdl() == Some(Wdl::Win));
        let [Some(before), Some(after)] = self.points else { return None };
        if !is_done || is_won {
            return None;
        }
        let first = self.actions().first().filter(|first| first.text != self.text);
        match first.filter(|_| self.points_lost() >= DOUBTFUL_POINTS) {
            Some(first) => {
                let verdict = self.mistake(VerdictKind::Doubtful, Some(first), None);
                Some(ActionVerdict { points: [before, after], ..verdict })
            }
            None => Some(self.as_good(VerdictKind::Likely, "")),
        }
    }

    /// A mistake where the position before had a better value.
    fn worse(&self, kind: VerdictKind, before: Bounded) -> ActionVerdict {
        let has_it = |action: &&SearchedAction| match before.worth.is_exact() {
            true => action.worth.worth == before.worth,
            false => action.worth.wdl() == before.wdl() && action.text != self.text,
        };
        self.mistake(kind, self.actions().iter().find(has_it), Some(before))
    }

    fn mistake(
        &self,
        kind: VerdictKind,
        better: Option<&SearchedAction>,
        before: Option<Bounded>,
    ) -> ActionVerdict {
        let is_punished_at_once = kind != VerdictKind::Better
            && self.worths[1].is_some_and(|worth| {
                worth.wdl() == Some(Wdl::Lose) && worth.bound().is_some_and(|plies| plies <= 2)
            });
        let sign = match self.points_lost() {
            GRAVE_POINTS.. => "??",
            MISTAKE_POINTS.. => "?",
            _ if is_punished_at_once => "?",
            _ => "?!",
        };
        ActionVerdict {
            kind,
            sign,
            better: better.map(|action| action.text.clone()),
            worth: better.map(|action| action.worth).or(before),
            candidates: self.searched[0]
                .map_or(0, |searched| searched.candidates(before.and_then(Bounded::wdl))),
            points: [0.0; 2],
        }
    }

    fn as_good(&self, kind: VerdictKind, sign: &'static str) -> ActionVerdict {
        ActionVerdict { kind, sign, better: None, worth: None, candidates: 0, points: [0.0; 2] }
    }
}
