//! JSON as toolpact reads it: strict, exact, and without a tree in memory.
//!
//! A [`Value`] is its own text plus an index of where each part begins and ends. The index is flat,
//! so nothing recurses: not reading, not comparing, not dropping. Numbers and strings are decoded
//! on access, so integers keep every digit they were written with.
//!
//! A [`Document`] is a value with the source it came from (JSON or YAML), so that violations can be
//! shown in place.

mod canonical;
mod document;
mod edit;
pub(crate) mod index;
mod limits;
mod node;
mod number;
mod path;
mod pretty;
mod read;
pub(crate) mod report;
#[expect(
    clippy::inline_always,
    reason = "the loops over strings were measured with and without"
)]
pub(crate) mod scan;
mod serde;
mod string;
mod to_yaml;
mod value;
mod write;
mod yaml;

pub(crate) use canonical::{canonical, utf16_order};
pub use document::{Document, Format};
pub(crate) use index::{Index, NodeId};
pub use limits::Limits;
pub use node::{Kind, Node};
pub use number::{Number, Whole};
pub(crate) use path::{find_at, node_at, paths};
pub use pretty::next_token;
pub(crate) use string::decode;
pub use value::Value;
pub(crate) use write::Writer;
