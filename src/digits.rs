//! Numbers in text: digits in groups of three, and the words that go with numbers.

/// A number with a comma before every third digit from the end.
///
/// ```
/// use dovemate::internals::digits::grouped;
///
/// assert_eq!([0, 999, 1_000, 100_000].map(grouped), ["0", "999", "1,000", "100,000"]);
/// assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
/// ```
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with a noun in the singular or plural: `1 puzzle`, `2,000 puzzles`.
pub fn counted(count: u64, one: &str, several: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { several })
}

/// A number of plies.
///
/// ```
/// use dovemate::internals::digits::plies;
///
/// assert_eq!([0, 1, 2].map(plies), ["0 plies", "1 ply", "2 plies"]);
/// ```
pub fn plies(count: u32) -> String {
    counted(count.into(), "ply", "plies")
}

/// A number of CPU threads.
pub fn cpu_threads(count: usize) -> String {
    counted(count as u64, "CPU thread", "CPU threads")
}
