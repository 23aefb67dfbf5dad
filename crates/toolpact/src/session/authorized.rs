//! Calls that are allowed and recorded here, and that their caller runs itself.

use std::any::TypeId;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use tokio::sync::oneshot;
use toolpact_core::json::Value;
use toolpact_core::returns::ErrorKind;

use super::Session;
use crate::call::ResultChecker;
use crate::context::Values;
use crate::define::{UntypedOutput, Work};
use crate::{Call, Completed, ToolError};

/// What came of a tool that its caller has run.
type Outcome = Result<UntypedOutput, ToolError>;

/// A call that was allowed, and whose tool the caller runs itself: see [`Session::authorize`]. While it is there it counts
/// as a call that runs; if it is dropped, it was cancelled.
#[must_use = "a call whose outcome is not reported was cancelled"]
pub struct AuthorizedCall {
    handed: Handed,
    call: Pin<Box<dyn Future<Output = Completed> + Send>>,
}

impl Session {
    /// Asks whether a call may be made that the caller runs itself, and begins it: the arguments are checked, the guard is
    /// asked, and limits hold as for any call, but the body of the tool is not run. What the caller reports is then
    /// checked against the contract, and recorded. If the call is refused, this is its outcome.
    ///
    /// ```
    /// use toolpact::define::UntypedOutput;
    /// use toolpact::core::json::Value;
    /// use toolpact::{Call, Registry, tool, returns::NumberValue};
    /// # /// Adds two numbers.
    /// # #[tool(read_only)]
    /// # async fn add(a: i64, b: i64) -> NumberValue { NumberValue::success(a + b) }
    ///
    /// # tokio::runtime::Runtime::new()?.block_on(async {
    /// let registry = Registry::new();
    /// registry.add(add::tool())?;
    /// let session = registry.session().open()?;
    ///
    /// let call = Call::new("add", Value::from_json(r#"{"a": 1, "b": 2}"#)?);
    /// let allowed = session.authorize(call).await.map_err(|refused| refused.text())?;
    /// assert_eq!(allowed.args().text(), r#"{"a": 1, "b": 2}"#);
    /// let completed = allowed.report(Ok(UntypedOutput::from(Value::from(3)))).await;
    /// assert_eq!(completed.text(), "3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # }).unwrap();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub async fn authorize(&self, call: impl Into<Call>) -> Result<AuthorizedCall, Box<Completed>> {
        let (give, mut handed) = oneshot::channel();
        let (session, call) = (
            self.clone(),
            call.into().with(HandOver(Mutex::new(Some(give)))),
        );
        let mut call: Pin<Box<dyn Future<Output = Completed> + Send>> =
            Box::pin(async move { session.call_with(call, None).await });
        tokio::select! {
            biased;
            refused = &mut call => Err(Box::new(refused)),
            Ok(handed) = &mut handed => Ok(AuthorizedCall { handed, call }),
        }
    }
}

impl AuthorizedCall {
    /// The arguments as they were checked, and repaired if that was needed.
    #[must_use]
    pub fn args(&self) -> &Value {
        &self.handed.args
    }

    /// When the outcome has to be reported.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.handed.deadline
    }

    /// Reports what came of it. The result is what any other is: lifted, checked and recorded.
    pub async fn report(self, outcome: Result<UntypedOutput, ToolError>) -> Completed {
        self.run(async { Some(outcome) }).await
    }

    /// Runs the tool, until the call is over for another reason: its deadline, a cancellation, the end of its session. `None`
    /// if nobody says what came of it.
    pub async fn run(
        self,
        tool: impl Future<Output = Option<Result<UntypedOutput, ToolError>>>,
    ) -> Completed {
        let Self { handed, mut call } = self;
        let outcome = tokio::select! {
            biased;
            over = &mut call => return over,
            outcome = tool => outcome,
        };
        // Without one, the call ends when this is dropped.
        match outcome {
            Some(outcome) => drop(handed.outcome.send(outcome)),
            None => drop(handed.outcome),
        }
        call.await
    }
}

/// What the caller is given.
struct Handed {
    args: Value,
    deadline: Option<Instant>,
    outcome: oneshot::Sender<Outcome>,
}

/// A value of a call whose tool is not run here.
pub(crate) struct HandOver(Mutex<Option<oneshot::Sender<Handed>>>);

impl HandOver {
    /// Whether the values of a call have it.
    pub(crate) fn of(values: &Values) -> Option<&Self> {
        values.get(&TypeId::of::<Self>())?.downcast_ref()
    }

    /// The work of such a call: it waits for what the caller reports.
    pub(crate) fn work(
        &self,
        args: &[u8],
        deadline: Option<Instant>,
        checker: ResultChecker,
    ) -> Result<Work, ToolError> {
        let (outcome, reported) = oneshot::channel();
        let handed = Handed {
            args: Value::from_json(args)?,
            deadline,
            outcome,
        };
        let give = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        // Who does not wait for it any more has dropped the call.
        if let Some(give) = give {
            let _ = give.send(handed);
        }
        Ok(Box::pin(async move {
            let output = reported.await.map_err(|_| not_reported())??;
            checker.check_untyped_result(None, output)
        }))
    }
}

fn not_reported() -> ToolError {
    let message = "The caller ran the tool itself and did not say what came of it.";
    ToolError::new(ErrorKind::DependencyFailed, message)
}

impl fmt::Debug for AuthorizedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuthorizedCall")
            .field("args", self.args())
            .finish_non_exhaustive()
    }
}
