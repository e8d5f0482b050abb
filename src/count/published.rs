//! The published figures, each with its source. Results are compared with them; nothing is computed from
//! them.

use crate::count::Category;
use crate::rules::Rules;
use crate::shapes::positions::Convention;

/// The number of mates over all numbers of doves, with returns and the mover losing when both bosses are surrounded:
/// the 2022 article on mates, as corrected on 2022-11-12. (Its earlier figure, 4,779,499,398, missed some mates.)
const MATES: u64 = 4_779_515_952;

/// The number of positions as the 2022 article on positions counts them: see [`Convention::Article`].
const ARTICLE_POSITIONS: u64 = 509_462_034_903;

/// Of these, the positions that the article describes as *neither boss surrounded, or only the mover's*. The figure
/// is really the number of positions with neither or both surrounded.
const ARTICLE_POSITIONS_OF_INTEREST: u64 = 318_195_819_783;

/// The number of positions up to translation, rotation and reflection, printed by a later program of the author of
/// both articles.
const POSITIONS: u64 = 508_064_190_482;

/// The published total over all numbers of doves, if there is one.
pub fn total(category: Category, rules: Rules) -> Option<u64> {
    (category == Category::Mates && rules == Rules::default()).then_some(MATES)
}

/// The published totals under a convention, over all numbers of doves: all positions; under the article's convention
/// also those with neither or both bosses surrounded.
pub const fn positions(convention: Convention) -> &'static [u64] {
    match convention {
        Convention::Exact => &[POSITIONS],
        Convention::Article => &[ARTICLE_POSITIONS, ARTICLE_POSITIONS_OF_INTEREST],
    }
}
