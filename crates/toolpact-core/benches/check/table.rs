//! The figures of one case.

use serde_json::json;

use crate::engines::Kind;
use crate::measure::{Measured, Row, Written};

pub(crate) fn print(measured: &Measured) {
    let Some(ours) = measured.get(Kind::Ours) else {
        return;
    };
    println!(
        "{:<43} {:>10} {:>7} {:>7}   {:>11} {:>7}",
        format!("{}, {} bytes", measured.name, measured.bytes),
        "valid, µs",
        "×",
        "MB/s",
        "invalid, µs",
        "×"
    );
    for row in &measured.rows {
        print_row(row, ours, measured.bytes);
    }
    let Written { plain, checked } = measured.written;
    print_written("written by serde_json", plain, checked);
    print_written("toolpact: written and checked", checked, checked);
    println!();
}

/// For programs: microseconds.
pub(crate) fn json(measured: &Measured) -> String {
    let row = measured.get(Kind::Ours);
    let valid = row.map(|row| microseconds(row.valid));
    let invalid = row.map(|row| microseconds(row.invalid));
    let engine = concat!("toolpact ", env!("CARGO_PKG_VERSION"));
    let name = measured.name;
    json!({"engine": engine, "case": name, "valid": valid, "invalid": invalid}).to_string()
}

fn print_row(row: &Row, ours: &Row, bytes: usize) {
    println!(
        "  {:<41} {:>10.3} {:>7.2} {:>7.0}   {:>11.3} {:>7.2}",
        row.kind.title(),
        microseconds(row.valid),
        row.valid / ours.valid,
        megabytes(bytes) / row.valid,
        microseconds(row.invalid),
        row.invalid / ours.invalid,
    );
}

fn print_written(title: &str, time: f64, ours: f64) {
    let ratio = time / ours;
    println!("  {title:<41} {:>10.3} {ratio:>7.2}", microseconds(time));
}

pub(crate) fn microseconds(seconds: f64) -> f64 {
    seconds * 1e6
}

#[expect(clippy::cast_precision_loss, reason = "for figures that people read")]
pub(crate) fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}
