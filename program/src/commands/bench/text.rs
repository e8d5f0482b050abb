//! The printed output of `dovemate bench`.

use std::io::Write;

use super::{Arguments, MAX_OTHER_SHARE, Measured, Series};
use crate::io::{Failure, about_gpu, grouped, number_table, streams};
use comfy_table::Table;
use dovemate::count::{ALL_DOVES, Workload};
use dovemate::report::AdapterDescription;
use dovemate::{Backend, Category, Method, Runner};

/// The width at which sentences are wrapped, except the line for a report.
const COLUMNS: usize = 80;

/// Prints the measurements, the default plan of `count` here, and a line for a report.
pub(super) fn print(arguments: &Arguments, measured: &Measured) -> Result<(), Failure> {
    let mut out = streams::stdout();
    writeln!(out, "{}\n", table(measured))?;
    for Series { method, doves, mates, assignments, .. } in
        measured.series.iter().filter(|series| series.adapter.is_none())
    {
        let [mates, assignments] = [*mates, *assignments].map(grouped);
        let text = format!("{method}, {doves} doves: {mates} mates of {assignments} assignments");
        writeln!(out, "{}", textwrap::fill(&text, COLUMNS))?;
    }
    let mut facts = Vec::new();
    if let Some(gpu) = measured.adapter() {
        writeln!(out)?;
        let AdapterDescription { name, backend, kind, driver, .. } = gpu;
        let tested = "it has passed its self-test, and its count on every boss placement is the CPU's";
        facts.push(("GPU", format!("{name} ({backend}, {kind}), driver {driver}")));
        facts.extend([("memory", about_gpu::memory(gpu)), ("tested", tested.to_owned())]);
    }
    facts.extend(measured.no_gpu.as_ref().map(|reason| ("no GPU", about_gpu::advised(reason))));
    facts.extend(auto(arguments, measured).map(|auto| ("auto", auto)));
    for (name, fact) in facts {
        let options = textwrap::Options::new(COLUMNS).subsequent_indent("        ");
        writeln!(out, "{}", textwrap::fill(&format!("{name:<8}{fact}"), options))?;
    }
    if let Some(sentence) = faster(measured) {
        writeln!(out, "\n{}", textwrap::fill(&sentence, COLUMNS))?;
    }
    writeln!(out, "\nFor a report, all on one line:\n{}", line(measured))?;
    Ok(out.flush()?)
}

/// A number of seconds, with four decimals below 0.1 and two above.
pub(super) fn seconds(seconds: f64) -> String {
    let decimals = if seconds < 0.1 { 4 } else { 2 };
    format!("{seconds:.decimals$} s")
}

/// A sentence that compares CPU and GPU with the exhaustive method or, without a GPU, gives the CPU's time; then the
/// time of the factored method, if measured. `None` if the CPU was not measured with the exhaustive one.
pub(super) fn faster(measured: &Measured) -> Option<String> {
    let Series { name, doves, median_seconds, .. } = measured.of(Method::Exhaustive, false)?;
    let mut sentence = match measured.of(Method::Exhaustive, true) {
        Some(gpu) => {
            let (ratio, compared) = match median_seconds / gpu.median_seconds {
                ratio @ 1.0.. => (ratio, "as fast as"),
                ratio => (ratio.recip(), "slower than"),
            };
            let gpu = &gpu.name;
            format!(
                "{gpu} is {ratio:.1} times {compared} {name}, both testing every assignment of {doves} doves"
            )
        }
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
    let mut table = number_table(&["method", "doves", "on", "median", "from", "to", "runs", "GPU time"]);
    for series in &measured.series {
        let gpu_time = match series.adapter {
            None => "–".to_owned(),
            Some(_) => series.median_gpu_seconds.map_or("not known".to_owned(), seconds),
        };
        table.add_row([
            series.method.to_string(),
            series.doves.clone(),
            // A GPU's name may be long, and is printed below.
            series.adapter.as_ref().map_or(series.name.clone(), |_| "GPU".to_owned()),
            seconds(series.median_seconds),
            seconds(series.minimum_seconds),
            seconds(series.maximum_seconds),
            series.runs.to_string(),
            gpu_time,
        ]);
    }
    table
}

/// A sentence about what `count` does on this machine by default, or a note that it uses this adapter only if named.
/// `None` if an option selects the backend, another adapter, or the factored method.
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
        return Some("count runs on the CPU, which confirms its own count with the other method".to_owned());
    };
    let all = Workload::new(&ALL_DOVES, Category::Mates).assignments();
    let time = gpu.median_seconds * all as f64 / gpu.assignments.max(1) as f64;
    let confirmed = match time <= Runner::LONGEST_CONFIRMATION.as_secs_f64() {
        true => format!("all assignments, in about {time:.1} s"),
        false => {
            format!("those numbers of doves that take at most {} s", Runner::LONGEST_CONFIRMATION.as_secs())
        }
    };
    Some(format!("count runs on the CPU, and this GPU tests {confirmed}"))
}

/// The summary of all measurements on one line, for a report.
pub(super) fn line(measured: &Measured) -> String {
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
