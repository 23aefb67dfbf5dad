use std::borrow::Cow;
use std::io::Write;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use toolpact_core::Principal;
use toolpact_core::contract::Contract;
use toolpact_core::json::Value;
use toolpact_core::returns::{Outcome, Returns};

use super::{CallDetails, Detail, Redact};
use crate::ToolError;
use crate::call::{CheckedOutput, GuardDecision};
use crate::registry::RegisteredTool;

/// The cause of a call whose caller was gone before there was an answer.
pub const CALLER_GONE: &str = "the caller is gone";

/// Where calls are logged: each that was begun is written exactly once, also if its caller is gone.
pub trait CallLog: Send + Sync + 'static {
    /// A call begins. It is refused if this is an error, which is what its caller reads.
    fn begin(&self) -> Result<(), ToolError> {
        Ok(())
    }

    /// Whether [`CallRecord::items`] are wanted, which otherwise nobody keeps.
    fn wants_items(&self) -> bool {
        false
    }

    /// Logs a call that has ended. The caller waits for it, so it should be quick.
    fn write(&self, record: &CallRecord<'_>);

    /// Ends when what was written so far is safe; the answer to a call waits for that. If it is an error,
    /// the caller reads that in place of the result. Nothing has to be waited for without this.
    fn commit(&self) -> Option<Committing<'_>> {
        None
    }
}

/// What the answer to a call waits for.
pub type Committing<'a> = Pin<Box<dyn Future<Output = Result<(), ToolError>> + Send + 'a>>;

/// What is logged of a call.
#[non_exhaustive]
pub struct CallRecord<'a> {
    /// The session it was made in.
    pub session: u64,
    /// Who made it.
    pub principal: &'a Principal,
    /// The identifier that it was given here, which no other call has.
    pub invocation: &'a str,
    /// The identifier that the caller gave it.
    pub call_id: Option<&'a str>,
    /// The name it was made by.
    pub tool: &'a str,
    /// The toolset, if there is such a tool.
    pub toolset: Option<&'a str>,
    /// The digest of the contract, if there is such a tool.
    pub digest: Option<&'a str>,
    /// The contract, if there is such a tool.
    pub contract: Option<&'a Contract>,
    /// Whether it ended with a question, and has to be repeated with the answer.
    pub asked: bool,
    /// The code of the error, if it failed.
    pub error: Option<&'a str>,
    /// What the result says came of the work, if it succeeded.
    pub outcome: Option<Outcome>,
    /// What the guard decided, if it was asked.
    pub decision: Option<&'a GuardDecision>,
    /// What the logs should know about the error.
    pub cause: Option<String>,
    /// Rules that the arguments or the result broke.
    pub violations: Vec<String>,
    /// What was repaired in the arguments.
    pub repairs: Vec<String>,
    /// How long it took, waiting included.
    pub took: Duration,
    /// How often the tool was started.
    pub attempts: u32,
    /// The arguments as the caller wrote them, which need not be JSON if they were refused.
    pub args: Option<&'a [u8]>,
    /// The events or chunks that a listener was sent before the result, if the log [wants](CallLog::wants_items) them.
    pub items: &'a [Value],
    /// How many more there were that are not kept: beyond 4 MiB of a call, or beyond the memory for results.
    pub items_left_out: usize,
    pub(crate) result: Option<ResultSource<'a>>,
}

/// What the JSON of a result is made of, if somebody wants it.
#[derive(Clone, Copy)]
pub(crate) enum ResultSource<'a> {
    Output(&'a CheckedOutput, &'a RegisteredTool),
    Error(&'a ToolError),
}

impl<'a> CallRecord<'a> {
    /// The result as JSON; of a call that failed, its error as the caller reads it.
    #[must_use]
    pub fn result(&self) -> Option<Cow<'a, [u8]>> {
        match self.result? {
            ResultSource::Output(output, entry) => output.result.json(entry),
            ResultSource::Error(error) => {
                Some(Cow::Owned(error.to_standard().to_json().into_bytes()))
            }
        }
    }

    /// The text for a model that the tool itself made, if it made one that the result does not say.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        match self.result? {
            ResultSource::Output(_, entry) if *entry.contract().returns() == Returns::Opaque => {
                None
            }
            ResultSource::Output(output, entry) => {
                let own = || output.result.own_text(entry);
                output.text.clone().or_else(own)
            }
            ResultSource::Error(_) => None,
        }
    }

    /// What came of it in one word: see [`LoggedCall::outcome`](super::LoggedCall::outcome).
    #[must_use]
    pub fn outcome_word(&self) -> &'a str {
        match (self.asked, self.error) {
            (true, _) => "ASKED",
            (false, Some(code)) => code,
            (false, None) => self.outcome.unwrap_or(Outcome::Success).as_str(),
        }
    }
}

impl std::fmt::Debug for CallRecord<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CallRecord")
            .field("invocation", &self.invocation)
            .field("tool", &self.tool)
            .field("outcome", &self.outcome_word())
            .finish_non_exhaustive()
    }
}

/// Both: a call is begun if both allow it, and its answer waits for both.
impl<A: CallLog, B: CallLog> CallLog for (A, B) {
    fn begin(&self) -> Result<(), ToolError> {
        // Each of them is told the end of what it was told the beginning of.
        let (first, second) = (self.0.begin(), self.1.begin());
        first.and(second)
    }

    fn wants_items(&self) -> bool {
        self.0.wants_items() || self.1.wants_items()
    }

    fn write(&self, record: &CallRecord<'_>) {
        self.0.write(record);
        self.1.write(record);
    }

    fn commit(&self) -> Option<Committing<'_>> {
        match (self.0.commit(), self.1.commit()) {
            (Some(first), Some(second)) => Some(Box::pin(async move {
                let first = first.await;
                second.await.and(first)
            })),
            (first, second) => first.or(second),
        }
    }
}

impl<L: CallLog> CallLog for Arc<L> {
    fn begin(&self) -> Result<(), ToolError> {
        (**self).begin()
    }

    fn wants_items(&self) -> bool {
        (**self).wants_items()
    }

    fn write(&self, record: &CallRecord<'_>) {
        (**self).write(record);
    }

    fn commit(&self) -> Option<Committing<'_>> {
        (**self).commit()
    }
}

/// Logs calls as JSON Lines, each as a [`LoggedCall`](super::LoggedCall).
///
/// ```
/// use toolpact::{Registry, observe::{JsonLines, Redact}};
///
/// let log = JsonLines::new(std::io::stderr()).redact(Redact::fields(["password"]));
/// let registry = Registry::builder().log(log).build();
/// ```
pub struct JsonLines<W> {
    out: Mutex<W>,
    details: CallDetails,
}

impl<W: Write + Send + 'static> JsonLines<W> {
    /// Writes to a file or the like. No values of arguments are written unless
    /// [`redact`](Self::redact) says which may be.
    #[must_use]
    pub fn new(out: W) -> Self {
        Self {
            out: Mutex::new(out),
            details: CallDetails {
                args: Detail::Redacted,
                result: Detail::None,
                redact: Redact::everything(),
                beside: false,
            },
        }
    }

    /// Which arguments are left out.
    #[must_use]
    pub fn redact(mut self, redact: Redact) -> Self {
        self.details.redact = redact;
        self
    }
}

impl<W: Write + Send + 'static> CallLog for JsonLines<W> {
    fn write(&self, record: &CallRecord<'_>) {
        let mut line = Vec::with_capacity(512);
        record.write_json(&self.details, &mut line);
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
