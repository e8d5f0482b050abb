//! Numbers in text: digits in groups of three, and the words that go with numbers.

/// A number with a comma before every third digit from the end.
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
pub fn plies(count: u32) -> String {
    counted(count.into(), "ply", "plies")
}

/// A number of CPU threads.
pub fn cpu_threads(count: usize) -> String {
    counted(count as u64, "CPU thread", "CPU threads")
}
