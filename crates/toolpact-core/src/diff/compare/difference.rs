use std::rc::Rc;

use crate::diff::ChangeKind;
use crate::json::Value;
use crate::schema::Keyword;
use crate::schema::view::Part;

use super::Trail;

/// A difference between two schemas at one place, before it is known what it means.
#[derive(Debug)]
pub(in crate::diff) struct Difference<'v> {
    pub(in crate::diff) kind: ChangeKind,
    pub(in crate::diff) at: Rc<Trail<'v>>,
    /// The key that the difference is about.
    pub(in crate::diff) key: Option<String>,
    /// The keyword that the difference is in.
    pub(in crate::diff) keyword: Option<Keyword>,
    pub(in crate::diff) old: Option<Part<'v>>,
    pub(in crate::diff) new: Option<Part<'v>>,
    pub(in crate::diff) before: Option<Value>,
    pub(in crate::diff) after: Option<Value>,
    /// What is not the name of the place.
    pub(in crate::diff) what: String,
}

impl Difference<'_> {
    /// The change in one line.
    pub(in crate::diff) fn message(&self) -> String {
        match self.at.name() {
            Some(name) => format!("`{name}`: {}", self.what),
            None => self.what.clone(),
        }
    }
}
