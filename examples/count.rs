//! Counts all mates with 2 to 6 doves, in a fraction of a second: `cargo run --release --example count`.

use dovemate::{Count, RunError};

fn main() -> Result<(), RunError> {
    let tally = dovemate::count(Count::mates().doves(2..=6))?;
    // Positions that symmetries map onto each other count as one.
    for row in tally.rows {
        println!("{:2} doves: {:6} mates among {} assignments", row.doves, row.positions, row.assignments);
    }
    Ok(())
}
