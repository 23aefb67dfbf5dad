use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use toolpact_core::json::Value;
use toolpact_core::returns::Outcome;

use super::{LoggedCall, Redact};

/// Where calls are logged.
pub trait CallLog: Send + Sync + 'static {
    /// Logs a call. The caller waits for it, so it should be quick.
    fn write(&self, record: &CallRecord<'_>);
}

/// What is logged of a call.
#[derive(Debug)]
#[non_exhaustive]
pub struct CallRecord<'a> {
    /// The session it was made in.
    pub session: u64,
    /// The identifier that the caller gave it.
    pub call_id: Option<&'a str>,
    /// The name it was made by.
    pub tool: &'a str,
    /// The toolset, if there is such a tool.
    pub toolset: Option<&'a str>,
    /// The digest of the contract, if there is such a tool.
    pub digest: Option<&'a str>,
    /// Whether it ended with a question, and has to be repeated with the answer.
    pub asked: bool,
    /// The code of the error, if it failed.
    pub error: Option<&'a str>,
    /// What the result says came of the work, if it succeeded.
    pub outcome: Option<Outcome>,
    /// What the logs should know about the error.
    pub cause: Option<String>,
    /// Rules that the arguments or the result broke.
    pub violations: Vec<String>,
    /// What was repaired in the arguments.
    pub repairs: Vec<String>,
    /// How long it took, waiting included.
    pub took: Duration,
    /// The arguments, if they could be read.
    pub args: Option<&'a Value>,
}

/// Logs calls as JSON Lines, each as a [`LoggedCall`].
///
/// ```
/// use toolpact::{Registry, observe::{JsonLines, Redact}};
///
/// let log = JsonLines::new(std::io::stderr()).redact(Redact::fields(["password"]));
/// let registry = Registry::builder().log(log).build();
/// ```
pub struct JsonLines<W> {
    out: Mutex<W>,
    redact: Redact,
}

impl<W: Write + Send + 'static> JsonLines<W> {
    /// Writes to a file or the like. No values of arguments are written unless
    /// [`redact`](Self::redact) says which may be.
    #[must_use]
    pub fn new(out: W) -> Self {
        Self {
            out: Mutex::new(out),
            redact: Redact::everything(),
        }
    }

    /// Which arguments are left out.
    #[must_use]
    pub fn redact(mut self, redact: Redact) -> Self {
        self.redact = redact;
        self
    }
}

impl<W: Write + Send + 'static> CallLog for JsonLines<W> {
    fn write(&self, record: &CallRecord<'_>) {
        let line = LoggedCall::new(record, &self.redact);
        let Ok(mut line) = serde_json::to_vec(&line) else {
            return;
        };
        line.push(b'\n');
        // One write for a line, so that lines stay whole where several processes write.
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = out.write_all(&line).and_then(|()| out.flush()) {
            tracing::warn!(target: "toolpact", %error, "a call could not be written down");
        }
    }
}

impl<W> std::fmt::Debug for JsonLines<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("JsonLines").finish_non_exhaustive()
    }
}
