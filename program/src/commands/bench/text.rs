//! What `dovemate bench` prints.

use std::io::Write;

use super::{Arguments, Machine, Measured, Summary};
use crate::io::about_gpu::{ONLY_IF_NAMED, advised, in_a_line, in_two_lines, program};
use crate::io::failure::Failure;
use crate::io::host::Host;
use crate::io::streams;
use crate::io::text_table::{TextTable, grouped};
use dovemate::Backend;
use dovemate::internals::count::tally::{ALL_DOVES, Workload};
use dovemate::internals::count::{Category, Method};
use dovemate::internals::gpu::AdapterDescription;
use dovemate::internals::run::{NoGpu, PATIENCE};

/// Prints what was measured, what `count` does here, and a line for a report.
pub(super) fn print(arguments: &Arguments, all: &[Measured], machine: &Machine) -> Result<(), Failure> {
    let mut out = streams::stdout();
    for Measured { bout, found, .. } in all {
        let total = found.total();
        writeln!(
            out,
            "{} method, {} doves: {} mates, {} assignments on {} boss placements",
            bout.method,
            bout.doves(),
            grouped(total.positions),
            grouped(total.assignments),
            grouped(total.boss_placements)
        )?;
    }
    let mut table = TextTable::new(&[
        "method",
        "doves",
        "on",
        "median",
        "minimum",
        "maximum",
        "runs",
        "GPU time",
        "start-up",
        "assignments/s",
        "ratio",
    ]);
    for summary in all.iter().flat_map(|measured| &measured.summaries) {
        table.add_cells(cells(summary));
    }
    writeln!(out, "\n{table}")?;
    let no_gpu = all.iter().find_map(|measured| measured.no_gpu.as_ref());
    if let Some(reason) = no_gpu {
        writeln!(out, "no GPU used: {}", advised(reason))?;
    }
    let exhaustive = || all.iter().filter(|measured| measured.bout.method == Method::Exhaustive);
    if let Some(gpu) = &machine.gpu {
        writeln!(out, "{}", in_two_lines(gpu))?;
        writeln!(out, "tested  it has passed its self-test, and its count on every boss placement is the CPU's")?;
    }
    let on_gpu = exhaustive().flat_map(|measured| &measured.summaries).find(|it| it.backend == Backend::Gpu.name());
    // What was not measured says nothing about the default, nor does a GPU that was named.
    let is_default = arguments.backends.is_empty() && arguments.adapter.is_none() && exhaustive().next().is_some();
    let speed = on_gpu.map(|summary| summary.assignments_per_second);
    if let Some(auto) = auto(machine.gpu.as_ref(), speed, is_default) {
        writeln!(out, "auto    {auto}")?;
    }
    writeln!(out, "\nFor a report, all in one line:\n{}", in_one_line(all, machine, no_gpu))?;
    Ok(out.flush()?)
}

/// A row of the table.
fn cells(summary: &Summary) -> [String; 11] {
    let seconds = |seconds: f64| format!("{seconds:.4} s");
    let &Summary { runs, median_seconds, minimum_seconds, maximum_seconds, start_up_seconds, .. } = summary;
    let gpu_time = match summary.median_gpu_seconds {
        _ if summary.backend == Backend::Cpu.name() => "–".to_owned(),
        time => time.map_or("not known".to_owned(), seconds),
    };
    [
        summary.method.clone(),
        summary.doves.clone(),
        summary.name.clone(),
        seconds(median_seconds),
        seconds(minimum_seconds),
        seconds(maximum_seconds),
        runs.to_string(),
        gpu_time,
        format!("{} ({:.0} %)", seconds(start_up_seconds), 100.0 * summary.start_up_share),
        grouped(summary.assignments_per_second as u64),
        format!("{:.2}", summary.ratio),
    ]
}

/// What `count` does on this machine by default; `speed` is the GPU's assignments a second, if it has
/// counted. `None` if that is not known, as what was measured is not the default.
fn auto(gpu: Option<&AdapterDescription>, speed: Option<f64>, is_default: bool) -> Option<String> {
    match gpu {
        Some(gpu) if gpu.is_opt_in() => return Some(ONLY_IF_NAMED.to_owned()),
        _ if !is_default => return None,
        None => return Some("count takes the CPU".to_owned()),
        Some(_) => {}
    }
    let all = Workload::new(&ALL_DOVES, Category::Mates).assignments();
    let (assignments, patience) = (grouped(all), PATIENCE.as_secs());
    let confirmed = match speed.map(|speed| all as f64 / speed) {
        None => format!("this GPU tests all {assignments} assignments if that takes at most {patience} s"),
        Some(time) if time <= PATIENCE.as_secs_f64() => {
            format!("this GPU tests all {assignments} assignments, in about {time:.1} s")
        }
        Some(time) => format!(
            "this GPU tests as many numbers of doves as take {patience} s, since all {assignments} assignments take about \
             {time:.0} s"
        ),
    };
    Some(format!("count takes the CPU, and {confirmed}"))
}

/// All that a bug report needs, in one line.
fn in_one_line(all: &[Measured], machine: &Machine, no_gpu: Option<&NoGpu>) -> String {
    let gpu = match (&machine.gpu, no_gpu) {
        (Some(gpu), _) => in_a_line(gpu),
        (None, Some(reason)) => format!("no GPU: {reason}"),
        (None, None) => "GPU not measured".to_owned(),
    };
    let of_summary = |summary: &Summary| {
        let &Summary { median_seconds, median_gpu_seconds, start_up_seconds, .. } = summary;
        if summary.backend == Backend::Cpu.name() {
            return format!("CPU {median_seconds:.4} s");
        }
        let time = median_gpu_seconds.map_or("not known".to_owned(), |time| format!("{time:.4} s"));
        format!("GPU {median_seconds:.4} s (its time {time}, start-up {start_up_seconds:.2} s)")
    };
    let of_bout = |measured: &Measured| {
        let times: Vec<String> = measured.summaries.iter().map(of_summary).collect();
        format!("{} {}: {}", measured.bout.method, measured.bout.doves(), times.join(", "))
    };
    let Host { cpu, cores, system, .. } = &machine.host;
    let host = format!("{cpu}, {cores} cores, {} threads, {system}", machine.threads);
    let parts = [program(), gpu, host].into_iter().chain(all.iter().map(of_bout));
    parts.collect::<Vec<_>>().join(" | ")
}
