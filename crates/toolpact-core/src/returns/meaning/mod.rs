//! What the specification requires in prose but not in its schemas.
//!
//! A rule here looks only at members that have the type the schema gives them, and is silent where
//! the schema already reports, so that one mistake is one violation.
//!
//! - Rules about one value are a table in the catalogue ([`ValueRules`]).
//! - Rules that compare values are one struct for each family of types, with [`Facts::broken`].

mod base64;
mod batch;
mod broken;
pub(crate) mod checksum;
mod chunk;
mod content;
mod envelope;
mod error;
pub(crate) mod formats;
mod instant;
mod list;
mod numbers;
mod observed;
mod operation;
mod values;

pub(crate) use batch::Batch;
pub(crate) use broken::{Broken, Facts, Found, Problem};
pub(crate) use chunk::Chunk;
pub(crate) use content::Media;
pub(crate) use envelope::Envelope;
pub(crate) use list::Page;
pub(crate) use observed::{Observed, Role};
pub(crate) use operation::Operation;
pub(crate) use values::{ValueRule, ValueRules, supplement};

use super::StandardType;
use crate::json::Node;
use crate::json::report::Report;
use crate::violation::Rule;
use crate::violation::rules::meaning as rules;

impl Family {
    /// The rules that compare values, besides those of the envelope.
    fn rules(self) -> Vec<&'static Rule> {
        match self {
            Family::None => Vec::new(),
            Family::Page => vec![
                &rules::PAGE_COUNT,
                &rules::PAGE_NEIGHBOURS,
                &rules::PAGE_SIZE,
            ],
            Family::Batch => vec![
                &rules::BATCH_COUNTS,
                &rules::BATCH_ITEMS,
                &rules::BATCH_ERRORS,
                &rules::ERROR_MISSING,
                &rules::ERROR_ON_SUCCESS,
            ],
            Family::Operation => vec![
                &rules::OPERATION_RESULT,
                &rules::OPERATION_ERROR,
                &rules::OPERATION_STEPS,
                &rules::OPERATION_TIMES,
            ],
            Family::File => vec![
                &rules::BASE64,
                &rules::SIZE,
                &rules::CHECKSUM,
                &rules::CHECKSUM_ALGORITHM,
            ],
            Family::Media => vec![
                &rules::BASE64,
                &rules::SIZE,
                &rules::DIMENSIONS,
                &rules::IMAGE_DIMENSIONS,
                &rules::IMAGE_FORMAT,
            ],
            Family::Chunk => vec![
                &rules::BASE64,
                &rules::CHUNK_SEQUENCE,
                &rules::CHUNK_LAST,
                &rules::CHECKSUM,
            ],
        }
    }
}

/// The rules of meaning of a type.
pub(crate) fn rules_of(standard: StandardType) -> Vec<&'static Rule> {
    let mut all: Vec<&'static Rule> = Vec::new();
    let envelope = standard.envelope();
    if envelope.has_success() {
        all.extend([&rules::ERROR_MISSING, &rules::ERROR_ON_SUCCESS]);
    }
    if envelope.payload().is_some() {
        all.extend([&rules::PAYLOAD_MISSING, &rules::PAYLOAD_ON_ERROR]);
    }
    all.push(&rules::ERROR_CODE);
    all.extend(standard.family().rules());
    for (_, rule) in standard.value_rules() {
        if !all.iter().any(|known| known.code == rule.rule().code) {
            all.push(rule.rule());
        }
    }
    all
}

/// Groups of types whose values are compared in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    /// Only the envelope is compared.
    None,
    Page,
    Batch,
    Operation,
    File,
    Media,
    Chunk,
}

/// Checks a failure of a type that has no place for errors.
pub(crate) fn check_failure(failure: Node<'_>, report: &mut Report) {
    error::check(failure.get("error"), report);
}

/// Checks the meaning of a value, not its shape.
pub(crate) fn check(standard: StandardType, value: Node<'_>, report: &mut Report) {
    envelope::check(standard, value, report);
    error::check(value.get("error"), report);
    values::check(standard.value_rules(), value, report);
    match standard.family() {
        Family::None => {}
        Family::Page => Page::of(value).explain(value, report),
        Family::Batch => batch::check(value, report),
        Family::Operation => Operation::of(value).explain(value, report),
        Family::File => content::check_file(value, report),
        Family::Media => content::check_media(value, report),
        Family::Chunk => chunk::check(value, report),
    }
}

#[cfg(test)]
mod tests {
    use super::StandardType;
    use crate::violation::{Subject, rules};

    #[test]
    fn a_type_lists_its_rules() {
        let mut families = rules::FAMILIES.iter();
        let family = families.find(|family| family.title == "Meaning of return types");
        for rule in family.expect("the family of meaning").rules {
            let Subject::ReturnValue(name) = rule.wrong.subject else {
                panic!("{} is not about a return value", rule.code);
            };
            let standard = StandardType::from_name(name).expect("a standard type");
            let is_listed = standard.rules().iter().any(|one| one.code == rule.code);
            assert!(is_listed, "{} of {name}", rule.code);
        }
        for standard in StandardType::all() {
            let mut codes: Vec<&str> = standard.rules().iter().map(|rule| rule.code).collect();
            let count = codes.len();
            codes.sort_unstable();
            codes.dedup();
            assert_eq!(codes.len(), count, "{standard}");
        }
    }
}
