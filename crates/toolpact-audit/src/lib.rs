//! An audit of the calls of tools: one line of JSON for each, in files that are only ever appended to.
//!
//! Each line has the hash of everything before it, so that [`verify`] finds a line that was changed, removed,
//! moved or cut off. The line of a call is written before its answer leaves ([`AuditLog`]), so that nothing that
//! was answered is missing after `kill -9`. Lines of calls that end at the same time are written together.
//!
//! ```
//! use toolpact::Registry;
//! use toolpact_audit::{AuditConfig, AuditLog, verify};
//!
//! # let directory = tempfile::tempdir()?;
//! # let directory = directory.path();
//! let log = AuditLog::open(&AuditConfig::new(directory))?;
//! let registry = Registry::builder().log(log).build();
//! # drop(registry);
//! assert!(verify(directory)?.is_whole());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chain;
mod config;
mod directory;
mod entry;
mod error;
mod events;
mod filter;
mod follow;
mod head;
mod keep;
mod log;
mod queue;
mod record;
mod recover;
mod shared;
mod verify;
mod writer;

pub use chain::Chain;
pub use config::{AuditConfig, Fsync, Keep, Rotate, ToolAudit, WhenFull};
pub use directory::AuditFile;
pub use entry::{Entry, Event, QuarantinedTool, RecordedName};
pub use error::AuditError;
pub use events::AuditEvents;
pub use filter::{Filter, Since, has_failed};
pub use follow::Follow;
pub use log::{AuditLog, AuditMetrics, NOT_RECORDED};
pub use record::{
    Answered, Compared, Comparison, ContractChange, Difference, Judged, Match, Playback, Problem,
    Record, RecordedCall, RecordedTool, Recorder, Verdict, answer_of, error_of, judge,
};
pub use verify::{Finding, Report, verify};
