use std::path::Path;

use toolpact_core::json::Document;
use toolpact_core::returns::{self, Returns, StandardType};

use super::progress::Progress;
use super::record::Record;
use super::stream::Stream;
use super::{Arguments, Level};
use crate::output::Output;
use crate::status::Status;

/// Holds every line to a standard return type.
pub(super) fn run(
    arguments: &Arguments,
    values: &Path,
    standard: StandardType,
    out: &mut Output,
) -> anyhow::Result<Status> {
    let limits = arguments.limits.limits();
    let level = match arguments.level {
        Level::Shape => returns::Level::Shape,
        Level::Meaning => returns::Level::Meaning,
    };
    let promise = Returns::Standard {
        standard,
        refinement: None,
    };
    let enforcer = promise.enforcer(level);
    let mut progress = Progress::new();
    let mut stream = Stream::open(values, limits.bytes, &mut progress)?;
    let mut record = Record::new(arguments.report.as_deref(), arguments.quiet, progress)?;
    let read = loop {
        match stream.next() {
            Ok(Some(line)) => {
                let document = Document::json(&line.bytes, &limits);
                let checked = enforcer.check_document(&document);
                record.line(&mut stream, line.number, &checked.violations, out)?;
            }
            Ok(None) => break Ok(()),
            Err(problem) => break Err(problem),
        }
    };
    record.summarise(std::iter::once((&stream, "value")), out)?;
    read?;
    Ok(Status::wrong_if(record.errors > 0))
}
