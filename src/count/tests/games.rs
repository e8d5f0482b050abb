//! Games with fewer doves: counts by the tables and verdicts on single boards, against the literal reference.

use crate::count::clause::Refuters;
use crate::count::sets::Slots;
use crate::count::table::Table;
use crate::count::tally::ALL_DOVES;
use crate::count::{Category, Counter, Method, Question, Sides};
use crate::rules::{Color, DoveSet, Game, Rules};
use crate::shapes::{BossPlacement, assignments};
use crate::testing::{cases, game};
use rayon::prelude::*;

use super::methods::{all_placements, compare_with_reference};

/// All games whose players together have this many kinds besides the bosses.
fn games(kinds: u32, rules: Rules) -> impl Iterator<Item = Game> {
    let pairs =
        DoveSet::all().into_iter().flat_map(|red| DoveSet::all().into_iter().map(move |green| (red, green)));
    pairs.filter(move |(red, green)| red.len() + green.len() == kinds).map(move |(red, green)| Game {
        red,
        green,
        rules,
    })
}

/// Every game with up to three kinds in total, on every boss placement with up to 3 doves, and some with 4 and 5.
#[test]
fn all_games_up_to_5_doves() {
    let mut placements: Vec<BossPlacement> = (2..=3).flat_map(all_placements).collect();
    placements.extend(all_placements(4).iter().step_by(cases(12, 3)));
    placements.extend(all_placements(5).iter().step_by(cases(120, 30)));
    for rules in Rules::variants() {
        // All games under the default rules, every thirteenth under the others.
        let step = if rules == Rules::default() { 1 } else { 13 };
        let games: Vec<Game> = (0..=3).flat_map(|kinds| games(kinds, rules)).step_by(step).collect();
        let found: Vec<[u64; 3]> =
            games.par_iter().map(|game| compare_with_reference(game, &placements)).collect();
        let [mates, wins, stuck] =
            [0, 1, 2].map(|category| found.iter().map(|counts| counts[category]).sum::<u64>());
        println!("{rules:?}: {} games, {mates} mates, {wins} wins in one, {stuck} stuck", games.len());
        assert!(wins > 0, "{rules:?}: nothing was compared");
    }
}

/// Games with four and five kinds in total, on a sample of the boss placements with 6 and 7 doves that includes the
/// three of each with the most mates in the whole game.
#[test]
fn larger_games_on_samples() {
    let mut mates = 0;
    for (doves, step) in [(6, 900), (7, 4000)] {
        let all = all_placements(doves);
        let (category, method) = (Category::Mates, Method::Factored);
        let mut counter = Counter::new(Question { category, rules: Rules::default(), method });
        let mut by_mates: Vec<(u64, BossPlacement)> =
            all.iter().map(|place| (counter.count(place), *place)).collect();
        by_mates.sort_by_key(|&(mates, _)| std::cmp::Reverse(mates));
        let rich = by_mates.into_iter().take(3).map(|(_, placement)| placement);
        let placements: Vec<BossPlacement> = rich.chain(all.iter().step_by(step).copied()).collect();
        for rules in Rules::variants() {
            let games: Vec<Game> = games(doves - 2, rules).step_by(23).collect();
            mates += games.par_iter().map(|game| compare_with_reference(game, &placements)[0]).sum::<u64>();
        }
    }
    assert!(mates > 0, "no mate was among them");
}

/// The article's lemma for any hands: on every boss placement that the enclosure prune drops, the mover's boss has a
/// move that no answer refutes, not even a put, whichever doves stand where and are in hand. So the lemma holds for
/// all dove sets.
#[test]
fn the_enclosure_prune_holds_for_any_hands() {
    for doves in ALL_DOVES {
        let dropped: Vec<BossPlacement> =
            all_placements(doves).into_iter().filter(BossPlacement::is_pruned).collect();
        assert!(!dropped.is_empty(), "the prune drops nothing of {doves} doves");
        for rules in Rules::variants() {
            // More boss placements under the default rules.
            let step = if rules == Rules::default() { cases(3, 1) } else { cases(12, 3) };
            dropped.par_iter().step_by(step).for_each_init(Table::default, |table, placement| {
                table.build(None, placement, rules);
                let escapes =
                    table.demands().iter().any(|demand| demand.boss && demand.refuters == Refuters::NONE);
                assert!(escapes, "{placement}, {rules:?}: no move of the boss that nobody refutes");
            });
        }
    }
}

#[test]
fn assignments_of_games() {
    for slots in 0..=10 {
        assert_eq!(Sides::WHOLE.assignments(slots), assignments(slots), "{slots} slots");
    }
    let game = game("AY", "M", Rules::default());
    // Two slots: two red doves, or one of two red doves and the green one, in either order.
    assert_eq!(Sides::of(&game, Color::Red).assignments(2), 2 + 2 * 2);
    assert_eq!(Sides::of(&game, Color::Green).dealings(Slots(0b01), 2), 2);
    assert_eq!(Sides::of(&game, Color::Red).assignments(4), 0, "there are three doves");
}
