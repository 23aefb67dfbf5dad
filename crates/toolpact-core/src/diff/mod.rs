//! What changed between contracts, and for whom.
//!
//! - [`Diff`] is about two sets of tools, [`ToolDiff`] about one tool of both, and a [`Change`] about one
//!   place: whom it concerns, what was there and is, and its [`Verdict`].
//! - A change is [`Breaking`](Verdict::Breaking) only with a [`Witness`]: a call that the old contract accepts
//!   and the new one refuses, or a result that the new one allows and the old one refuses. The checkers of both
//!   contracts said so.
//! - A change is [`Compatible`](Verdict::Compatible) only if the structure of both schemas shows it. What can
//!   neither be shown nor found is [`Unknown`](Verdict::Unknown).

mod change;
mod compare;
#[expect(
    clippy::module_inception,
    reason = "the type has the name of the module"
)]
mod diff;
mod evidence;
mod fields;
mod inclusion;
mod judge;
mod pairs;
mod schemas;
mod search;
mod tool;
mod verdict;

pub use change::{Change, ChangeKind, Concern, Witness, WitnessKind};
pub use diff::Diff;
use evidence::Evidence;
pub use tool::ToolDiff;
pub use verdict::{Verdict, VersionBump};
