use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use toolpact_core::json::Value;
use toolpact_core::returns::ErrorKind;

use super::{Form, ModelReply, Prompt, Root, UserAnswer};
use crate::ToolError;

/// What a tool can ask its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Question {
    /// The user, with a form.
    User,
    /// The user, with a web page to open.
    Page,
    /// A model.
    Model,
    /// The roots: folders that the caller works in.
    Roots,
}

impl Question {
    /// The error of a tool that asks this where no responder can answer.
    #[must_use]
    pub fn cannot(self) -> ToolError {
        let whom = match self {
            Self::User => "for its user",
            Self::Page => "for its user, on a web page",
            Self::Model => "for a model",
            Self::Roots => "about where it is to work",
        };
        let message =
            format!("The tool has a question {whom}, and whoever called it cannot pass it on.");
        ToolError::new(ErrorKind::WrongState, message)
    }
}

/// The future of an answer.
pub type PendingAnswer<'a, T> = Pin<Box<dyn Future<Output = Result<T, ToolError>> + Send + 'a>>;

/// Answers the questions of tools: a user interface, an agent, a connection to one.
///
/// The name of a question identifies it among those of the same call.
pub trait Responder: Send + Sync + 'static {
    /// Whether it can answer this. If not, it is not asked.
    fn can_ask(&self, what: Question) -> bool;

    /// Shows a form to the user. Their answer is checked against its schema.
    fn ask_user<'a>(
        &'a self,
        name: &'a str,
        form: &'a Form,
    ) -> PendingAnswer<'a, UserAnswer<Value>> {
        let _ = (name, form);
        Box::pin(async { Err(Question::User.cannot()) })
    }

    /// Asks a model.
    fn ask_model<'a>(&'a self, name: &'a str, prompt: &'a Prompt) -> PendingAnswer<'a, ModelReply> {
        let _ = (name, prompt);
        Box::pin(async { Err(Question::Model.cannot()) })
    }

    /// Lists the roots.
    fn ask_roots<'a>(&'a self, name: &'a str) -> PendingAnswer<'a, Vec<Root>> {
        let _ = name;
        Box::pin(async { Err(Question::Roots.cannot()) })
    }

    /// Passes on a question of a server behind the tool, written in the protocol of both, and returns
    /// the answer as it is written there.
    fn ask_raw<'a>(
        &'a self,
        name: &'a str,
        what: Question,
        request: &'a Value,
    ) -> PendingAnswer<'a, Value> {
        let _ = (name, request);
        Box::pin(async move { Err(what.cannot()) })
    }

    /// Whether the caller has brought an answer to a question that an earlier run
    /// [passed on](Responder::ask_raw).
    fn has_brought(&self, name: &str) -> bool {
        let _ = name;
        false
    }

    /// Who answers, if calls of one client have that in common: whichever of them asks, the same client
    /// is asked.
    fn client(&self) -> Option<usize> {
        None
    }
}

impl<C: Responder + ?Sized> Responder for Arc<C> {
    fn can_ask(&self, what: Question) -> bool {
        (**self).can_ask(what)
    }

    fn ask_user<'a>(
        &'a self,
        name: &'a str,
        form: &'a Form,
    ) -> PendingAnswer<'a, UserAnswer<Value>> {
        (**self).ask_user(name, form)
    }

    fn ask_model<'a>(&'a self, name: &'a str, prompt: &'a Prompt) -> PendingAnswer<'a, ModelReply> {
        (**self).ask_model(name, prompt)
    }

    fn ask_roots<'a>(&'a self, name: &'a str) -> PendingAnswer<'a, Vec<Root>> {
        (**self).ask_roots(name)
    }

    fn ask_raw<'a>(
        &'a self,
        name: &'a str,
        what: Question,
        request: &'a Value,
    ) -> PendingAnswer<'a, Value> {
        (**self).ask_raw(name, what, request)
    }

    fn has_brought(&self, name: &str) -> bool {
        (**self).has_brought(name)
    }

    fn client(&self) -> Option<usize> {
        (**self).client()
    }
}

/// A responder that calls share.
#[derive(Clone)]
pub(crate) struct SharedResponder(pub(crate) Arc<dyn Responder>);

impl fmt::Debug for SharedResponder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedResponder")
    }
}
