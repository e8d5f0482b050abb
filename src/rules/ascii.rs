//! Text as an East Asian keyboard or a word processor writes it, in ASCII.

/// Replaces these characters by their ASCII forms, one for one: full-width letters, digits and signs; hyphens, dashes,
/// minus signs and the sign of a long vowel; no-break and ideographic spaces. A byte order mark at the beginning is
/// left out; everything else stays.
///
/// ```
/// use dovemate::rules::ascii_forms;
///
/// assert_eq!(ascii_forms("ｂ；Ｂ"), "b;B");
/// assert_eq!(ascii_forms("＋ＡＮ２Ｅ１"), "+AN2E1");
/// assert_eq!(ascii_forms("−t　東京"), "-t 東京");
/// ```
pub fn ascii_forms(text: &str) -> String {
    text.strip_prefix('\u{feff}').unwrap_or(text).chars().map(ascii_form).collect()
}

/// Replaces each carriage return, with the line feed after it if there is one, by a line feed.
pub fn with_line_feeds(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

fn ascii_form(letter: char) -> char {
    /// The distance from an ASCII character to its full-width form.
    const OFFSET: u32 = '！' as u32 - '!' as u32;
    match letter {
        '！'..='～' => char::from_u32(letter as u32 - OFFSET).unwrap_or(letter),
        // Hyphens and dashes; minus signs; and the sign of a long vowel, which is the minus key of a Japanese
        // keyboard.
        '\u{2010}'..='\u{2015}' | '−' | '﹣' | 'ー' | 'ｰ' => '-',
        '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{3000}' => ' ',
        other => other,
    }
}
