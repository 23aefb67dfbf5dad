//! Cases for programs that infer schemas, and how good their schemas are: see `scripts/infer-peers`.
//!
//! `cargo run -p toolpact-core --example infer_cases -- write DIR SCHEMAS VALUES` writes a folder for each schema,
//! with `examples.jsonl` and what we infer from it, `toolpact.json`; `… judge DIR SCHEMAS VALUES NAME…` prints a row
//! for the schemas `NAME.json` in them, and `… misses DIR SCHEMAS VALUES NAME` why they refuse other values; `… values BYTES` writes so many bytes of values of tools, one a line.

#![expect(clippy::print_stdout, reason = "the table is what it is for")]

use std::error::Error;
use std::fs;
use std::io::{BufWriter, Write as _};
use std::path::Path;

#[path = "../tests/it/infer/cases.rs"]
mod cases;
#[path = "../tests/it/differential/make.rs"]
#[expect(dead_code, reason = "only schemas are made here")]
mod make;

use serde_json::Value as Json;
use toolpact_core::json::Value;

use cases::{Case, Score, Sizes, cases, infer, judge, validator};

/// Another seed makes other schemas.
const SEED: u64 = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match &words[..] {
        ["write", dir, schemas, values] => write(Path::new(dir), sizes(schemas, values)?),
        ["judge", dir, schemas, values, names @ ..] => {
            let sizes = sizes(schemas, values)?;
            for name in names {
                row(Path::new(dir), sizes, name);
            }
            Ok(())
        }
        ["misses", dir, schemas, values, name] => {
            misses(Path::new(dir), sizes(schemas, values)?, name);
            Ok(())
        }
        ["values", bytes] => values(bytes.parse()?),
        _ => Err("expected `write`, `judge`, `misses` or `values`, as the source says".into()),
    }
}

fn sizes(schemas: &str, values: &str) -> Result<Sizes, Box<dyn Error>> {
    let values = values.parse()?;
    Ok(Sizes {
        schemas: schemas.parse()?,
        examples: values,
        fresh: values,
    })
}

fn write(dir: &Path, sizes: Sizes) -> Result<(), Box<dyn Error>> {
    for (number, case) in cases(SEED, sizes).enumerate() {
        let folder = dir.join(format!("{number:03}"));
        fs::create_dir_all(&folder)?;
        let lines: Vec<&str> = case.examples.iter().map(Value::text).collect();
        fs::write(folder.join("examples.jsonl"), lines.join("\n") + "\n")?;
        fs::write(folder.join("schema.json"), case.schema.text())?;
        fs::write(folder.join("toolpact.json"), infer(&case).text())?;
    }
    Ok(())
}

/// The cases are made again: the same seed makes the same.
fn row(dir: &Path, sizes: Sizes, name: &str) {
    let (mut total, mut of_tools, mut below) = (Score::default(), Score::default(), 0);
    for (number, case) in cases(SEED, sizes).enumerate() {
        let path = dir.join(format!("{number:03}/{name}.json"));
        let schema = fs::read_to_string(path)
            .ok()
            .and_then(|text| serde_json::from_str(&text).ok());
        let score = judge(&case, &schema.unwrap_or_default());
        total.add(score);
        if case.family == "tools" {
            of_tools.add(score);
        }
        below += usize::from(score.accepted() < 99.0);
    }
    println!(
        "{name:10} {:9.2} % {:9.2} % {:11.2} % {:11.2} % {below:9}",
        total.accepted(),
        total.refused(),
        of_tools.accepted(),
        of_tools.refused()
    );
}

/// The first reason why each value that should be accepted is not.
fn misses(dir: &Path, sizes: Sizes, name: &str) {
    for (number, case) in cases(SEED, sizes).enumerate() {
        let path = dir.join(format!("{number:03}/{name}.json"));
        let schema = fs::read_to_string(path)
            .ok()
            .and_then(|text| serde_json::from_str(&text).ok());
        for why in refusals(&case, &schema.unwrap_or_default()) {
            println!("{number:03} {:5} {why}", case.family);
        }
    }
}

fn refusals(case: &Case, schema: &Json) -> Vec<String> {
    let Some(judge) = validator(schema) else {
        return vec!["no schema".to_owned()];
    };
    let why = |value: &Value| {
        let json: Json = serde_json::from_str(value.text()).ok()?;
        let error = judge.iter_errors(&json).next()?;
        let (at, rule) = (error.instance_path(), error.schema_path());
        Some(format!("{at} {rule}: {error}"))
    };
    case.fresh.iter().filter_map(why).collect()
}

fn values(bytes: usize) -> Result<(), Box<dyn Error>> {
    let sizes = Sizes {
        schemas: 4,
        examples: 2_000,
        fresh: 10,
    };
    let mut cases = cases(SEED, sizes).filter(|case| case.family == "tools");
    let case = cases.next().ok_or("no case")?;
    let mut out = BufWriter::new(std::io::stdout());
    let mut written = 0;
    for value in case.examples.iter().cycle() {
        writeln!(out, "{}", value.text())?;
        written += value.text().len() + 1;
        if written >= bytes {
            return Ok(out.flush()?);
        }
    }
    Ok(())
}
