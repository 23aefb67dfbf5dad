//! Reads lines into what was observed, block by block on several threads.

use std::io::Write as _;
use std::mem;
use std::path::Path;

use toolpact_core::Violations;
use toolpact_core::check::batch::in_order;
use toolpact_core::infer::{Form, ObservedTools};
use toolpact_core::json::Limits;

use super::{Arguments, ensure_one_stdin};
use crate::commands::validate::progress::Progress;
use crate::commands::validate::stream::{PairBlock, Pairs, Stream};
use crate::output::{BOLD, ERROR, Output, count, printable};
use crate::status::Status;

/// As many lines that cannot be read are shown.
const SHOWN: usize = 10;

/// What was read so far.
pub(super) struct Reading<'a> {
    pub(super) observed: ObservedTools,
    pub(super) status: Status,
    arguments: &'a Arguments,
    limits: Limits,
    unread: usize,
}

/// What a block of lines shows.
struct Part {
    observed: ObservedTools,
    unread: Vec<(usize, Violations)>,
}

impl<'a> Reading<'a> {
    pub(super) fn new(observed: ObservedTools, arguments: &'a Arguments) -> Self {
        Self {
            observed,
            status: Status::Fine,
            arguments,
            limits: arguments.limits.limits(),
            unread: 0,
        }
    }

    /// Reads all files to their ends.
    pub(super) fn all(&mut self, arguments: &Arguments) -> anyhow::Result<()> {
        let files = &arguments.files;
        ensure_one_stdin(
            files
                .iter()
                .chain(&arguments.calls)
                .chain(&arguments.results),
        )?;
        for file in files {
            self.streams(None, Some(file), arguments.lines.into())?;
        }
        let (calls, results) = (arguments.calls.as_deref(), arguments.results.as_deref());
        match (calls, results) {
            (None, None) => {}
            (Some(calls), None) => self.streams(None, Some(calls), Form::Calls)?,
            (calls, results) => self.streams(calls, results, Form::Results)?,
        }
        self.observed.settle();
        let hidden = self.unread.saturating_sub(SHOWN);
        if hidden > 0 {
            let lines = count(hidden, "more line");
            writeln!(
                Output::stderr(),
                "{ERROR}and {lines} that cannot be read{ERROR:#}"
            )?;
        }
        Ok(())
    }

    fn streams(
        &mut self,
        calls: Option<&Path>,
        results: Option<&Path>,
        form: Form,
    ) -> anyhow::Result<()> {
        let mut progress = Progress::new();
        let mut open = |path: Option<&Path>| {
            let stream = path.map(|path| Stream::open(path, self.limits.bytes, &mut progress));
            stream.transpose()
        };
        let (calls, results) = (open(calls)?, open(results)?);
        let name = results
            .as_ref()
            .or(calls.as_ref())
            .map_or_else(String::new, |one| one.name.clone());
        progress.begin();
        let (limits, tool) = (self.limits, self.arguments.tool.clone());
        let read = match self.arguments.merge {
            // Each line widens what the lines before it have widened.
            Some(_) => Pairs::new(calls, results).try_for_each(|block| {
                let mut observed = mem::take(&mut self.observed);
                let unread = fold(&mut observed, &block?, form, &limits);
                observed.settle();
                self.observed = observed;
                self.tell(&name, unread, &progress)
            }),
            None => {
                let part = |block: anyhow::Result<PairBlock>| {
                    let mut observed = ObservedTools::default();
                    if let Some(tool) = &tool {
                        observed = observed.with_tool(tool);
                    }
                    let unread = fold(&mut observed, &block?, form, &limits);
                    anyhow::Ok(Part { observed, unread })
                };
                in_order(
                    Pairs::new(calls, results),
                    self.arguments.threads(),
                    part,
                    |part| {
                        let part = part?;
                        self.observed.merge(part.observed);
                        self.tell(&name, part.unread, &progress)
                    },
                )
            }
        };
        progress.finish();
        read
    }

    /// Reports lines that could not be read.
    fn tell(
        &mut self,
        name: &str,
        unread: Vec<(usize, Violations)>,
        progress: &Progress,
    ) -> anyhow::Result<()> {
        for (line, violations) in unread {
            self.status = Status::Wrong;
            self.unread += 1;
            if self.unread <= SHOWN {
                let why = violations
                    .iter()
                    .next()
                    .map(ToString::to_string)
                    .unwrap_or_default();
                let (name, why) = (printable(name), printable(&why));
                progress
                    .suspend(|| writeln!(Output::stderr(), "{BOLD}{name}:{line}:{BOLD:#} {why}"))?;
            }
        }
        Ok(())
    }
}

/// Adds the lines of a block, and returns those that cannot be read.
fn fold(
    observed: &mut ObservedTools,
    block: &PairBlock,
    form: Form,
    limits: &Limits,
) -> Vec<(usize, Violations)> {
    let (calls, results) = (&block.calls, &block.results);
    let mut unread = Vec::new();
    for at in 0..calls.len().max(results.len()) {
        let (read, line) = match (calls.get(at), results.get(at)) {
            (Some(call), Some(result)) => (
                observed.add_pair(call.bytes, result.bytes, limits),
                result.number,
            ),
            (Some(call), None) => (
                observed.add_line(call.bytes, Form::Calls, limits),
                call.number,
            ),
            (None, Some(result)) => (observed.add_line(result.bytes, form, limits), result.number),
            (None, None) => continue,
        };
        if let Err(violations) = read {
            unread.push((line, violations));
        }
    }
    unread
}
