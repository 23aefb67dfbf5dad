use std::future::Future;
use std::pin::Pin;

use toolpact_core::contract::Contract;
use toolpact_core::json::Value;

/// Decides about each call before it runs.
///
/// A closure is one. A call that it denies has the error PERMISSION_DENIED as its result.
pub trait CallGuard: Send + Sync + 'static {
    /// Whether the call may run. The arguments have been checked.
    fn decide<'a>(
        &'a self,
        proposal: &'a Proposal<'a>,
    ) -> Pin<Box<dyn Future<Output = Decision> + Send + 'a>>;
}

/// A call that would run if the guard lets it.
#[derive(Debug)]
pub struct Proposal<'a> {
    pub(crate) contract: &'a Contract,
    pub(crate) args: &'a Value,
    pub(crate) call_id: Option<&'a str>,
}

/// What a guard decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// It may run.
    Allow,
    /// It may not. The model reads the reason.
    Deny(String),
    /// The [`Approver`] has to be asked, with this question. If there is none, it may not run.
    Ask(String),
    /// The user of the caller has to be asked, with this question, through the [`Responder`] of the
    /// call. The caller is trusted to really ask.
    ///
    /// [`Responder`]: crate::elicitation::Responder
    AskCaller(String),
}

impl Proposal<'_> {
    /// What is promised about the tool.
    #[must_use]
    pub fn contract(&self) -> &Contract {
        self.contract
    }

    /// The arguments.
    #[must_use]
    pub fn args(&self) -> &Value {
        self.args
    }

    /// The identifier that the caller gave the call.
    #[must_use]
    pub fn call_id(&self) -> Option<&str> {
        self.call_id
    }
}

impl<F> CallGuard for F
where
    F: Fn(&Proposal<'_>) -> Decision + Send + Sync + 'static,
{
    fn decide<'a>(
        &'a self,
        proposal: &'a Proposal<'a>,
    ) -> Pin<Box<dyn Future<Output = Decision> + Send + 'a>> {
        Box::pin(std::future::ready(self(proposal)))
    }
}

/// Asks someone, a person perhaps, whether a call may run.
pub trait Approver: Send + Sync + 'static {
    /// Whether it may.
    fn approve<'a>(
        &'a self,
        proposal: &'a Proposal<'a>,
        question: &'a str,
    ) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>>;
}

impl<F> Approver for F
where
    F: Fn(&Proposal<'_>, &str) -> bool + Send + Sync + 'static,
{
    fn approve<'a>(
        &'a self,
        proposal: &'a Proposal<'a>,
        question: &'a str,
    ) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
        Box::pin(std::future::ready(self(proposal, question)))
    }
}
