//! The characters for pictures of boards on this terminal.
//!
//! Unicode leaves the width of box-drawing characters and of the middle dot to the context. Terminals that
//! are set up for Chinese, Japanese or Korean may give them two columns. If the locale does not use UTF-8, some bytes
//! of these characters are control characters, which may swallow the board.

#[cfg(test)]
mod tests;

use crate::io::board_lines::Signs;

/// The variable that overrides the locale: `ascii` or `lines`.
const VARIABLE: &str = "DOVEMATE_PICTURES";

/// The locale that determines the characters.
fn locale() -> Option<String> {
    let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable)
}

/// Whether this terminal shows all letters, not only those of ASCII or of an older encoding.
pub fn has_letters() -> bool {
    cfg!(windows) || locale().is_some_and(|locale| is_utf_8(&locale))
}

/// The characters that take one column each on this user's terminal.
pub fn signs() -> Signs {
    match std::env::var(VARIABLE).as_deref() {
        Ok("ascii") => return Signs::ASCII,
        Ok("lines") => return Signs::LINES,
        _ => {}
    }
    let has_lines = match locale() {
        Some(locale) => !is_east_asian(&locale) && has_letters(),
        // Windows consoles receive UTF-16, and have a code page instead of a locale.
        None => cfg!(windows) && !console_code_page().is_some_and(has_wide_signs),
    };
    if has_lines { Signs::LINES } else { Signs::ASCII }
}

/// Whether the language of a locale, as in `ja_JP.UTF-8`, is Chinese, Japanese or Korean.
fn is_east_asian(locale: &str) -> bool {
    matches!(locale.split(['_', '-', '.', '@']).next(), Some("ja" | "ko" | "zh"))
}

/// Whether a locale names UTF-8. One without an encoding, such as `C` or `de_DE`, uses ASCII or an older encoding.
fn is_utf_8(locale: &str) -> bool {
    let locale = locale.to_ascii_lowercase();
    ["utf-8", "utf8"].iter().any(|name| locale.contains(name))
}

/// The code page of the console, as the system's command prints it; there is no safe function for it.
fn console_code_page() -> Option<u32> {
    let output = std::process::Command::new("chcp.com").output().ok()?;
    code_page(&String::from_utf8_lossy(&output.stdout))
}

/// The number in a sentence such as `Active code page: 932`, in any language.
fn code_page(sentence: &str) -> Option<u32> {
    sentence.split(|letter: char| !letter.is_ascii_digit()).find_map(|number| number.parse().ok())
}

/// Whether this code page is one for Japanese, Chinese or Korean, with which a console gives the signs two columns.
fn has_wide_signs(code_page: u32) -> bool {
    matches!(code_page, 932 | 936 | 949 | 950)
}
