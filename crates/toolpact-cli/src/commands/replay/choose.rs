//! Which recorded calls are made again.

use std::collections::HashMap;

use toolpact_audit::{Record, RecordedCall};
use toolpact_core::contract::Contract;

use super::Arguments;

/// Errors that tell about the moment, and nothing about the tool.
const OF_THE_MOMENT: [&str; 6] = [
    "RATE_LIMIT_EXCEEDED",
    "RATE_LIMIT_CONCURRENCY",
    "INTERNAL_TIMEOUT",
    "INTERNAL_CANCELLED",
    "INTERNAL_AUDIT",
    "EXTERNAL_TIMEOUT",
];

/// Chooses calls, each of different arguments once: the last.
pub(super) struct Choice<'a> {
    arguments: &'a Arguments,
    /// The place of the last call with the same tool and arguments.
    last: HashMap<(&'a str, String), usize>,
}

impl<'a> Choice<'a> {
    pub(super) fn new(arguments: &'a Arguments, record: &'a Record) -> Self {
        let mut last = HashMap::new();
        for (place, call) in record.calls.iter().enumerate() {
            if let (Some(args), None) = (&call.args, useless(call)) {
                last.insert((&*call.tool, args.to_canonical()), place);
            }
        }
        Self { arguments, last }
    }

    /// Why a call is not made again, if it is not. `contract` is that of the tool as it is now.
    pub(super) fn reason(
        &self,
        place: usize,
        call: &RecordedCall,
        contract: &Contract,
    ) -> Option<String> {
        if let Some(why) = useless(call) {
            return Some(why);
        }
        let key = call
            .args
            .as_ref()
            .map(|args| (&*call.tool, args.to_canonical()));
        if key
            .and_then(|key| self.last.get(&key))
            .is_some_and(|last| *last != place)
        {
            return Some("it was made with the same arguments again later".to_owned());
        }
        let is_named = self.arguments.tool.contains(&call.tool);
        if !self.arguments.tool.is_empty() && !is_named {
            return Some("--tool names others".to_owned());
        }
        let is_safe = contract.effects().read_only() == Some(true);
        (!is_safe && !is_named && !self.arguments.all).then(|| {
            let name = &call.tool;
            format!("the tool is not read-only; --tool {name} makes it again, and --all everything")
        })
    }
}

/// Why a call could never be made again.
fn useless(call: &RecordedCall) -> Option<String> {
    let reason = match call {
        _ if call.asked() => {
            "it ended with a question; the call with the answer comes later".to_owned()
        }
        _ if call.is_unanswered => "its caller was gone before there was an answer".to_owned(),
        _ if call.args.is_none() => {
            "its arguments were not recorded: an audit needs `arguments: whole`".to_owned()
        }
        _ if call.digest.is_none() => "there was no such tool".to_owned(),
        _ if OF_THE_MOMENT.contains(&&*call.outcome) => {
            format!(
                "it had ended with {}, which tells nothing of the tool",
                call.outcome
            )
        }
        _ => {
            let place = call.redacted_argument()?;
            format!("{place} of its arguments was redacted when it was recorded")
        }
    };
    Some(reason)
}
