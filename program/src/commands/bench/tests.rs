//! Tests of the median.

use super::median;

#[test]
fn the_median_of_an_even_number_is_the_mean_of_the_middle_two() {
    assert_eq!(median(&[]), None);
    assert_eq!(median(&[7.0]), Some(7.0));
    assert_eq!(median(&[1.0, 3.0, 5.0]), Some(3.0));
    assert_eq!(median(&[1.0, 2.0, 4.0, 5.0]), Some(3.0));
}
