//! A count on a page's GPU: its parameters and its size.

use std::ops::RangeInclusive;

use serde::Serialize;

use crate::documents::AboutGame;
use crate::reply::json;
use dovemate::Category;
use dovemate::count::Workload;
use dovemate::rules::Game;

/// The parameters of a count on a GPU.
#[derive(Clone, Debug, PartialEq)]
pub struct GpuQuestion {
    /// The whole game, with its rules.
    pub game: Game,
    /// The category of positions.
    pub category: Category,
    /// The numbers of doves on the board.
    pub doves: RangeInclusive<u32>,
}

/// The size of a count on a GPU.
#[derive(Serialize)]
struct WorkloadDocument {
    category: &'static str,
    /// The number of boss placements, and of the assignments to them.
    placements: usize,
    assignments: u64,
}

impl GpuQuestion {
    /// The boss placements to count.
    pub fn workload(&self) -> Workload {
        Workload::new(&self.doves, self.category)
    }

    /// The answer with the size of the count.
    pub fn answer(&self) -> String {
        let workload = self.workload();
        let category = self.category.name();
        let (placements, assignments) = (workload.placements.len(), workload.assignments());
        json(&AboutGame::new(&self.game, WorkloadDocument { category, placements, assignments }))
    }
}
