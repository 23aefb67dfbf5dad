//! Calls and results checked straight from their bytes, beside the libraries one would use instead.
//!
//! `cargo bench -p toolpact-core --bench check`; with `-- --help` it says what else it can do.

#![expect(clippy::print_stdout, reason = "printing figures is what it is for")]

mod args;
#[expect(
    dead_code,
    reason = "the example `instructions` has a use for the rest"
)]
mod cases;
mod engines;
mod goals;
mod measure;
mod peers;
mod spellings;
mod stopwatch;
mod table;
mod versions;
mod write;

use std::error::Error;

use args::{Args, Mode};
use cases::Case;
use engines::Engine;
use measure::Measured;
use stopwatch::Effort;

fn main() -> Result<(), Box<dyn Error>> {
    let args = args::parse(std::env::args().skip(1))?;
    if args.mode == Mode::Help {
        println!("{}", args::HELP);
        return Ok(());
    }
    let cases = cases::all()?;
    let chosen: Vec<&Case> = cases.iter().filter(|case| args.wants(case.name)).collect();
    if chosen.is_empty() {
        return Err(format!("expected a case, one of {}", names(&cases)).into());
    }
    match (&args.write, args.mode) {
        (Some(folder), _) => write::inputs(folder, &chosen),
        (None, Mode::OnlyOurs) => only_ours(&chosen, &args),
        (None, Mode::Spellings) => spellings::print(&chosen, args.effort),
        (None, Mode::All | Mode::Help) => side_by_side(&chosen, &args),
    }
}

fn side_by_side(cases: &[&Case], args: &Args) -> Result<(), Box<dyn Error>> {
    println!("{}\n", versions::page());
    let all = measure(cases, args.effort, engines::all)?;
    all.iter().for_each(table::print);
    goals::print(&all);
    println!();
    spellings::print(cases, args.effort)
}

/// All cases, and all of them again, so that no case has only one moment of the machine.
fn measure<'a>(
    cases: &[&'a Case],
    effort: Effort,
    engines: impl Fn(&'a Case) -> Result<Vec<Engine<'a>>, Box<dyn Error>>,
) -> Result<Vec<Measured>, Box<dyn Error>> {
    let engines: Vec<Vec<Engine<'_>>> = cases
        .iter()
        .map(|case| engines(case))
        .collect::<Result<_, _>>()?;
    let pass = || -> Result<Vec<Measured>, Box<dyn Error>> {
        let pairs = cases.iter().zip(&engines);
        pairs
            .map(|(case, engines)| Measured::of(case, engines, effort))
            .collect()
    };
    let mut all = pass()?;
    for _ in 1..effort.passes() {
        for (measured, other) in all.iter_mut().zip(pass()?) {
            measured.merge(&other);
        }
    }
    Ok(all)
}

/// For `scripts/bench-peers`, which measures others and wants our figures from the same minutes.
fn only_ours(cases: &[&Case], args: &Args) -> Result<(), Box<dyn Error>> {
    let all = measure(cases, args.effort, engines::verdict)?;
    for measured in &all {
        match args.json {
            true => println!("{}", table::json(measured)),
            false => table::print(measured),
        }
    }
    Ok(())
}

fn names(cases: &[Case]) -> String {
    let names: Vec<&str> = cases.iter().map(|case| case.name).collect();
    names.join(", ")
}
