use std::io::Write;

use toolpact_core::violation::Location;

use super::{FileReport, Reporter, Summary, level};
use crate::output::Output;

/// Workflow commands: `::error file=…,line=…,col=…,title=…::message`.
pub(super) struct Github;

impl Reporter for Github {
    fn file(&mut self, file: &FileReport<'_>, out: &mut Output) -> anyhow::Result<()> {
        for violation in file.violations {
            let mut message = violation.message().to_owned();
            if let Some(suggestion) = violation.suggestion() {
                message = format!("{message}; {}", suggestion.text);
            }
            let place = Some((file.name, violation.location()));
            let level = level(violation.severity());
            let line = annotation(level, place, violation.code(), &message);
            writeln!(out, "{line}")?;
        }
        Ok(())
    }

    fn end(&mut self, _: &Summary, _: &mut Output) -> anyhow::Result<()> {
        Ok(())
    }
}

/// An annotation of a place in a file, of a file as a whole, or of none.
pub(crate) fn annotation(
    level: &str,
    place: Option<(&str, Option<&Location>)>,
    title: &str,
    message: &str,
) -> String {
    let mut line = format!("::{level} ");
    if let Some((file, location)) = place {
        line += &format!("file={},", property(file));
        if let Some(location) = location {
            line += &format!("line={},col={},", location.line, location.column);
        }
    }
    format!("{line}title={}::{}", property(title), data(message))
}

fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
