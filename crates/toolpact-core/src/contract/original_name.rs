//! The field `original_name`.

use crate::json::report::{Place, Report};
use crate::model::{Fields, describe};
use crate::violation::rules::contract as rules;

/// More than any dialect allows.
const LONGEST: usize = 256;

/// Whether a contract can keep this name.
pub(super) fn is_one(name: &str) -> bool {
    let is_long = name.chars().count() > LONGEST;
    !name.trim().is_empty() && !is_long && !name.contains(char::is_control)
}

pub(super) fn read(fields: &Fields<'_>, report: &mut Report) -> Option<Box<str>> {
    let node = fields.optional("original_name", report)?;
    let name = node.as_str().filter(|name| is_one(name));
    if name.is_none() {
        report.add(&rules::ORIGINAL_NAME, Place::Node(node.id()), |finding| {
            finding.say(format!(
                "expected `original_name` to be the name of the tool where it is from, of 1 to {LONGEST} \
                 characters in one line, found {}",
                describe(node)
            ));
        });
    }
    name.map(Into::into)
}
