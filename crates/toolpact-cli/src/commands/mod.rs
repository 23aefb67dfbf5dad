//! One file per command.

pub(crate) mod call;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod digest;
pub(crate) mod docs;
pub(crate) mod explain;
pub(crate) mod init;
pub(crate) mod migrate;
pub(crate) mod plan;
pub(crate) mod returns;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod serve;
pub(crate) mod stubs;
pub(crate) mod tools;
pub(crate) mod validate;
