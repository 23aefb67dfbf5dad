use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use toolpact_core::json::{Limits, Value};
use toolpact_core::returns::choose::{self, Choice, Confidence, SampleFit};

use super::guide;
use crate::files::Source;
use crate::output::{BOLD, FINE, Output, WARNING, printable};
use crate::status::Status;

/// Suggest the return type that fits a use case or a sample result
///
/// Exit status 1 means that it is unsure.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("evidence").required(true))]
pub(crate) struct Arguments {
    /// What the tool does, in words
    #[arg(long, value_name = "WORDS", group = "evidence")]
    use_case: Option<String>,
    /// A file with a result, as JSON or YAML; `-` for standard input; or the result itself, as JSON
    #[arg(long, value_name = "FILE", group = "evidence")]
    sample: Option<PathBuf>,
    /// Ask a few questions, or print them all if this is not a terminal
    #[arg(long, group = "evidence")]
    guide: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    if arguments.guide {
        return guide::run(out);
    }
    let sample = arguments.sample.as_deref().map(read).transpose()?;
    let choice = match (&arguments.use_case, &sample) {
        (Some(words), _) => choose::for_use_case(words),
        (None, Some(sample)) => choose::for_sample(sample),
        (None, None) => anyhow::bail!("give --use-case, --sample or --guide"),
    };
    show(&choice, out)?;
    match &sample {
        Some(sample) => show_fit(&choice, sample, out)?,
        None => show_forms(&choice, out)?,
    }
    Ok(Status::wrong_if(choice.confidence() == Confidence::Unsure))
}

fn read(path: &Path) -> anyhow::Result<Value> {
    let word = path.to_str().map(str::trim_start);
    let is_json = word.is_some_and(|word| word.starts_with(['{', '[', '"']));
    if let Some(json) = word.filter(|_| is_json && !path.exists()) {
        return Value::from_json(json).context("expected the sample as JSON");
    }
    let path = (path.as_os_str() != "-").then(|| path.to_owned());
    let source = Source { path, found: false };
    let bytes = source.read()?;
    let document = source.parse(&bytes, &Limits::default());
    document
        .into_value()
        .map_err(|violations| anyhow::anyhow!("{}: {violations}", source.name()))
}

fn show(choice: &Choice, out: &mut Output) -> anyhow::Result<()> {
    let standard = choice.standard();
    let style = match choice.confidence() {
        Confidence::Unsure => WARNING,
        Confidence::Likely | Confidence::Certain => FINE,
    };
    writeln!(out, "{BOLD}{standard}{BOLD:#}: {}", standard.purpose())?;
    writeln!(
        out,
        "{style}{}{style:#}: {}",
        choice.confidence(),
        choice.reasons().join("; ")
    )?;
    let alternatives: Vec<&str> = choice.alternatives().iter().map(|a| a.name()).collect();
    if !alternatives.is_empty() {
        writeln!(out, "or {}", alternatives.join(", "))?;
    }
    Ok(())
}

/// Whether the sample is of the type, or natural output that is lifted into it.
fn show_fit(choice: &Choice, sample: &Value, out: &mut Output) -> anyhow::Result<()> {
    let standard = choice.standard();
    match SampleFit::of(sample, standard) {
        SampleFit::AsItIs => writeln!(out, "the sample is of this type as it is")?,
        SampleFit::Lifted(_) => writeln!(
            out,
            "the sample is natural output, which is lifted into {standard}"
        )?,
        SampleFit::Neither(violations) => {
            let first = violations.iter().next().map(ToString::to_string);
            let first = printable(&first.unwrap_or_default());
            writeln!(out, "the sample is not of this type yet: {first}")?;
            // An envelope that is wrong is not mapped, but fixed.
            if sample.root().get("success").is_none() {
                writeln!(out, "`lift` in the contract can say where its parts are")?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// The two things that a tool can return: the type, or what is lifted into it.
fn show_forms(choice: &Choice, out: &mut Output) -> anyhow::Result<()> {
    let standard = choice.standard();
    if let Some(natural) = standard.natural_form() {
        writeln!(
            out,
            "a tool returns the type as it is, or {natural}, which is lifted into it"
        )?;
    }
    Ok(())
}
