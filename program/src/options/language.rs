//! The language of a command's output.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::io::has_letters;
use dovemate_web::texts::Language;

/// The language of what a command makes.
#[derive(Args, Clone, Copy, Debug)]
pub struct LanguageArguments {
    /// The language: English or Japanese [default: that of the locale, if it is in UTF-8]
    #[arg(long, value_name = "LANGUAGE", value_parser = PossibleValuesParser::new(Language::ALL.map(Language::tag))
        .map(|tag| Language::of_tag(&tag).unwrap_or_default()))]
    lang: Option<Language>,
}

impl LanguageArguments {
    /// The language of the option, or else that of the locale, or else English. Except on Windows, the
    /// locale's language counts only if its characters (`LC_CTYPE`) are in UTF-8.
    pub fn language(self) -> Language {
        let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        let locale = || ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(variable).or_else(of_system);
        self.lang.unwrap_or_else(|| {
            locale().filter(|_| has_letters()).and_then(|tag| Language::of_tag(&tag)).unwrap_or_default()
        })
    }
}

/// The user's language, where no variable names it.
#[cfg(windows)]
fn of_system() -> Option<String> {
    sys_locale::get_locale()
}

#[cfg(not(windows))]
fn of_system() -> Option<String> {
    None
}
