//! Numbers for people: digits in groups of three, and how many threads.

/// A number with a comma before every third digit from the end: `4,779,515,952`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// So many threads of the CPU, in words.
pub fn cpu_threads(count: usize) -> String {
    match count {
        1 => "1 CPU thread".to_owned(),
        count => format!("{count} CPU threads"),
    }
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn commas_stand_before_every_third_digit() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (52_217, "52,217"), (100_000, "100,000")];
        for (number, text) in cases.into_iter().chain([(u64::MAX, "18,446,744,073,709,551,615")]) {
            assert_eq!(grouped(number), text);
        }
    }
}
