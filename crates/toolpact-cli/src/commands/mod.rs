//! One file per command.

pub(crate) mod approvals;
pub(crate) mod audit;
pub(crate) mod call;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod diff;
pub(crate) mod digest;
pub(crate) mod docs;
pub(crate) mod explain;
pub(crate) mod grid;
pub(crate) mod infer;
pub(crate) mod init;
pub(crate) mod lock;
pub(crate) mod migrate;
pub(crate) mod plan;
pub(crate) mod policy;
pub(crate) mod replay;
pub(crate) mod returns;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod serve;
pub(crate) mod stubs;
pub(crate) mod token;
pub(crate) mod tools;
pub(crate) mod validate;
#[cfg(unix)]
pub(crate) mod watch_programs;
pub(crate) mod work;
