//! The page's section on solved games: small games in which both players have the same doves, and the longest win of
//! them all, drawn action by action.

use maud::{Markup, html};

use crate::pages::image_url;
use dovemate::Value;
use dovemate::ask::{Asker, Limits, Line, LookupError, Worth, texts};
use dovemate::internals::digits::grouped;
use dovemate::internals::solve::solved::Solution;
use dovemate::internals::solve::{Longest, Options, solve};
use dovemate::picture::svg::Picture;
use dovemate::rules::{Board, Color, DoveSet, Game, Kind, Rules};

/// The greatest number of kinds for which all games with equal dove sets are solved.
const KINDS: u32 = 2;
/// One larger game, which takes a second or two.
const LARGER: [Kind; 3] = [Kind::Aniki, Kind::Yaibato, Kind::Mamedeppo];

/// Some solved games.
pub struct SolvedGames {
    games: Vec<ReportedGame>,
    /// A position with the greatest distance in all these games; `None` if all positions are drawn.
    longest: Option<LongestGame>,
}

/// A solved game, as a line of the table.
struct ReportedGame {
    kinds: DoveSet,
    solution: Solution,
    start: Worth,
}

/// A position, and best play from it to the end.
struct LongestGame {
    game: Game,
    from: Longest,
    line: Line,
}

impl SolvedGames {
    /// Solves all games in which both players have the same dove set of at most two kinds, and A Y M for both, in a few
    /// seconds.
    ///
    /// # Errors
    /// None as yet: values in memory can always be read.
    pub fn solve(rules: Rules) -> Result<SolvedGames, LookupError> {
        let sets = DoveSet::all().into_iter().filter(|set| set.len() <= KINDS).chain([LARGER.into_iter().collect()]);
        let mut longest: Option<LongestGame> = None;
        let mut solve = |kinds| {
            let game = Game { red: kinds, green: kinds, rules };
            let solved = solve(game, Options { distances: true }, &|_| {});
            if let Some(from) = solved.longest()
                && longest.as_ref().is_none_or(|longest| longest.from.value.plies() < from.value.plies())
            {
                let mut asker = Asker::new(game, Some(&*solved));
                let ranking = asker.rank(&from.board, from.mover, Limits { plies: 0, deadline: None })?;
                let line = asker.line(ranking.actions.first(), from.mover, 0)?;
                longest = Some(LongestGame { game, from, line });
            }
            let start = solved.value(&Board::default(), Color::Red)?.expect("the start is a position of every game");
            Ok(ReportedGame { kinds, solution: solved.solution().clone(), start: start.worth })
        };
        let games = sets.map(&mut solve).collect::<Result<Vec<ReportedGame>, LookupError>>()?;
        Ok(SolvedGames { games, longest })
    }

    /// The games as a table, and the longest win. `command` adds the options for the rules to a command.
    pub(super) fn section(&self, command: impl Fn(&str) -> String) -> Markup {
        html! {
            section aria-labelledby="solved" {
                h2 #solved { "Solved games" }
                p {
                    "With fewer doves, the whole game can be solved: who wins every position, reachable or not, and in how many \
                     actions of both players together, if the winner wins as fast and the loser holds out as long as possible. \
                     A position is drawn if neither player can force a win: play need never end. In the games below both \
                     players have the boss and the doves named. Positions with a surrounded boss are over and not counted."
                }
                p.cue aria-hidden="true" { "The table continues to the right. →" }
                div.scroll tabindex="0" role="region" aria-labelledby="solved-caption" {
                    table #solved-games {
                        caption #solved-caption { "Positions by result for the player to move" }
                        thead {
                            tr {
                                @for head in ["doves", "positions", "won", "lost", "drawn", "the start", "longest win"] {
                                    th scope="col" { (head) }
                                }
                            }
                        }
                        tbody { @for game in &self.games { (game.row()) } }
                    }
                }
                dl.commands {
                    dt { "A game" } dd { code { (command(&format!("solve --kinds {}", LARGER.into_iter().collect::<DoveSet>()))) } }
                    dt { "Different doves" } dd { code { (command("solve --red AY --green MT")) } }
                }
                @if let Some(longest) = &self.longest { (longest.pictures()) }
            }
        }
    }
}

impl ReportedGame {
    fn row(&self) -> Markup {
        let count = |name: &str| self.solution.count(|row| row.value.name() == name);
        let counts = [self.solution.count(|_| true), count("win"), count("lose"), count("draw")];
        let wins = self.solution.rows().iter().filter(|row| row.value.name() == "win");
        let longest =
            wins.filter_map(|row| row.value.plies()).max().map_or("–".to_owned(), |plies| plies.to_string());
        let kinds = if self.kinds.is_empty() { "bosses only".to_owned() } else { self.kinds.to_string() };
        html! {
            tr {
                th scope="row" { (kinds) }
                @for count in counts { td { (grouped(count)) } }
                td { (self.start) }
                td { (longest) }
            }
        }
    }
}

impl LongestGame {
    /// The board at the beginning and after every action.
    fn pictures(&self) -> Markup {
        let LongestGame { game, from: Longest { board, mover, value }, line } = self;
        let player = |ply: usize| if ply.is_multiple_of(2) { *mover } else { mover.opponent() };
        let winner = if matches!(value, Value::Win(_)) { *mover } else { mover.opponent() };
        let boards: Vec<&Board> = std::iter::once(board).chain(line.iter().map(|(_, after)| after)).collect();
        let texts = texts(board, line);
        let picture = |board: &Board, actions, caption: &str| {
            let svg = Picture { board, actions, caption, has_paper: false }.svg_in(game);
            html! { li { img src=(image_url(&svg)) alt={ "Board " (board) ", " (caption) }; } }
        };
        let pictures = (0..).zip(line).map(|(ply, step): (usize, _)| {
            let caption = format!("{}. {} {}", ply + 1, player(ply).name(), texts[ply]);
            picture(boards[ply], std::slice::from_ref(step), &caption)
        });
        html! {
            p {
                "No win in all these games takes longer than this one, with " (game.red) " for both: " (value) " for "
                (mover.name()) ", who is to move on " code { (board) } ". One line of best play, at the end of which "
                (winner.name()) " wins:"
            }
            p { code { (texts.join(" ")) } }
            ol.cards.line {
                (picture(board, &[], &format!("{} to move: {value}", mover.name())))
                @for picture in pictures { (picture) }
            }
        }
    }
}
