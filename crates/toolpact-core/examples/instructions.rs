//! Checks one input a number of times, for `scripts/instructions` to count the instructions.
//!
//! `instructions CASE HOW TIMES`, where `HOW` is `verdict` or `write`.

#[expect(dead_code, reason = "the benchmark has a use for all of it")]
#[path = "../benches/check/cases/mod.rs"]
mod cases;

use std::error::Error;
use std::hint::black_box;

use cases::{Case, Ours, Writer};
use toolpact_core::returns::Level;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [name, how, times] = args.as_slice() else {
        return Err("expected a case, how to check it and how often".into());
    };
    let case = cases::all()?.into_iter().find(|case| case.name == name);
    let case = case.ok_or("expected the name of a case")?;
    let times = times.parse()?;
    match how.as_str() {
        "verdict" => verdict(&case, times),
        "write" => write(&case, times)?,
        _ => return Err("expected `verdict` or `write`".into()),
    }
    Ok(())
}

fn verdict(case: &Case, times: usize) {
    let ours = Ours::new(case, Level::Meaning);
    for _ in 0..times {
        assert!(ours.is_valid(black_box(&case.valid)));
    }
}

fn write(case: &Case, times: usize) -> Result<(), Box<dyn Error>> {
    let writer = Writer::new(case)?;
    for _ in 0..times {
        assert!(black_box(&case.payload).checked(&writer).is_some());
    }
    Ok(())
}
