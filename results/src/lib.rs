//! What several of the programs share that make or check results.

pub mod by_search;

pub mod examples;
pub mod games;
pub mod played;
pub mod rows;
pub mod work;
