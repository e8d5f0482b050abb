//! Texts in English and Japanese: those of answers, the board page, sheets of puzzles, and `play`, `best`, `puzzles`
//! and `svg`.
//!
//! All texts are in one table, in `table.rs`, with both languages side by side. A text that lacks a language, or
//! uses a parameter that is not declared, does not compile. Help and the output of other commands are in English.

mod errors;
mod table;

use std::collections::BTreeMap;

use anstyle::{AnsiColor, Style};
use dovemate::rules::{Action, Board, BothSurrounded, Color, Rules};
use dovemate_analysis::review::{ActionVerdict, Bounded, ReviewedPosition, VerdictKind};
use dovemate_analysis::{Order, Ranked, Source, Ways, Worth};
use dovemate_solver::{Value, Wdl};

/// A language of texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English, the default.
    #[default]
    English,
    /// Japanese.
    Japanese,
}

impl Language {
    /// Both languages.
    pub const ALL: [Language; 2] = [Language::English, Language::Japanese];

    /// The language of a tag or a locale, such as `ja`, `ja-JP` or `ja_JP.UTF-8`, if there are texts in it.
    pub fn of_tag(tag: &str) -> Option<Language> {
        let name = tag.split(['-', '_', '.', '@']).next()?.trim().to_ascii_lowercase();
        Language::ALL.into_iter().find(|language| language.tag() == name)
    }

    /// The language that an `Accept-Language` header prefers.
    pub fn accepted(header: &str) -> Language {
        let weighted = |part: &str| {
            let (tag, weight) = part.split_once(';').unwrap_or((part, "q=1"));
            let weight: f32 = weight.trim().strip_prefix("q=")?.parse().ok()?;
            Some((Language::of_tag(tag)?, weight))
        };
        // A weight of 0 means not acceptable. Among equal weights, the first one in the header counts; `max_by` returns
        // the last, so they are reversed.
        let acceptable = header.split(',').rev().filter_map(weighted).filter(|(_, weight)| *weight > 0.0);
        let best = acceptable.max_by(|(_, one), (_, other)| one.total_cmp(other));
        best.map_or(Language::default(), |(language, _)| language)
    }

    /// Every text by its key in the page: `win_in` is `winIn`.
    pub fn texts(self) -> BTreeMap<String, &'static str> {
        let key = |name: &str| {
            let mut words = name.split('_');
            let first = words.next().unwrap_or_default().to_owned();
            words.fold(first, |key, word| key + &word[..1].to_ascii_uppercase() + &word[1..])
        };
        table::TEXTS.iter().map(|(name, texts)| (key(name), texts[self as usize])).collect()
    }

    /// The tag, for HTML.
    pub const fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Japanese => "ja",
        }
    }

    /// The words for the hands in a picture.
    pub fn hand_words(self) -> [&'static str; 2] {
        match self {
            Language::English => dovemate::picture::svg::Picture::HAND_WORDS,
            Language::Japanese => ["手札", "なし"],
        }
    }

    /// The name of a player.
    pub fn color(self, color: Color) -> String {
        match color {
            Color::Red => self.red(),
            Color::Green => self.green(),
        }
    }

    /// A player's colour, in that colour, with ANSI escapes.
    pub fn styled(self, color: Color) -> String {
        let style = style(color);
        format!("{style}{}{style:#}", self.color(color))
    }

    /// A number of plies.
    pub fn plies(self, plies: u32) -> String {
        if plies == 1 { self.one_ply() } else { self.many_plies(plies) }
    }

    /// A value with its distance.
    pub fn value(self, value: Value) -> String {
        match value {
            Value::Win(plies) => self.win_in(plies),
            Value::Lose(plies) => self.lose_in(plies),
            Value::Draw => self.draw(),
        }
    }

    /// A value as far as it is known.
    pub fn worth(self, worth: Worth) -> String {
        match worth {
            Worth::Exact(value) => self.value(value),
            Worth::Win => self.win(),
            Worth::Lose => self.lose(),
            Worth::NoneWithin(plies) => self.none_within(self.plies(plies)),
        }
    }

    /// A value with its distance, or with the distance's bound if only that is known.
    pub fn bounded(self, worth: Worth, within: Option<u32>) -> String {
        let text = self.worth(worth);
        match within {
            Some(within) => self.within(text, self.plies(within)),
            None => text,
        }
    }

    /// The source of a value in words; `None` for one outside the library.
    pub fn source(self, source: Source) -> Option<String> {
        Some(match source {
            Source::Rules => self.from_rules(),
            Source::Solved => self.from_solved(),
            Source::Tables => self.from_tables(),
            Source::Openings => self.from_openings(),
            Source::Search => self.from_search(),
            _ => return None,
        })
    }

    /// The value of an action, and its sort key among actions of equal value.
    pub fn ranked(self, ranked: &Ranked) -> String {
        let worth = self.bounded(ranked.worth, ranked.within);
        let order = match ranked.order() {
            Some(Order::Ways(Ways { kept, answers })) if ranked.worth.wdl() == Some(Wdl::Lose) => {
                self.ways_lose(kept, answers)
            }
            Some(Order::Ways(Ways { kept, answers })) => self.ways_draw(kept, answers),
            Some(Order::Points(percent)) => self.points_expected(percent),
            _ => return worth,
        };
        self.suggested_worth(worth, order)
    }

    /// A verdict on an action, in a sentence; `next` is the position after it, in which `opponent` is to move.
    pub fn verdict(self, verdict: &ActionVerdict, next: &ReviewedPosition, opponent: Color) -> String {
        let action = verdict.better.as_deref().unwrap_or_default();
        let worth = verdict.worth.map(|Bounded { worth, within }| self.bounded(worth, within));
        let worth = worth.unwrap_or_default();
        let missed = match (&verdict.better, verdict.candidates) {
            (Some(action), _) => self.instead(action, &worth),
            (None, 0) => worth,
            (None, candidates) => self.instead_unknown(worth, candidates),
        };
        let percent = |points: f64| (100.0 * points).round();
        let sentence = match verdict.kind {
            VerdictKind::Kept => return self.kept(),
            VerdictKind::Likely => self.likely(),
            VerdictKind::Better => self.better(missed),
            VerdictKind::LostDraw => self.lost_draw(missed),
            VerdictKind::LostWin => self.lost_win(missed),
            VerdictKind::Allowed => {
                let plies = verdict.worth.and_then(|worth| worth.worth.plies()).unwrap_or(0);
                self.allowed(self.was_safe(action, self.plies(plies)))
            }
            VerdictKind::Doubtful => {
                self.doubtful(action, percent(verdict.points[0]), percent(verdict.points[1]))
            }
        };
        match (next.worth.map(|worth| worth.worth), &next.reply) {
            (Some(Worth::Exact(Value::Win(1))), Some(reply)) => self.beaten_at_once(sentence, reply),
            (Some(Worth::Exact(Value::Win(plies))), Some(reply)) => {
                self.beaten(sentence, reply, self.plies(plies))
            }
            (Some(Worth::Exact(Value::Win(plies))), None) if plies > 0 => {
                self.beaten_unknown(sentence, self.color(opponent), self.plies(plies))
            }
            (Some(Worth::Win), Some(reply)) => self.beaten_some(sentence, reply),
            _ => sentence,
        }
    }

    /// Says that a player's action is not legal on a board.
    pub fn illegal(self, action: Action, board: &Board, player: Color) -> String {
        self.no_legal_action(action.text(board), self.color(player), board)
    }

    /// A sentence about rules that differ from the default ones, after a space in English; empty for the default rules.
    pub fn unusual_rules(self, rules: Rules) -> String {
        let both = match rules.both_surrounded {
            BothSurrounded::MoverLoses => None,
            BothSurrounded::MoverWins => Some(self.variant_mover_wins()),
            BothSurrounded::Draw => Some(self.variant_draw()),
        };
        match both {
            None if rules.returns => String::new(),
            None => self.variant(self.variant_returns()),
            Some(both) if rules.returns => self.variant(both),
            Some(both) => self.variant(self.variant_two(self.variant_returns(), both)),
        }
    }
}

/// Turns each text with a list of parameters into a function of [`Language`]; the text names the parameters in braces,
/// as in `format!`. Texts without a list belong to the page, which fills in their parameters itself. `TEXTS` has all
/// texts.
macro_rules! texts {
    ($($name:ident $(($($parameter:ident),*))? $english:literal $japanese:literal;)*) => {
        impl $crate::texts::Language {
            $($(#[doc = $english] pub fn $name(self, $($parameter: impl std::fmt::Display),*) -> String {
                match self {
                    $crate::texts::Language::English => format!($english),
                    $crate::texts::Language::Japanese => format!($japanese),
                }
            })?)*
        }

        /// Every text: its name, English, Japanese.
        pub(super) const TEXTS: &[(&str, [&str; 2])] = &[$((stringify!($name), [$english, $japanese])),*];
    };
}
use texts;

/// The style of a colour's doves and name.
pub const fn style(color: Color) -> Style {
    let ansi = match color {
        Color::Red => AnsiColor::Red,
        Color::Green => AnsiColor::Green,
    };
    ansi.on_default().bold()
}
