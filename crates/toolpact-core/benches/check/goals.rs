//! What was aimed at, and what came of it. Notes only: a busy machine is no failure.

use crate::engines::Kind;
use crate::measure::Measured;

/// Times faster than `serde_json` and `jsonschema`, in each case and in the geometric mean.
const EACH: f64 = 8.0;
const MEAN: f64 = 11.0;
/// Times the time of `serde_json::to_vec`.
const WRITING: f64 = 1.15;

pub(crate) fn print(all: &[Measured]) {
    println!("toolpact's verdict, times faster than");
    println!(
        "{:<28} {:>18} {:>13} {:>10} {:>10} {:>10}   {:>16}",
        "", "serde+jsonschema", "(passes)", "invalid", "IgnoredAny", "sonic-rs", "written, × plain"
    );
    for measured in all {
        print_line(measured.name, &Ratios::of(measured));
    }
    let all: Vec<Ratios> = all.iter().map(Ratios::of).collect();
    let mean = Ratios::mean(&all);
    print_line("geometric mean", &mean);
    print_shape(&all, &mean);
    println!();
    print_notes(&all, &mean);
}

struct Ratios {
    jsonschema: f64,
    /// From the least to the most of the passes.
    passes: String,
    jsonschema_shape: Option<f64>,
    jsonschema_invalid: f64,
    ignored: f64,
    sonic: f64,
    writing: f64,
}

impl Ratios {
    fn of(measured: &Measured) -> Self {
        let time = |kind| measured.get(kind).map(|row| row.valid);
        let valid = |kind| ratio(time(kind), time(Kind::Ours)).unwrap_or(f64::NAN);
        let invalid = |kind| measured.get(kind).map(|row| row.invalid);
        let shape = time(Kind::JsonschemaShape).or(time(Kind::Jsonschema));
        Self {
            jsonschema: valid(Kind::Jsonschema),
            passes: range(&measured.passes),
            jsonschema_shape: ratio(shape, time(Kind::OursShape)),
            jsonschema_invalid: ratio(invalid(Kind::Jsonschema), invalid(Kind::Ours))
                .unwrap_or(f64::NAN),
            ignored: valid(Kind::SerdeIgnored),
            sonic: valid(Kind::SonicValue),
            writing: measured.written.checked / measured.written.plain,
        }
    }

    fn mean(all: &[Self]) -> Self {
        let mean = |get: fn(&Self) -> f64| geometric_mean(all.iter().map(get));
        Self {
            jsonschema: mean(|ratios| ratios.jsonschema),
            passes: String::new(),
            jsonschema_shape: Some(geometric_mean(
                all.iter().filter_map(|ratios| ratios.jsonschema_shape),
            )),
            jsonschema_invalid: mean(|ratios| ratios.jsonschema_invalid),
            ignored: mean(|ratios| ratios.ignored),
            sonic: mean(|ratios| ratios.sonic),
            writing: mean(|ratios| ratios.writing),
        }
    }
}

fn print_line(title: &str, ratios: &Ratios) {
    println!(
        "{title:<28} {:>18.2} {:>13} {:>10.2} {:>10.2} {:>10.2}   {:>16.2}",
        ratios.jsonschema,
        ratios.passes,
        ratios.jsonschema_invalid,
        ratios.ignored,
        ratios.sonic,
        ratios.writing
    );
}

/// The results once more, where both sides check the schema and nothing else.
fn print_shape(all: &[Ratios], mean: &Ratios) {
    let each: Vec<String> = all
        .iter()
        .filter_map(|ratios| ratios.jsonschema_shape)
        .map(|ratio| format!("{ratio:.2}"))
        .collect();
    if let (false, Some(mean)) = (each.is_empty(), mean.jsonschema_shape) {
        let each = each.join(", ");
        println!("results, shape only: {each}; geometric mean {mean:.2}");
    }
}

fn print_notes(all: &[Ratios], mean: &Ratios) {
    let least = |get: fn(&Ratios) -> f64| all.iter().map(get).fold(f64::INFINITY, f64::min);
    let most = |get: fn(&Ratios) -> f64| all.iter().map(get).fold(0.0, f64::max);
    let slowest = least(|ratios| ratios.jsonschema);
    at_least("serde_json + jsonschema, each", slowest, EACH);
    at_least("serde_json + jsonschema, mean", mean.jsonschema, MEAN);
    at_least("IgnoredAny, mean", mean.ignored, 1.0);
    at_least("sonic-rs, mean", mean.sonic, 1.0);
    at_most("written, each", most(|ratios| ratios.writing), WRITING);
    at_most("written, mean", mean.writing, WRITING);
}

fn at_least(what: &str, found: f64, goal: f64) {
    note(
        found >= goal,
        what,
        &format!("{found:.2}, goal: at least {goal}"),
    );
}

fn at_most(what: &str, found: f64, goal: f64) {
    note(
        found <= goal,
        what,
        &format!("{found:.2}, goal: at most {goal}"),
    );
}

fn note(kept: bool, what: &str, figures: &str) {
    let verdict = if kept { "PASS" } else { "FAIL" };
    println!("{verdict}  {what:<30} {figures}");
}

fn range(ratios: &[f64]) -> String {
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let most = ratios.iter().copied().fold(0.0, f64::max);
    format!("{least:.2}–{most:.2}")
}

fn ratio(peer: Option<f64>, ours: Option<f64>) -> Option<f64> {
    Some(peer? / ours?)
}

fn geometric_mean(ratios: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = ratios.fold((0.0, 0.0), |(sum, count), ratio: f64| {
        (sum + ratio.ln(), count + 1.0)
    });
    (sum / count).exp()
}
