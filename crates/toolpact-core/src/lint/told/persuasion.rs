//! Praise: a model takes the tool that promises most.

use super::Told;
use crate::violation::rules::lint as rules;

pub(super) const ALL: &[Told] = &[Told {
    rule: &rules::PERSUASION,
    says: "praises the tool instead of describing it",
    phrases: &[
        "the|our|single|very best|finest|superior|ultimate|definitive|greatest|smartest .. @tool|way|choice|option|service|api|solution|results",
        "most|more|highly|extremely reliable|accurate|trusted|powerful|advanced|recommended|trustworthy|secure|complete|comprehensive .. @tool|way|choice|option|service|api|solution|available|than",
        "always prefer|choose|use|call",
        "official|preferred|recommended|primary @tool|way|choice|method",
        "trusted by",
        "guaranteed|guarantees",
        "highly recommended",
        "use|call this @tool whenever|always",
        "number one|1",
        "world class|leading",
    ],
}];
