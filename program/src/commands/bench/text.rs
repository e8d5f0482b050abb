//! The printed output of `dovemate bench`.

use std::io::Write;

use super::{Arguments, MAX_OTHER_SHARE, Measured, Series};
use crate::io::{Failure, about_gpu, grouped, number_table, streams};
use comfy_table::Table;
use dovemate::count::{ALL_DOVES, Workload};
use dovemate::report::AdapterDescription;
use dovemate::{Backend, Category, Method, Runner};

/// Prints the measurements, the default plan of `count` here, and a line for a report.
pub(super) fn print(arguments: &Arguments, measured: &Measured) -> Result<(), Failure> {
    let mut out = streams::stdout();
    writeln!(out, "{}\n", table(measured))?;
    for Series { method, doves, mates, assignments, .. } in
        measured.series.iter().filter(|series| series.adapter.is_none())
    {
        let [mates, assignments] = [*mates, *assignments].map(grouped);
        writeln!(out, "{method}, {doves} doves: {mates} mates of {assignments} assignments")?;
    }
    if let Some(gpu) = measured.adapter() {
        let AdapterDescription { name, backend, kind, driver, .. } = gpu;
        writeln!(out, "\nGPU     {name} ({backend}, {kind}), driver {driver}")?;
        writeln!(out, "memory  {}", about_gpu::memory(gpu))?;
        writeln!(
            out,
            "tested  it has passed its self-test, and its count on every boss placement is\n        the CPU's"
        )?;
    }
    if let Some(reason) = &measured.no_gpu {
        writeln!(out, "no GPU used: {}", about_gpu::advised(reason))?;
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

/// The ratio of CPU time to GPU time, by the same method.
pub(super) fn faster(measured: &Measured) -> Option<String> {
    let Series { name, doves, median_seconds, .. } = measured.of(Method::Exhaustive, false)?;
    let mut sentence = match measured.of(Method::Exhaustive, true) {
        Some(gpu) => format!(
            "{} is {:.1} times as fast as {name}, both testing every assignment of {doves} doves",
            gpu.name,
            median_seconds / gpu.median_seconds
        ),
        None => {
            let time = seconds(*median_seconds);
            format!("Every assignment of {doves} doves is tested on {name} in {time}")
        }
    };
    if let Some(factored) = measured.of(Method::Factored, false) {
        let time = seconds(factored.median_seconds);
        sentence += &format!("; the CPU's factored count of {} takes {time}", factored.doves);
    }
    Some(sentence + ".")
}

/// A row for each method and processor.
fn table(measured: &Measured) -> Table {
    /// The columns for a GPU's name in a table of 80.
    const NAME_COLUMNS: usize = 16;
    let mut table = number_table(&["method", "doves", "on", "median", "from", "to", "runs", "GPU time"]);
    for series in &measured.series {
        let gpu_time = match series.adapter {
            None => "–".to_owned(),
            Some(_) => series.median_gpu_seconds.map_or("not known".to_owned(), seconds),
        };
        table.add_row([
            series.method.to_string(),
            series.doves.clone(),
            series.name.chars().take(NAME_COLUMNS).collect(),
            seconds(series.median_seconds),
            seconds(series.minimum_seconds),
            seconds(series.maximum_seconds),
            series.runs.to_string(),
            gpu_time,
        ]);
    }
    table
}

/// The default plan of `count` on this machine. `None` if it was not measured.
fn auto(arguments: &Arguments, measured: &Measured) -> Option<String> {
    let gpu = measured.of(Method::Exhaustive, true);
    if measured.adapter().is_some_and(AdapterDescription::is_opt_in) {
        return Some("this adapter is used only when it is named".to_owned());
    }
    measured.of(Method::Exhaustive, false)?;
    if arguments.engine.backend != Backend::Auto || arguments.engine.adapter.is_some() {
        return None;
    }
    let Some(gpu) = gpu else {
        return Some("count runs on the CPU, which confirms its own count by the other method".to_owned());
    };
    let all = Workload::new(&ALL_DOVES, Category::Mates).assignments();
    let time = gpu.median_seconds * all as f64 / gpu.assignments.max(1) as f64;
    let confirmed = match time <= Runner::LONGEST_CONFIRMATION.as_secs_f64() {
        true => format!("all assignments, in about {time:.1} s"),
        false => format!("as many numbers of doves as take {} s", Runner::LONGEST_CONFIRMATION.as_secs()),
    };
    Some(format!("count runs on the CPU, and this GPU tests {confirmed}"))
}

/// The summary of all measurements in one line, for a report.
fn line(measured: &Measured) -> String {
    let gpu = match (measured.adapter(), &measured.no_gpu) {
        (Some(gpu), _) => {
            let AdapterDescription { name, backend, kind, driver, largest_buffer, .. } = gpu;
            let buffer = about_gpu::size(*largest_buffer);
            format!("{name}, {backend}, {kind}, driver {driver}, {buffer} a buffer")
        }
        (None, Some(reason)) => format!("no GPU: {reason}"),
        (None, None) => "GPU not measured".to_owned(),
    };
    let times = measured.series.iter().map(|series| {
        let device = series.median_gpu_seconds.map(|time| format!(" (GPU time {})", seconds(time)));
        let (on, start_up) = match series.adapter {
            Some(_) => ("GPU", format!(", start-up {}", seconds(series.start_up_seconds))),
            None => (&series.name[..], String::new()),
        };
        let (method, doves, median) = (series.method, &series.doves, seconds(series.median_seconds));
        format!("{method} {doves}: {on} {median}{}{start_up}", device.unwrap_or_default())
    });
    let busy = measured.busy.filter(|&busy| busy > MAX_OTHER_SHARE);
    let busy = busy.map(|busy| format!("machine busy: {:.0} % of the CPU", 100.0 * busy));
    // Where reports go, if the repository is published.
    let repository =
        Some(env!("CARGO_PKG_REPOSITORY")).filter(|address| !address.is_empty()).map(str::to_owned);
    let host = &measured.host;
    let parts = [host.program(), gpu, host.machine()].into_iter().chain(times).chain(busy).chain(repository);
    parts.collect::<Vec<_>>().join(" | ")
}
