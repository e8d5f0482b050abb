//! The printed output of `dovemate bench`.

use std::io::Write;

use super::{Arguments, MAX_OTHER_SHARE, Measured, Series};
use crate::io::about_gpu::{ONLY_IF_NAMED, advised, in_a_line, in_two_lines, program};
use crate::io::failure::Failure;
use crate::io::host::Host;
use crate::io::streams;
use crate::io::text_table::{TextTable, grouped};
use dovemate::Runner;
use dovemate::count::{ALL_DOVES, Workload};
use dovemate::report::AdapterDescription;
use dovemate::{Backend, Category, Method};

/// Prints the measurements, the default plan of `count` here, and a line for a report.
pub(super) fn print(arguments: &Arguments, measured: &Measured) -> Result<(), Failure> {
    let mut out = streams::stdout();
    writeln!(out, "{}", table(measured))?;
    for series in measured.series.iter().filter(|series| series.adapter().is_none()) {
        let [mates, assignments] = [series.total().positions, series.total().assignments].map(grouped);
        let (method, doves) = (series.counted().method, series.doves());
        writeln!(out, "{method}, {doves} doves: {mates} mates of {assignments} assignments")?;
    }
    if let Some(gpu) = measured.adapter() {
        writeln!(out, "\n{}", in_two_lines(gpu))?;
        writeln!(
            out,
            "tested  it has passed its self-test, and its count on every boss placement is\n        the CPU's"
        )?;
    }
    if let Some(reason) = &measured.no_gpu {
        writeln!(out, "no GPU used: {}", advised(reason))?;
    }
    if let Some(auto) = auto(arguments, measured) {
        writeln!(out, "auto    {auto}")?;
    }
    if let Some(sentence) = faster(measured) {
        writeln!(out, "\n{}", textwrap::fill(&sentence, 80))?;
    }
    writeln!(out, "\nFor a report, all in one line:\n{}", line(measured))?;
    Ok(out.flush()?)
}

/// A number of seconds, with four decimals below 0.1 and two above.
pub(super) fn seconds(seconds: f64) -> String {
    let decimals = if seconds < 0.1 { 4 } else { 2 };
    format!("{seconds:.decimals$} s")
}

/// The processor of a series: the name of a GPU, or the number of threads.
pub(super) fn name(series: &Series) -> String {
    series.counted().by.to_string()
}

/// The ratio of CPU time to GPU time, by the same method.
pub(super) fn faster(measured: &Measured) -> Option<String> {
    let cpu = measured.of(Method::Exhaustive, false)?;
    let doves = cpu.doves();
    let mut sentence = match measured.of(Method::Exhaustive, true) {
        Some(gpu) => format!(
            "{} is {:.1} times as fast as {}, both testing every assignment of {doves} doves",
            name(gpu),
            cpu.median() / gpu.median(),
            name(cpu)
        ),
        None => format!(
            "Every assignment of {doves} doves is tested on {} in {}",
            name(cpu),
            seconds(cpu.median())
        ),
    };
    if let Some(factored) = measured.of(Method::Factored, false) {
        let time = seconds(factored.median());
        sentence += &format!("; the CPU's factored count of {} takes {time}", factored.doves());
    }
    Some(sentence + ".")
}

/// A row for each method and processor.
fn table(measured: &Measured) -> TextTable {
    let mut table = TextTable::new(&["method", "doves", "on", "median", "from", "to", "runs", "GPU time"]);
    for series in &measured.series {
        let times = series.seconds();
        let gpu_time = match series.adapter() {
            None => "–".to_owned(),
            Some(_) => series.device_median().map_or("not known".to_owned(), seconds),
        };
        table.add_cells([
            series.counted().method.to_string(),
            series.doves(),
            name(series).chars().take(NAME_COLUMNS).collect(),
            seconds(series.median()),
            seconds(times[0]),
            seconds(times[times.len() - 1]),
            times.len().to_string(),
            gpu_time,
        ]);
    }
    table
}

/// The columns for a GPU's name in a table of 80.
const NAME_COLUMNS: usize = 16;

/// The default plan of `count` on this machine. `None` if it was not measured.
fn auto(arguments: &Arguments, measured: &Measured) -> Option<String> {
    let gpu = measured.of(Method::Exhaustive, true);
    if gpu.and_then(Series::adapter).is_some_and(AdapterDescription::is_opt_in) {
        return Some(ONLY_IF_NAMED.to_owned());
    }
    measured.of(Method::Exhaustive, false)?;
    if arguments.engine.backend != Backend::Auto || arguments.engine.adapter.is_some() {
        return None;
    }
    let Some(gpu) = gpu else {
        return Some("count runs on the CPU, which confirms its own count by the other method".to_owned());
    };
    let all = Workload::new(&ALL_DOVES, Category::Mates).assignments();
    let time = gpu.median() * all as f64 / gpu.total().assignments.max(1) as f64;
    let confirmed = match time <= Runner::LONGEST_CONFIRMATION.as_secs_f64() {
        true => format!("all assignments, in about {time:.1} s"),
        false => format!("as many numbers of doves as take {} s", Runner::LONGEST_CONFIRMATION.as_secs()),
    };
    Some(format!("count runs on the CPU, and this GPU tests {confirmed}"))
}

/// The summary of all measurements in one line, for a report.
fn line(measured: &Measured) -> String {
    let gpu = match (measured.adapter(), &measured.no_gpu) {
        (Some(gpu), _) => in_a_line(gpu),
        (None, Some(reason)) => format!("no GPU: {reason}"),
        (None, None) => "GPU not measured".to_owned(),
    };
    let Host { cpu, cores, system, .. } = &measured.host;
    let times = measured.series.iter().map(|series| {
        let device =
            series.device_median().map_or(String::new(), |time| format!(" (GPU time {})", seconds(time)));
        let start_up = series.reports[0].start_up.as_secs_f64();
        let start_up = if series.adapter().is_some() {
            format!(", start-up {}", seconds(start_up))
        } else {
            String::new()
        };
        let on = if series.adapter().is_some() { "GPU".to_owned() } else { name(series) };
        let (method, median) = (series.counted().method, seconds(series.median()));
        format!("{method} {}: {on} {median}{device}{start_up}", series.doves())
    });
    let busy = measured.busy.filter(|&busy| busy > MAX_OTHER_SHARE);
    let busy = busy.map(|busy| format!("machine busy: {:.0} % of the CPU", 100.0 * busy));
    let machine = format!("{cpu}, {cores} cores, {system}");
    // Where reports go, if the repository is published.
    let repository =
        Some(env!("CARGO_PKG_REPOSITORY")).filter(|address| !address.is_empty()).map(str::to_owned);
    let parts = [program(), gpu, machine].into_iter().chain(times).chain(busy).chain(repository);
    parts.collect::<Vec<_>>().join(" | ")
}
