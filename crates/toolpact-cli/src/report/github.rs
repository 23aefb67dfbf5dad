use std::io::Write;

use super::{FileReport, Reporter, Summary, level};
use crate::output::Output;

/// Workflow commands: `::error file=…,line=…,col=…,title=…::message`.
pub(super) struct Github;

impl Reporter for Github {
    fn file(&mut self, file: &FileReport<'_>, out: &mut Output) -> anyhow::Result<()> {
        for violation in file.violations {
            write!(
                out,
                "::{} file={}",
                level(violation.severity()),
                property(file.name)
            )?;
            if let Some(location) = violation.location() {
                write!(out, ",line={},col={}", location.line, location.column)?;
            }
            let mut message = violation.message().to_owned();
            if let Some(suggestion) = violation.suggestion() {
                message = format!("{message}; {}", suggestion.text);
            }
            writeln!(
                out,
                ",title={}::{}",
                property(violation.code()),
                data(&message)
            )?;
        }
        Ok(())
    }

    fn end(&mut self, _: &Summary, _: &mut Output) -> anyhow::Result<()> {
        Ok(())
    }
}

/// An annotation of a file as a whole.
pub(crate) fn annotation(level: &str, file: &str, title: &str, message: &str) -> String {
    let (file, title) = (property(file), property(title));
    format!("::{level} file={file},title={title}::{}", data(message))
}

fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
