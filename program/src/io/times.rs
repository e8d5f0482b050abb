//! Times of repeated runs, for the benchmarks.

use std::time::{Duration, Instant};

use serde::Serialize;

/// The numbers of the runs to make, from 0 to `wanted` or else `usual`. Without `wanted`, no run after run 1 begins once
/// more than `enough` time has passed.
pub fn turns(wanted: Option<u16>, usual: u16, enough: Duration) -> impl Iterator<Item = u16> {
    let began = Instant::now();
    let has_time = move |run: &u16| wanted.is_some() || *run <= 1 || began.elapsed() <= enough;
    (0..=wanted.unwrap_or(usual)).take_while(has_time)
}

/// A backend's runs, summed up.
#[derive(Serialize)]
pub struct Times {
    pub runs: usize,
    pub median_seconds: f64,
    pub minimum_seconds: f64,
    pub maximum_seconds: f64,
    /// `None` if the GPU did not report it, or there was none.
    pub median_gpu_seconds: Option<f64>,
    pub start_up_seconds: f64,
    /// The share of start-up in a process that runs once.
    pub start_up_share: f64,
    /// How many times as fast as the first backend, by medians.
    pub ratio: f64,
}

impl Times {
    /// Sums up the seconds of at least one run, and those of the GPU as far as they are known. `first` has the times of
    /// the first backend, unless this is the first.
    pub fn of(seconds: &[f64], gpu_seconds: &[f64], start_up_seconds: f64, first: Option<&Times>) -> Times {
        let median_seconds = median(seconds).expect("at least one run");
        Times {
            runs: seconds.len(),
            median_seconds,
            minimum_seconds: seconds.iter().copied().fold(f64::INFINITY, f64::min),
            maximum_seconds: seconds.iter().copied().fold(0.0, f64::max),
            median_gpu_seconds: median(gpu_seconds),
            start_up_seconds,
            start_up_share: start_up_seconds / (start_up_seconds + median_seconds),
            ratio: first.map_or(1.0, |first| first.median_seconds / median_seconds),
        }
    }
}

/// The median; if there are two numbers in the middle, their mean. `None` if there are no numbers.
pub fn median(numbers: &[f64]) -> Option<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (low, high) = (sorted.get(sorted.len().saturating_sub(1) / 2)?, sorted.get(sorted.len() / 2)?);
    Some((low + high) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_of_an_even_number_is_the_mean_of_the_middle_two() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[7.0]), Some(7.0));
        assert_eq!(median(&[5.0, 1.0, 3.0]), Some(3.0));
        assert_eq!(median(&[5.0, 1.0, 4.0, 2.0]), Some(3.0));
    }
}
