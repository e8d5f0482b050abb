//! `dovemate adapters`: lists the GPUs and tests each.

use std::io::{self, Write};

use clap::Args;

use crate::io::{Failure, Host, about_gpu, streams, visible};
use dovemate::clock::Instant;
use dovemate::gpu::{AdapterDescription, Adapters};

/// Environment variables that change which drivers the Vulkan loader finds.
const VARIABLES: [&str; 4] =
    ["VK_DRIVER_FILES", "VK_ADD_DRIVER_FILES", "VK_ICD_FILENAMES", "VK_LOADER_DRIVERS_DISABLE"];

/// List the GPUs, each with its index for --adapter, and test them.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  dovemate adapters\n  dovemate adapters --verbose\n  dovemate count --backend gpu --adapter 0"
)]
pub struct Arguments {
    /// Add what a bug report needs: the machine, the adapter's limits, and the time of the test
    #[arg(long)]
    verbose: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let adapters = Adapters::find();
    let descriptions = adapters.descriptions();
    let mut out = streams::stdout();
    if arguments.verbose {
        describe_machine(&mut out)?;
    }
    if let Some(failure) = adapters.failure() {
        writeln!(out, "no adapters: {failure}; everything works on the CPU")?;
    } else if descriptions.is_empty() {
        writeln!(
            out,
            "no adapters: no Vulkan, Metal or DX12 driver offers one; everything works on the CPU"
        )?;
    }
    for (index, adapter) in descriptions.iter().enumerate() {
        let preferred = descriptions[..index].iter().find(|other| other.is_card_of(adapter));
        describe(&mut out, adapter, preferred)?;
        if arguments.verbose {
            for (name, value) in adapters.details(adapter.index) {
                writeln!(out, "   {name:<40}  {value}")?;
            }
        }
        // Print the adapter before its test, which may take long.
        write!(out, "   self-test  ")?;
        out.flush()?;
        let began = Instant::now();
        let verdict = test(&adapters, adapter, arguments.verbose);
        match arguments.verbose {
            true => writeln!(out, "{verdict} ({:.2} s)", began.elapsed().as_secs_f64())?,
            false => writeln!(out, "{verdict}")?,
        }
        if adapter.is_opt_in() {
            writeln!(out, "   use        only when named: --adapter {}", adapter.index)?;
        }
    }
    Ok(out.flush()?)
}

/// Writes the program, the machine, and those of [`VARIABLES`] that are set.
fn describe_machine(out: &mut impl Write) -> io::Result<()> {
    let host = Host::now();
    writeln!(out, "{}\n{}", host.program(), host.machine())?;
    for name in VARIABLES {
        if let Some(value) = std::env::var_os(name) {
            writeln!(out, "{name}={}", visible(&value.display().to_string()))?;
        }
    }
    writeln!(out)
}

fn test(adapters: &Adapters, adapter: &AdapterDescription, verbose: bool) -> String {
    let mut details = adapters.details(adapter.index).iter();
    let has_timestamps = details.any(|(name, value)| name == "timestamps" && value == "yes");
    match adapters.test(adapter.index) {
        Ok(_) if verbose && !has_timestamps => "passed, without timestamps".to_owned(),
        Ok(_) => "passed".to_owned(),
        Err(error) => format!("failed: {error}"),
    }
}

/// Describes an adapter; `preferred` is an adapter of the same GPU listed before it.
fn describe(
    out: &mut impl Write,
    adapter: &AdapterDescription,
    preferred: Option<&AdapterDescription>,
) -> io::Result<()> {
    writeln!(out, "{}  {}", adapter.index, adapter.name)?;
    if let Some(preferred) = preferred {
        let index = preferred.index;
        writeln!(
            out,
            "   card       the same as {index}; used if {index} fails its self-test, or when named"
        )?;
    }
    writeln!(out, "   backend    {}", adapter.backend)?;
    let certified =
        if adapter.is_certified { "" } else { ", not certified: its driver has no conformance number" };
    writeln!(out, "   kind       {}{certified}", adapter.kind)?;
    writeln!(out, "   driver     {}", adapter.driver)?;
    writeln!(out, "   memory     {}", about_gpu::memory(adapter))
}
