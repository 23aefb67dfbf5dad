//! Checks one input a number of times, for `scripts/instructions` to count the instructions.
//!
//! `instructions CASE HOW TIMES`, where `HOW` is `verdict` for compact JSON, `spaced` or `pretty` for
//! the same in another spelling, `line` for a line of `toolpact validate`, `spaced-line`, `reasons`
//! for the invalid text and why it is that, `write`, or `write-then-check` for the two apart.

#[expect(dead_code, reason = "the benchmark has a use for all of it")]
#[path = "../benches/check/cases/mod.rs"]
mod cases;

use std::error::Error;
use std::hint::black_box;

use cases::{Case, Lines, Ours, Spelling, Writer};
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
        "verdict" => verdict(&case, Spelling::Compact, times),
        "spaced" => verdict(&case, Spelling::Spaced, times),
        "pretty" => verdict(&case, Spelling::Pretty, times),
        "line" => line(&case, Spelling::Compact, times),
        "spaced-line" => line(&case, Spelling::Spaced, times),
        "reasons" => reasons(&case, times),
        "write" => write(&case, times),
        "write-then-check" => write_then_check(&case, times),
        _ => Err(format!("expected a way to check it, found `{how}`").into()),
    }
}

fn verdict(case: &Case, spelling: Spelling, times: usize) -> Result<(), Box<dyn Error>> {
    let (ours, text) = (Ours::new(case, Level::Meaning)?, spelling.of(&case.valid));
    for _ in 0..times {
        assert!(ours.is_valid(black_box(&text)));
    }
    Ok(())
}

fn line(case: &Case, spelling: Spelling, times: usize) -> Result<(), Box<dyn Error>> {
    let lines = Lines::new(case)?;
    let line = spelling.of(&lines.compact());
    for _ in 0..times {
        assert!(lines.is_valid(black_box(&line)));
    }
    Ok(())
}

fn reasons(case: &Case, times: usize) -> Result<(), Box<dyn Error>> {
    let lines = Lines::new(case)?;
    let line = lines.compact_invalid();
    for _ in 0..times {
        assert!(!lines.is_valid(black_box(&line)));
    }
    Ok(())
}

fn write(case: &Case, times: usize) -> Result<(), Box<dyn Error>> {
    let writer = Writer::new(case)?;
    for _ in 0..times {
        assert!(black_box(&case.payload).checked(&writer).is_some());
    }
    Ok(())
}

fn write_then_check(case: &Case, times: usize) -> Result<(), Box<dyn Error>> {
    let writer = Writer::new(case)?;
    for _ in 0..times {
        let json = black_box(&case.payload).plain().ok_or("JSON")?;
        assert!(writer.is_valid(black_box(&json)));
    }
    Ok(())
}
