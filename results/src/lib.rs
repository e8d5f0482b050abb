//! What the programs that make or check results share.

pub mod by_search;

pub mod examples;
pub mod games;
pub mod played;
pub mod rows;
pub mod work;
