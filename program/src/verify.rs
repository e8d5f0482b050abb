//! The claims of the articles on Tokyo Doves, and of this program, each with a machine check.
//!
//! A check computes its result and compares it with the expected one. Claims about shapes and cells are checked on all
//! of them; nothing is sampled.

use std::ops::RangeInclusive;

use rayon::prelude::*;

use dovemate::count::{ALL_DOVES, Counter, Question, published, reference};
use dovemate::report::{NoGpu, Selection};
use dovemate::rules::Kind;
use dovemate::shapes::positions::{self, Convention, Surrounded};
use dovemate::shapes::{BossPlacement, EnclosureRaises};
use dovemate::{
    Action, Backend, Board, Category, Color, Count, Method, Observer, Rules, RunError, Shape, Tally, Verdict,
};

const MATES_ARTICLE: &str = "article on mates, 2022";
const POSITIONS_ARTICLE: &str = "article on positions, 2022";
/// The source of claims that are this program's own.
const THIS_PROGRAM: &str = "this program";

/// A claim and its check, which uses as many threads as the current pool has.
pub struct Claim {
    pub claim: &'static str,
    /// The source of the claim.
    pub stated: &'static str,
    /// How the claim is checked, and how completely.
    pub how: &'static str,
    check: fn(&Setting) -> Result<Finding, RunError>,
}

const fn claim(
    claim: &'static str,
    stated: &'static str,
    how: &'static str,
    check: fn(&Setting) -> Result<Finding, RunError>,
) -> Claim {
    Claim { claim, stated, how, check }
}

impl Claim {
    /// Checks the claim. A wrong count is a finding, and so is a count that fails.
    pub fn check(&self, setting: &Setting) -> Finding {
        (self.check)(setting).unwrap_or_else(|error| Finding::without_result(error, ClaimVerdict::Unchecked))
    }
}

/// The resources and settings of the checks.
pub struct Setting<'a> {
    /// The adapter for the checks on a GPU; `None` for a certified hardware GPU, if there is one.
    pub adapter: Option<Selection>,
    /// The observer of the counts.
    pub observer: &'a dyn Observer,
}

impl Setting<'_> {
    /// The count that a question asks for, on as many threads as the checks have.
    fn job(&self, question: Question, doves: RangeInclusive<u32>, backend: Backend) -> Count<'_> {
        let Question { category, rules, method } = question;
        let threads = rayon::current_num_threads();
        let count = Count::new(category).rules(rules).method(method).doves(doves).threads(threads);
        count.on(backend, self.adapter.clone().filter(|_| backend == Backend::Gpu)).observer(self.observer)
    }

    fn count(&self, question: Question, doves: RangeInclusive<u32>) -> Result<Tally, RunError> {
        Ok(self.job(question, doves, Backend::Cpu).report()?.tally)
    }
}

/// The result of a check.
pub struct Finding {
    pub expected: String,
    pub found: String,
    pub verdict: ClaimVerdict,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimVerdict {
    Holds,
    Fails,
    /// An error ended the check. The command fails, but nothing is contradicted.
    Unchecked,
    /// The check cannot be made on this machine.
    Skipped,
}

impl ClaimVerdict {
    pub const fn name(self) -> &'static str {
        match self {
            ClaimVerdict::Holds => "holds",
            ClaimVerdict::Fails => "FAILS",
            ClaimVerdict::Unchecked => "unchecked",
            ClaimVerdict::Skipped => "skipped",
        }
    }
}

impl Finding {
    fn new(expected: impl ToString, found: impl ToString, holds: bool) -> Finding {
        let verdict = if holds { ClaimVerdict::Holds } else { ClaimVerdict::Fails };
        Finding { expected: expected.to_string(), found: found.to_string(), verdict }
    }

    fn equal(expected: u64, found: u64) -> Finding {
        Finding::new(expected, found, expected == found)
    }

    fn skipped(why: impl ToString) -> Finding {
        Finding::without_result(why, ClaimVerdict::Skipped)
    }

    fn without_result(why: impl ToString, verdict: ClaimVerdict) -> Finding {
        Finding { expected: String::new(), found: why.to_string(), verdict }
    }
}

/// The claims whose checks are quick, each after those it builds on.
pub const CLAIMS: &[Claim] = &[
    claim("positions, naive estimate", POSITIONS_ARTICLE, "closed form", |_| {
        Ok(Finding::equal(NAIVE_ESTIMATE, naive_estimate()))
    }),
    claim(
        "positions, as the article counts them",
        POSITIONS_ARTICLE,
        "closed form over all 5,171 shapes, with the article's convention",
        |_| Ok(article_positions(0, &Surrounded::ALL)),
    ),
    claim(
        "of these, with neither boss surrounded or both (the article says: or only the mover's)",
        POSITIONS_ARTICLE,
        "closed form over all 5,171 shapes, with the article's convention",
        |_| Ok(article_positions(1, &[Surrounded::Neither, Surrounded::Both])),
    ),
    claim("positions, exactly", "the author's later program", "closed form over all 5,171 shapes", |_| {
        let rows = positions::positions(&ALL_DOVES, Convention::Exact);
        let found = rows.iter().map(positions::PositionRow::total).sum();
        Ok(Finding::equal(published::positions(Convention::Exact)[0], found))
    }),
    claim(
        "fact 1: one action raises the opposing boss's enclosure degree by at most 2, and by 2 only through two walls \
                at once, from the opposite corner",
        MATES_ARTICLE,
        "every shape, boss cell and change of one dove, whatever its kind",
        |_| Ok(enclosure_raises()),
    ),
    claim(
        "enclosure lemma: no mate where the mover's boss can go to enclosure degree 2 or less",
        MATES_ARTICLE,
        "every assignment of all boss placements that the prune removes, six rule variants, factored",
        |_| Ok(enclosure_lemma()),
    ),
    claim(
        "there is always an action that does not lose at once, and so always an action; with returns and without",
        "article on self-losing actions, 2022",
        "every assignment of all boss placements, six rule variants, factored",
        |_| Ok(never_stuck()),
    ),
    claim(
        "the second player cannot have a forced win: after a diagonal boss move the start recurs with roles exchanged",
        "article on the rules, 2022",
        "the position's canonical code, for every diagonal move",
        |_| Ok(start_recurs()),
    ),
    claim(
        "mates",
        "article on mates, corrected 2022-11-12 (before: 4,779,499,398, which missed some)",
        "every assignment, factored, CPU",
        |setting| published_mates(setting, Method::Factored),
    ),
    claim(
        "mates, wins in one and stuck positions by two methods, 2 to 6 doves",
        THIS_PROGRAM,
        "factored against exhaustive, six rule variants, CPU",
        |setting| methods_agree(setting, &Category::ALL, Rules::variants(), 2..=6),
    ),
];

/// The claims that only `--full` checks: the slow ones, and those that need a GPU.
pub const LONG_CLAIMS: &[Claim] = &[
    claim(
        "wins in one by two methods, 2 to 8 doves",
        THIS_PROGRAM,
        "factored against exhaustive, CPU",
        |setting| methods_agree(setting, &[Category::Wins], Rules::variants().take(1), 2..=8),
    ),
    claim(
        "mates and wins in one by legal actions, 2 to 5 doves, and mates with 6",
        THIS_PROGRAM,
        "every assignment by the rules alone, per boss placement, against factored, CPU",
        |_| Ok(reference_agrees()),
    ),
    claim(
        "mates, assignment by assignment",
        "article on mates, corrected 2022-11-12",
        "every assignment, exhaustive, CPU",
        |setting| published_mates(setting, Method::Exhaustive),
    ),
    claim(
        "mates on the GPU",
        "article on mates, corrected 2022-11-12",
        "every assignment, exhaustive, GPU",
        |setting| gpu_agrees(setting, Category::Mates),
    ),
    claim(
        "wins in one on the GPU and the CPU",
        THIS_PROGRAM,
        "every assignment, exhaustive, GPU against CPU by boss placement",
        |setting| gpu_agrees(setting, Category::Wins),
    ),
];

/// The article's figure for [`naive_estimate`].
const NAIVE_ESTIMATE: u64 = 4_545_963_055_440;

/// The article's first estimate: the bosses anywhere in 4×4, then k of the ten other doves anywhere on the 14
/// cells left, Σ P(16,2) · C(10,k) · P(14,k) for k = 0 … 10. (Its formula has C(14,k) as the last factor, but its
/// program has P(14,k).)
pub fn naive_estimate() -> u64 {
    let falling = |n: u64, k: u64| (0..k).map(|taken| n - taken).product::<u64>();
    (0..=10).map(|k| falling(16, 2) * (falling(10, k) / falling(k, k)) * falling(14, k)).sum()
}

/// Compares one of the article's figures with the number of positions in these cases.
fn article_positions(figure: usize, cases: &[Surrounded]) -> Finding {
    let rows = positions::positions(&ALL_DOVES, Convention::Article);
    let found = rows.iter().flat_map(|row| cases.iter().map(|&case| row.count(case))).sum();
    Finding::equal(published::positions(Convention::Article)[figure], found)
}

fn enclosure_raises() -> Finding {
    let EnclosureRaises { most, by_two, otherwise } = EnclosureRaises::all();
    let found = format!("at most {most}; by 2 in {by_two} cases, {otherwise} of them otherwise");
    Finding::new("at most 2; 0 otherwise", found, most == 2 && otherwise == 0)
}

fn enclosure_lemma() -> Finding {
    let pruned: Vec<BossPlacement> =
        Shape::all().iter().flat_map(BossPlacement::all).filter(BossPlacement::is_pruned).collect();
    Finding::equal(0, Rules::variants().map(|rules| sum(&pruned, Category::Mates, rules)).sum())
}

fn never_stuck() -> Finding {
    let placements: Vec<BossPlacement> = Shape::all().iter().flat_map(BossPlacement::all).collect();
    for rules in Rules::variants() {
        let found = sum(&placements, Category::Stuck, rules);
        if found > 0 {
            let witness = witness(&placements, rules)
                .map_or_else(|| "none found".to_owned(), |board| board.to_string());
            let found = format!("{found} under {rules:?}, e.g. {witness}, red to move");
            return Finding::new("0 assignments", found, false);
        }
    }
    Finding::new("0 assignments", "0 assignments", true)
}

/// A stuck position on these boss placements, with red to move.
fn witness(placements: &[BossPlacement], rules: Rules) -> Option<Board> {
    let mut counter = Counter::new(Question { category: Category::Stuck, rules, method: Method::Factored });
    let placement = placements.iter().find(|placement| counter.count(placement) > 0)?;
    reference::boards(placement).find(|board| reference::verdict(board, Color::Red, rules) == Verdict::Stuck)
}

/// The number of assignments on these boss placements that belong to the category.
fn sum(placements: &[BossPlacement], category: Category, rules: Rules) -> u64 {
    let question = Question { category, rules, method: Method::Factored };
    placements
        .par_chunks(64)
        .map_init(
            || Counter::new(question),
            |counter, chunk| chunk.iter().map(|placement| counter.count(placement)).sum::<u64>(),
        )
        .sum()
}

fn start_recurs() -> Finding {
    let start = Board::default();
    let is_diagonal_boss_move = |action: Action| match action {
        Action::Move { dove, to } if dove.kind == Kind::Boss => {
            let from = start.boss(dove.color);
            from.row != to.row && from.column != to.column
        }
        _ => false,
    };
    let wanted = start.code().canonical(Color::Red);
    let after: Vec<_> = start
        .legal_actions(Color::Red, Rules::default())
        .filter(|&(action, _)| is_diagonal_boss_move(action))
        .map(|(_, board)| board.code().canonical(Color::Green))
        .collect();
    let recurring = after.iter().filter(|&&code| code == wanted).count();
    let found = format!("{recurring} of {} moves give {wanted} again", after.len());
    Finding::new(format!("all moves give {wanted}"), found, !after.is_empty() && recurring == after.len())
}

fn published_mates(setting: &Setting, method: Method) -> Result<Finding, RunError> {
    let question = Question { category: Category::Mates, rules: Rules::default(), method };
    let tally = setting.count(question, ALL_DOVES)?;
    let expected = published::total(question.category, question.rules)
        .expect("the mates under the default rules are published");
    Ok(Finding::equal(expected, tally.total().positions))
}

fn methods_agree(
    setting: &Setting,
    categories: &[Category],
    variants: impl Iterator<Item = Rules>,
    doves: RangeInclusive<u32>,
) -> Result<Finding, RunError> {
    let (mut compared, mut different, mut positions) = (0, 0, 0);
    for rules in variants {
        for &category in categories {
            let count = |method| setting.count(Question { category, rules, method }, doves.clone());
            let (factored, exhaustive) = (count(Method::Factored)?, count(Method::Exhaustive)?);
            compared += factored.rows.len();
            different += factored.rows.iter().zip(&exhaustive.rows).filter(|(a, b)| a != b).count();
            positions += exhaustive.total().positions;
        }
    }
    let found = format!("{compared} figures, {different} different; {positions} positions in all");
    Ok(Finding::new("0 different", found, different == 0))
}

fn reference_agrees() -> Finding {
    let rules = Rules::default();
    let different = |category: Category, doves: RangeInclusive<u32>| {
        let shapes: Vec<Shape> =
            Shape::all().into_iter().filter(|shape| doves.contains(&shape.doves())).collect();
        let all = shapes.iter().flat_map(BossPlacement::all);
        let placements: Vec<BossPlacement> =
            all.filter(|placement| category != Category::Mates || !placement.is_pruned()).collect();
        let question = Question { category, rules, method: Method::Factored };
        let differs = |counter: &mut Counter, placement: &BossPlacement| {
            counter.count(placement) != reference::count(placement, rules, category)
        };
        let different =
            placements.par_iter().map_init(|| Counter::new(question), differs).filter(|differs| *differs);
        (placements.len(), different.count())
    };
    let (mates, wrong_mates) = different(Category::Mates, 2..=6);
    let (wins, wrong_wins) = different(Category::Wins, 2..=5);
    let (placements, different) = (mates + wins, wrong_mates + wrong_wins);
    Finding::new(
        "0 different",
        format!("{placements} boss placements, {different} different"),
        different == 0,
    )
}

fn gpu_agrees(setting: &Setting, category: Category) -> Result<Finding, RunError> {
    let question = Question { category, rules: Rules::default(), method: Method::Exhaustive };
    let report = match setting.job(question, ALL_DOVES, Backend::Gpu).report() {
        Err(RunError::NoGpu(NoGpu::NoAdapter)) => return Ok(Finding::skipped("there is no GPU")),
        Err(RunError::NoGpu(NoGpu::OnlyIfNamed(_))) => {
            return Ok(Finding::skipped("there is no GPU, only adapters that are used when they are named"));
        }
        // A GPU that cannot be opened, or is lost, neither confirms nor refutes the claim.
        Err(RunError::NoGpu(NoGpu::Failed(all))) if all.iter().all(|(_, error)| error.is_loss()) => {
            return Ok(Finding::skipped(NoGpu::Failed(all).to_string()));
        }
        report => report?,
    };
    if let Some(failure) = report.confirmation.and_then(|confirmation| confirmation.failure) {
        let message = failure.describe("the GPU");
        return Ok(match failure.is_loss() {
            true => Finding::skipped(message),
            false => Finding::new("a count by the GPU", message, false),
        });
    }
    let found = report.tally.total().positions;
    let expected = published::total(category, question.rules).unwrap_or(found);
    Ok(Finding::equal(expected, found))
}
