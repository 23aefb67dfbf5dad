use std::any::{Any, TypeId};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;
use toolpact_core::Violations;
use toolpact_core::json::Value;
use toolpact_core::model::FunctionCall;

use super::Enforcement;
use crate::context::Values;
use crate::elicitation::{Responder, SharedResponder};

/// A call to be made: which tool, with what, and under which conditions.
///
/// ```
/// use std::time::Duration;
/// use toolpact::Call;
/// use toolpact::core::json::Value;
///
/// let args = Value::from_json(r#"{"city": "Oslo"}"#)?;
/// let call = Call::new("get_weather", args).timeout(Duration::from_secs(2));
/// assert_eq!(call.name(), "get_weather");
/// # Ok::<(), toolpact::core::Violations>(())
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Call {
    pub(crate) name: Box<str>,
    pub(crate) args: Value,
    pub(crate) id: Option<Box<str>>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) deadline: Option<Instant>,
    pub(crate) cancel: Option<CancellationToken>,
    pub(crate) enforcement: Option<Enforcement>,
    pub(crate) repair: Option<bool>,
    pub(crate) responder: Option<SharedResponder>,
    pub(crate) json_only: bool,
    pub(crate) as_given: bool,
    pub(crate) values: Values,
    /// Why it is denied whatever the guard says.
    pub(crate) refused: Option<Box<str>>,
}

impl Call {
    /// A call of the tool with this name.
    pub fn new(name: impl Into<Box<str>>, args: Value) -> Self {
        Self {
            name: name.into(),
            args,
            id: None,
            timeout: None,
            deadline: None,
            cancel: None,
            enforcement: None,
            repair: None,
            responder: None,
            json_only: false,
            as_given: false,
            values: Values::default(),
            refused: None,
        }
    }

    /// A call that is denied for this reason, which the model reads, without looking at its arguments or asking the
    /// guard. It is counted and logged like others: this is for who finds out before the guard that somebody may not
    /// make it.
    pub fn refused(mut self, reason: impl Into<Box<str>>) -> Self {
        self.refused = Some(reason.into());
        self
    }

    /// A call as ADM writes it: `{"name": …, "args": {…}}`.
    pub fn from_json(json: impl AsRef<[u8]>) -> Result<Self, Violations> {
        FunctionCall::from_json(json).map(Self::from)
    }

    /// With an identifier, which comes back with the result.
    pub fn id(mut self, id: impl Into<Box<str>>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// It may take this long, or as long as its tool may, if that is less.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// It has to be done by then, waiting included.
    pub fn deadline(mut self, deadline: Instant) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// It ends when this is cancelled.
    pub fn cancelled_by(mut self, token: &CancellationToken) -> Self {
        self.cancel = Some(token.clone());
        self
    }

    /// What becomes of a result that breaks the contract, for this call.
    pub fn enforcement(mut self, enforcement: Enforcement) -> Self {
        self.enforcement = Some(enforcement);
        self
    }

    /// Whether arguments that are nearly right are repaired, for this call.
    pub fn repair(mut self, repair: bool) -> Self {
        self.repair = Some(repair);
        self
    }

    /// Answers the questions of the tool.
    pub fn answered_by(mut self, responder: impl Responder) -> Self {
        self.responder = Some(SharedResponder(Arc::new(responder)));
        self
    }

    /// Keeps the result as JSON and drops the typed values, for callers who pass it on:
    /// [`Completed::output`](crate::Completed::output) is then `None`.
    pub fn json_only(mut self) -> Self {
        self.json_only = true;
        self
    }

    /// Keeps the result as the tool gave it: as with [`json_only`](Self::json_only), and neither checked nor lifted. It is
    /// for those who pass it on to where that is done.
    pub fn as_given(mut self) -> Self {
        self.as_given = true;
        self
    }

    /// A value that the tool can ask its context for, by its type. It goes before that of the session.
    pub fn with<T: Any + Send + Sync>(mut self, value: T) -> Self {
        let values = Arc::make_mut(&mut self.values);
        values.insert(TypeId::of::<T>(), Arc::new(value));
        self
    }

    /// The tool it calls.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments.
    #[must_use]
    pub fn args(&self) -> &Value {
        &self.args
    }
}

impl From<FunctionCall> for Call {
    fn from(call: FunctionCall) -> Self {
        Self::new(call.name().as_str(), call.args().clone())
    }
}
