//! `success` with its payload, or an error.

use super::{Broken, Facts};
use crate::json::report::Report;
use crate::json::{Kind, Node};
use crate::returns::StandardType;
use crate::violation::rules::meaning as rules;

/// A success has its payload and no error, a failure an error and no payload.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Envelope {
    pub(crate) success: Option<bool>,
    pub(crate) error: bool,
    /// The key of the payload, if the type has one.
    pub(crate) payload: Option<&'static str>,
    /// How many elements the payload has, 1 if it is no list; `None` if it is not there.
    pub(crate) length: Option<u32>,
}

impl Envelope {
    pub(super) fn of(object: Node<'_>, payload: Option<&'static str>) -> Self {
        let found = payload.and_then(|payload| object.get(payload));
        Self {
            success: object.get("success").and_then(Node::as_bool),
            error: object.get("error").is_some(),
            payload,
            length: found.map(|found| match found.kind() {
                Kind::Array => u32::try_from(found.items().count()).unwrap_or(u32::MAX),
                _ => 1,
            }),
        }
    }
}

impl Facts for Envelope {
    #[inline]
    fn broken(&self, tell: &mut dyn FnMut(Broken<'_>)) {
        let Some(success) = self.success else {
            return;
        };
        if self.error == success {
            let rule = match success {
                true => &rules::ERROR_ON_SUCCESS,
                false => &rules::ERROR_MISSING,
            };
            tell(Broken::beside(rule, "error", "success"));
        }
        // An empty list counts as none: a failed `ListResult` must have `data`, too.
        let has_payload = self.length.is_some_and(|length| success || length > 0);
        if let Some(payload) = self.payload.filter(|_| has_payload != success) {
            let rule = match success {
                true => &rules::PAYLOAD_MISSING,
                false => &rules::PAYLOAD_ON_ERROR,
            };
            tell(Broken::beside(rule, payload, "success"));
        }
    }
}

pub(super) fn check(standard: StandardType, value: Node<'_>, report: &mut Report) {
    let envelope = standard.envelope();
    if envelope.has_success() && !is_told_by_schema(standard, value) {
        Envelope::of(value, envelope.payload()).explain(value, report);
    }
}

/// The schema of `ObjectResult` requires either data or an error, that of `ListResult` always data.
fn is_told_by_schema(standard: StandardType, value: Node<'_>) -> bool {
    let data = value.get("data").is_some();
    match standard {
        StandardType::ObjectResult => data == value.get("error").is_some(),
        StandardType::ListResult => !data,
        _ => false,
    }
}
