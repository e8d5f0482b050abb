//! Text as an East Asian keyboard or a word processor writes it, in ASCII.

/// The text with full-width letters, digits and signs, hyphens, dashes, minus signs and the sign of a long vowel, and
/// no-break and ideographic spaces in their ASCII forms, one character for each. A byte order mark at the beginning is
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

/// The text with a line feed in place of each carriage return, and of each carriage return with a line feed.
pub fn with_line_feeds(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

fn ascii_form(letter: char) -> char {
    /// From a full-width form to the ASCII character.
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
