//! The command line.

use std::path::PathBuf;

use crate::stopwatch::Effort;

pub(crate) const HELP: &str = "\
cargo bench -p toolpact-core --bench check -- [options]
  --quick      a rough run, of some ten seconds
  --case TEXT  only the cases with this in their name
  --write DIR  measures nothing; writes the inputs and schemas, for other languages
  --only-ours  only the verdicts of toolpact
  --spellings  only the same documents with and without white space
  --json       with --only-ours: one JSON object a line, times in microseconds";

/// What to measure, if anything.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Mode {
    #[default]
    All,
    OnlyOurs,
    Spellings,
    Help,
}

#[derive(Default)]
pub(crate) struct Args {
    pub(crate) mode: Mode,
    pub(crate) effort: Effort,
    pub(crate) case: String,
    pub(crate) write: Option<PathBuf>,
    pub(crate) json: bool,
}

impl Args {
    pub(crate) fn wants(&self, name: &str) -> bool {
        name.contains(&self.case)
    }
}

pub(crate) fn parse(args: impl Iterator<Item = String>) -> Result<Args, String> {
    let mut parsed = Args::default();
    let mut args = args;
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--help" | "-h" => parsed.mode = Mode::Help,
            // What `cargo bench` adds; without it, it is only to be seen that it works.
            "--bench" => parsed.effort = parsed.effort.max(Effort::Full),
            "--quick" => parsed.effort = Effort::Quick,
            "--case" => parsed.case = value(&mut args, &arg)?,
            "--write" => parsed.write = Some(value(&mut args, &arg)?.into()),
            "--only-ours" => parsed.mode = Mode::OnlyOurs,
            "--spellings" => parsed.mode = Mode::Spellings,
            "--json" => parsed.json = true,
            _ => return Err(format!("unknown argument {arg:?}\n{HELP}")),
        }
    }
    Ok(parsed)
}

fn value(args: &mut impl Iterator<Item = String>, option: &str) -> Result<String, String> {
    args.next()
        .ok_or_else(|| format!("expected a value after {option}"))
}
