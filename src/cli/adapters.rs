//! `dovemate adapters`: what GPUs there are, and whether each passes the self-test.

use std::io::{self, Write};

use super::Failure;
use dovemate::gpu::Adapters;
use dovemate::gpu::mates::{Vetted, vet};
use dovemate::gpu::solve::{self, Ground};
use dovemate::mates::{Method, Question, What};
use dovemate::rules::{DoveSet, Game, Rules};

pub fn run() -> Result<(), Failure> {
    let adapters = Adapters::find();
    let descriptions = adapters.descriptions();
    // Any game will do: the test has its own.
    let small_game = Ground::new(Game { red: DoveSet::NONE, green: DoveSet::NONE, rules: Rules::default() });
    let mut out = io::stdout().lock();
    if descriptions.is_empty() {
        writeln!(out, "no adapters: no Vulkan, Metal or DX12 driver offers one; all works on the CPU")?;
    }
    for adapter in descriptions {
        writeln!(out, "{}  {}", adapter.index, adapter.name)?;
        writeln!(out, "   backend    {}", adapter.backend)?;
        writeln!(out, "   kind       {}", adapter.kind)?;
        writeln!(out, "   driver     {}", adapter.driver)?;
        for (name, method) in [("factored", Method::Factored), ("exhaustive", Method::Exhaustive)] {
            let question = Question { what: What::Mates, rules: Rules::default(), method };
            let verdict = match vet(&adapters, adapter.index, question) {
                Ok(Vetted { loop_limit: None, .. }) => "passed".to_owned(),
                Ok(Vetted { loop_limit: Some(limit), .. }) => {
                    format!("passed, with short slices: the driver ends loops after {limit} iterations")
                }
                Err(error) => format!("failed: {error}"),
            };
            writeln!(out, "   self-test  {name}: {verdict}")?;
        }
        let verdict = match solve::vet(&adapters, adapter.index, &small_game) {
            Ok(_) => "passed".to_owned(),
            Err(error) => format!("failed: {error}"),
        };
        writeln!(out, "   self-test  solver: {verdict}")?;
        if adapter.is_software {
            writeln!(out, "   use        only when named: --adapter {}", adapter.index)?;
        }
    }
    Ok(out.flush()?)
}
