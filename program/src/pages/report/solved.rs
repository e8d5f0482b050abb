//! The page's section on solved games: small games in which both players have the same doves, and the longest win of
//! them all, drawn action by action.

use maud::{Markup, PreEscaped, html};

use super::table;
use crate::options::game::usual;
use crate::pages::Boards;
use dovemate::Value;
use dovemate::ask::{Asker, Limits, Line, LookupError, Worth, texts};
use dovemate::internals::digits::grouped;
use dovemate::internals::solve::solved::Solution;
use dovemate::internals::solve::{Longest, solve};
use dovemate::rules::{Board, Color, DoveSet, Game, Rules};
use dovemate_web::texts::Language;

/// The greatest number of kinds for which all games with equal dove sets are solved.
const KINDS: u32 = 2;

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
        let sets = DoveSet::all().into_iter().filter(|set| set.len() <= KINDS).chain([usual(rules).red]);
        let mut longest: Option<LongestGame> = None;
        let mut solve = |kinds| {
            let game = Game { red: kinds, green: kinds, rules };
            let solved = solve(game, &|_| {});
            if let Some(from) = solved.longest()
                && longest.as_ref().is_none_or(|longest| longest.from.value.plies() < from.value.plies())
            {
                let mut asker = Asker::new(game, Some(&*solved));
                let ranking = asker.rank(&from.board, from.mover, Limits::plies(0))?;
                let line = asker.line(ranking.actions.first(), from.mover, 0, None)?;
                longest = Some(LongestGame { game, from, line });
            }
            let start = solved.value(&Board::default(), Color::Red)?.expect("the start is a position of every game");
            Ok(ReportedGame { kinds, solution: solved.solution().clone(), start: start.worth })
        };
        let games = sets.map(&mut solve).collect::<Result<Vec<ReportedGame>, LookupError>>()?;
        Ok(SolvedGames { games, longest })
    }

    /// The games as a table, and the longest win. `command` adds the options for the rules to a command.
    pub(super) fn section(&self, language: Language, command: impl Fn(&str) -> String) -> Markup {
        let heads = [
            language.head_doves(),
            language.head_positions(),
            language.head_won(),
            language.head_lost(),
            language.head_drawn(),
            language.head_start(),
            language.head_longest(),
        ];
        let rows = html! { tbody { @for game in &self.games { (game.row(language)) } } };
        html! {
            section aria-labelledby="solved" {
                h2 #solved { (language.solved_games()) }
                p { (language.about_solved()) }
                (table(language, "solved-games", language.solved_caption(), &heads, &rows))
                dl.commands {
                    dt { (language.command_game()) } dd { code { (command(&format!("solve --kinds {}", usual(Rules::default()).red))) } }
                    dt { (language.command_uneven()) } dd { code { (command("solve --red AY --green MT")) } }
                }
                @if let Some(longest) = &self.longest { (longest.pictures(language)) }
            }
        }
    }
}

impl ReportedGame {
    fn row(&self, language: Language) -> Markup {
        let count = |name: &str| self.solution.count(|row| row.worth.name() == name);
        let counts = [self.solution.count(|_| true), count("win"), count("lose"), count("draw")];
        let wins = self.solution.rows().iter().filter(|row| row.worth.name() == "win");
        let longest =
            wins.filter_map(|row| row.worth.plies()).max().map_or("–".to_owned(), |plies| plies.to_string());
        let kinds = if self.kinds.is_empty() { language.bosses_only() } else { self.kinds.to_string() };
        html! {
            tr {
                th scope="row" { (kinds) }
                @for count in counts { td { (grouped(count)) } }
                td { (language.worth(self.start)) }
                td { (longest) }
            }
        }
    }
}

impl LongestGame {
    /// The board at the beginning and after every action.
    fn pictures(&self, language: Language) -> Markup {
        let LongestGame { game, from: Longest { board, mover, value }, line } = self;
        let winner = if matches!(value, Value::Win(_)) { *mover } else { mover.opponent() };
        let boards = Boards { language, game: *game, has_paper: false };
        let (worth, player) = (language.value(*value), language.color(*mover));
        html! {
            p { (PreEscaped(language.longest_win(game.red, &worth, &player, board, language.color(winner)))) }
            p { code { (texts(board, line).join(" ")) } }
            ol.cards.line { (boards.line(board, *mover, line, &language.to_move_worth(&player, &worth))) }
        }
    }
}
