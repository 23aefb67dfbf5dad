//! Placeholder until the meaning rules are merged.

use super::StandardType;
use crate::json::Node;
use crate::violation::report::Report;

pub(crate) fn check(_: StandardType, _: Node<'_>, _: &mut Report) {}
