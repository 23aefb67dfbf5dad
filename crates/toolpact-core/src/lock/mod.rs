//! The lock: which contracts were agreed on, in a file that is made for review in git.
//!
//! [`Lock`] is the document `toolpact.lock`. It has each tool of each source with its whole contract and the digest
//! of that. [`LockedSource::differences`] says what is another in the tools that a source has now.
//!
//! A tool is the same as long as its digest is: what no caller and no model can see, such as the order of keys or how
//! a tool is run, makes no [difference](crate::contract).

mod difference;
mod document;
#[cfg(test)]
mod tests;

pub use difference::{Difference, DifferenceKind};
pub use document::{Lock, LockedSource, LockedTool};
