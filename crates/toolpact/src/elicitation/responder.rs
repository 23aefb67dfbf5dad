use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use toolpact_core::json::Value;
use toolpact_core::returns::ErrorKind;

use super::{Form, ModelReply, Prompt, Root, UserAnswer};
use crate::ToolError;

/// What can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Question {
    /// The user, with a form.
    User,
    /// A model.
    Model,
    /// The places that whoever called works in.
    Roots,
}

impl Question {
    /// Why a tool has no answer if nobody can be asked.
    #[must_use]
    pub fn cannot(self) -> ToolError {
        let whom = match self {
            Self::User => "for its user",
            Self::Model => "for a model",
            Self::Roots => "about where it is to work",
        };
        let message =
            format!("The tool has a question {whom}, and whoever called it cannot pass it on.");
        ToolError::new(ErrorKind::WrongState, message)
    }
}

/// An answer that is waited for.
pub type PendingAnswer<'a, T> = Pin<Box<dyn Future<Output = Result<T, ToolError>> + Send + 'a>>;

/// Passes on the questions of tools: a user interface, an agent, a connection to one.
///
/// The name of a question tells it from the others of the same call.
pub trait Responder: Send + Sync + 'static {
    /// Whether this can be asked. What cannot be is not asked.
    fn can_ask(&self, what: Question) -> bool;

    /// Shows a form to the user. What they give is held to its schema.
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

    /// Says which places there are to work in.
    fn ask_roots<'a>(&'a self, name: &'a str) -> PendingAnswer<'a, Vec<Root>> {
        let _ = name;
        Box::pin(async { Err(Question::Roots.cannot()) })
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
}

/// Whoever answers the questions of a call.
#[derive(Clone)]
pub(crate) struct SharedResponder(pub(crate) Arc<dyn Responder>);

impl fmt::Debug for SharedResponder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedResponder")
    }
}
