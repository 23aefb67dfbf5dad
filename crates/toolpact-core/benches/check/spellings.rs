//! The same documents in three spellings: how many bytes a second of each.

use std::error::Error;

use toolpact_core::returns::Level;

use crate::cases::{Case, Lines, Ours, Spelling};
use crate::stopwatch::{Effort, Work, race};

/// Times the speed of compact JSON, at least.
const SPACED: f64 = 0.8;
const PRETTY: f64 = 0.6;

/// What checks a text.
type Check<'a> = Box<dyn Fn(&[u8]) -> bool + 'a>;

pub(crate) fn print(cases: &[&Case], effort: Effort) -> Result<(), Box<dyn Error>> {
    println!("MB/s of the same document, spelled compact, spaced and pretty");
    println!(
        "{:<36} {:>8} {:>8} {:>8} {:>9} {:>9}",
        "", "compact", "spaced", "pretty", "spaced ×", "pretty ×"
    );
    let mut least = [f64::INFINITY; 2];
    for case in cases {
        let ours = Ours::new(case, Level::Meaning)?;
        let verdict: Check<'_> = Box::new(|json| ours.is_valid(json));
        print_row(case.name, &case.valid, &verdict, effort, &mut least);
        let lines = Lines::new(case)?;
        let line: Check<'_> = Box::new(|json| lines.is_valid(json));
        let title = format!("{}, validate", case.name);
        print_row(&title, &lines.compact(), &line, effort, &mut least);
    }
    let [spaced, pretty] = least;
    println!(
        "least: spaced {spaced:.2}, goal: at least {SPACED}; pretty {pretty:.2}, goal: at least {PRETTY}\n"
    );
    Ok(())
}

fn print_row(title: &str, compact: &[u8], check: &Check<'_>, effort: Effort, least: &mut [f64; 2]) {
    let texts = Spelling::ALL.map(|spelling| spelling.of(compact));
    let works: Vec<Work<'_>> = texts
        .iter()
        .map(|text| -> Work<'_> { Box::new(|| check(text)) })
        .collect();
    let mut times = race(&works, effort);
    for _ in 1..effort.passes() {
        for (best, time) in times.iter_mut().zip(race(&works, effort)) {
            *best = best.min(time);
        }
    }
    let speeds: Vec<f64> = texts
        .iter()
        .zip(times)
        .map(|(text, time)| crate::table::megabytes(text.len()) / time)
        .collect();
    let [compact, spaced, pretty] = speeds[..] else {
        return;
    };
    let ratios = [spaced / compact, pretty / compact];
    println!(
        "{title:<36} {compact:>8.0} {spaced:>8.0} {pretty:>8.0} {:>9.2} {:>9.2}",
        ratios[0], ratios[1]
    );
    for (least, ratio) in least.iter_mut().zip(ratios) {
        *least = least.min(ratio);
    }
}
