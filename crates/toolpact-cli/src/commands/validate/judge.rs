use std::num::NonZeroUsize;

use toolpact_core::Violations;
use toolpact_core::check::batch::in_order;
use toolpact_core::json::Limits;
use toolpact_core::returns::Enforcer;
use toolpact_core::toolset::Toolset;

use super::record::{Record, Tally};
use super::stream::{PairBlock, Pairs};
use crate::output::Output;

/// What the lines of streams are checked against.
pub(super) enum Against<'a> {
    /// Calls and results of these tools.
    Tools(&'a Toolset),
    /// The contract of values; their stream is that of results.
    Promise(&'a Enforcer),
}

/// Checks streams on several threads.
pub(super) struct Judge<'a> {
    pub(super) against: Against<'a>,
    pub(super) limits: Limits,
    pub(super) threads: NonZeroUsize,
}

/// The two streams, as far as they are given.
pub(super) struct Tallies {
    pub(super) calls: Option<Tally>,
    pub(super) results: Option<Tally>,
}

/// The findings of a block, in the order in which they are reported.
struct Findings {
    calls: usize,
    results: usize,
    list: Vec<Finding>,
}

struct Finding {
    stream: Which,
    line: usize,
    violations: Violations,
}

#[derive(Clone, Copy)]
enum Which {
    Calls,
    Results,
}

impl Judge<'_> {
    /// Reads the streams to their ends and records every violation.
    pub(super) fn run(
        &self,
        pairs: Pairs,
        tallies: &mut Tallies,
        record: &mut Record,
        out: &mut Output,
    ) -> anyhow::Result<()> {
        let judge = |block: anyhow::Result<PairBlock>| block.map(|block| self.block(&block));
        in_order(pairs, self.threads, judge, |found| {
            tallies.add(found?, record, out)
        })
    }

    fn block(&self, block: &PairBlock) -> Findings {
        let (calls, results) = (block.calls.len(), block.results.len());
        let mut list = Vec::new();
        let mut add = |stream, line, violations: Violations| {
            if !violations.is_empty() {
                list.push(Finding {
                    stream,
                    line,
                    violations,
                });
            }
        };
        for at in 0..calls.max(results) {
            let (call, result) = (block.calls.get(at), block.results.get(at));
            if let Some(call) = call {
                add(Which::Calls, call.number, self.call(call.bytes));
            }
            if let Some(result) = result {
                let violations = self.result(result.bytes, call.map(|call| call.bytes));
                add(Which::Results, result.number, violations);
            }
        }
        Findings {
            calls,
            results,
            list,
        }
    }

    fn call(&self, call: &[u8]) -> Violations {
        match self.against {
            Against::Tools(tools) => tools.check_call_message(call, &self.limits).violations,
            Against::Promise(_) => Violations::default(),
        }
    }

    fn result(&self, result: &[u8], call: Option<&[u8]>) -> Violations {
        match self.against {
            Against::Tools(tools) => {
                let checked = tools.check_result_message(result, call, &self.limits);
                checked.violations
            }
            Against::Promise(promise) => promise.check_within(result, &self.limits).violations,
        }
    }
}

impl Tallies {
    fn add(
        &mut self,
        found: Findings,
        record: &mut Record,
        out: &mut Output,
    ) -> anyhow::Result<()> {
        for (tally, lines) in [
            (&mut self.calls, found.calls),
            (&mut self.results, found.results),
        ] {
            if let Some(tally) = tally {
                tally.lines += lines;
            }
        }
        for finding in found.list {
            let tally = match finding.stream {
                Which::Calls => &mut self.calls,
                Which::Results => &mut self.results,
            };
            if let Some(tally) = tally {
                record.line(tally, finding.line, &finding.violations, out)?;
            }
        }
        Ok(())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Tally> {
        self.calls.iter().chain(&self.results)
    }
}
