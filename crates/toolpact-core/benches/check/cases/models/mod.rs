//! The arguments and results as the Rust structs one would write for them.

pub(super) mod finance;
pub(super) mod meeting;
pub(super) mod results;
pub(super) mod ticket;

use serde::{Deserialize, Serialize};

pub(super) use finance::{Category, Currency};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Call<T> {
    pub(super) name: String,
    pub(super) args: T,
}
