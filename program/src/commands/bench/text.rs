//! What `dovemate bench` prints.

use std::io::Write;

use super::{Arguments, Series, Summary};
use crate::io::about_gpu::{ONLY_IF_NAMED, advised, in_a_line, in_two_lines, program};
use crate::io::failure::Failure;
use crate::io::host::Host;
use crate::io::streams;
use crate::io::text_table::{TextTable, grouped};
use dovemate::Backend;
use dovemate::internals::count::tally::{ALL_DOVES, Workload};
use dovemate::internals::count::{Category, Method};
use dovemate::internals::gpu::AdapterDescription;
use dovemate::internals::run::PATIENCE;
use dovemate::report::NoGpu;

/// Prints what was measured, what `count` does here, and a line for a report.
pub(super) fn print(
    arguments: &Arguments,
    all: &[Series],
    summaries: &[Summary],
    gpu: Option<&AdapterDescription>,
    no_gpu: Option<&NoGpu>,
    host: &Host,
) -> Result<(), Failure> {
    let mut out = streams::stdout();
    for series in all.iter().filter(|series| series.backend == Backend::Cpu) {
        let (method, doves, total) = (series.method, series.doves(), series.total());
        let [mates, assignments, placements] =
            [total.positions, total.assignments, total.boss_placements].map(grouped);
        writeln!(
            out,
            "{method} method, {doves} doves: {mates} mates, {assignments} assignments on {placements} boss placements"
        )?;
    }
    writeln!(out, "\n{}", table(summaries))?;
    if let Some(reason) = no_gpu {
        writeln!(out, "no GPU used: {}", advised(reason))?;
    }
    if let Some(gpu) = gpu {
        writeln!(out, "{}", in_two_lines(gpu))?;
        writeln!(
            out,
            "tested  it has passed its self-test, and its count on every boss placement is the CPU's"
        )?;
    }
    if let Some(auto) = auto(arguments, summaries, gpu) {
        writeln!(out, "auto    {auto}")?;
    }
    let gpu = match (gpu, no_gpu) {
        (Some(gpu), _) => in_a_line(gpu),
        (None, Some(reason)) => format!("no GPU: {reason}"),
        (None, None) => "GPU not measured".to_owned(),
    };
    let Host { cpu, cores, system, .. } = host;
    let machine = format!("{cpu}, {cores} cores, {} threads, {system}", all[0].reports[0].threads);
    let methods = summaries.chunk_by(|one, other| one.method == other.method).map(in_a_phrase);
    let parts: Vec<String> = [program(), gpu, machine].into_iter().chain(methods).collect();
    writeln!(out, "\nFor a report, all in one line:\n{}", parts.join(" | "))?;
    Ok(out.flush()?)
}

fn seconds(seconds: f64) -> String {
    format!("{seconds:.4} s")
}

/// A row for each method and processor.
fn table(summaries: &[Summary]) -> TextTable {
    let heads = "method,doves,on,median,minimum,maximum,runs,GPU time,start-up,assignments/s,ratio";
    let mut table = TextTable::new(&heads.split(',').collect::<Vec<_>>());
    for summary in summaries {
        let gpu_time = match summary.median_gpu_seconds {
            _ if summary.backend == Backend::Cpu.name() => "–".to_owned(),
            time => time.map_or("not known".to_owned(), seconds),
        };
        table.add_cells([
            summary.method.to_owned(),
            summary.doves.clone(),
            summary.name.clone(),
            seconds(summary.median_seconds),
            seconds(summary.minimum_seconds),
            seconds(summary.maximum_seconds),
            summary.runs.to_string(),
            gpu_time,
            format!("{} ({:.0} %)", seconds(summary.start_up_seconds), 100.0 * summary.start_up_share),
            grouped(summary.assignments_per_second as u64),
            format!("{:.2}", summary.ratio),
        ]);
    }
    table
}

/// What `count` does on this machine by default. `None` if it was not measured.
fn auto(arguments: &Arguments, summaries: &[Summary], gpu: Option<&AdapterDescription>) -> Option<String> {
    if gpu.is_some_and(AdapterDescription::is_opt_in) {
        return Some(ONLY_IF_NAMED.to_owned());
    }
    let last = summaries.last().filter(|last| last.method == Method::Exhaustive.name())?;
    if arguments.engine.backend != Backend::Auto || arguments.engine.adapter.is_some() {
        return None;
    }
    if gpu.is_none() {
        return Some("count takes the CPU".to_owned());
    }
    let all = Workload::new(&ALL_DOVES, Category::Mates).assignments();
    let (time, patience) = (all as f64 / last.assignments_per_second, PATIENCE.as_secs());
    let all = grouped(all);
    let confirmed = match time <= PATIENCE.as_secs_f64() {
        true => format!("all {all} assignments, in about {time:.1} s"),
        false => {
            format!(
                "as many numbers of doves as take {patience} s, since all {all} assignments take about {time:.0} s"
            )
        }
    };
    Some(format!("count takes the CPU, and this GPU tests {confirmed}"))
}

/// The times of a method.
fn in_a_phrase(summaries: &[Summary]) -> String {
    let time = |summary: &Summary| {
        let &Summary { median_seconds, median_gpu_seconds, start_up_seconds, .. } = summary;
        if summary.backend == Backend::Cpu.name() {
            return format!("CPU {median_seconds:.4} s");
        }
        let time = median_gpu_seconds.map_or("not known".to_owned(), seconds);
        format!("GPU {median_seconds:.4} s (its time {time}, start-up {start_up_seconds:.2} s)")
    };
    let times: Vec<String> = summaries.iter().map(time).collect();
    format!("{} {}: {}", summaries[0].method, summaries[0].doves, times.join(", "))
}
