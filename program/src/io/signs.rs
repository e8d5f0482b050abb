//! Which characters the pictures of boards have.
//!
//! Unicode leaves the width of box-drawing characters and of the middle dot to the context. Terminals that
//! are set for Chinese, Japanese or Korean may give them two columns.

use dovemate::picture::terminal::Signs;

/// The variable that decides, whatever the locale is: `ascii` or `lines`.
const VARIABLE: &str = "DOVEMATE_PICTURES";

/// The characters that have one column each on this user's terminal.
pub fn signs() -> Signs {
    let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    match variable(VARIABLE).as_deref() {
        Some("ascii") => return Signs::ASCII,
        Some("lines") => return Signs::LINES,
        _ => {}
    }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable).unwrap_or_default();
    let language = locale.split(['_', '-', '.', '@']).next().unwrap_or_default();
    if matches!(language, "ja" | "ko" | "zh") { Signs::ASCII } else { Signs::LINES }
}
