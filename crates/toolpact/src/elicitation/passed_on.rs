use toolpact_core::json::Value;

use super::{Form, ModelReply, PendingAnswer, Prompt, Question, Responder, Root, UserAnswer};
use crate::Context;

/// Passes questions of a tool that runs elsewhere on to whoever answers those of this call, under the names that they
/// have there. Answers are checked where they were asked for.
#[derive(Debug, Clone)]
pub struct PassedOn(Context);

impl Context {
    /// What answers the questions of a tool that runs elsewhere, and of which this call is a part.
    #[must_use]
    pub fn passing_on(&self) -> PassedOn {
        PassedOn(self.clone())
    }
}

impl Responder for PassedOn {
    fn can_ask(&self, what: Question) -> bool {
        self.0.can_ask(what)
    }

    fn ask_user<'a>(
        &'a self,
        name: &'a str,
        form: &'a Form,
    ) -> PendingAnswer<'a, UserAnswer<Value>> {
        Box::pin(async move {
            let responder = self.0.asked(Question::User)?;
            self.0.unless_later(responder.ask_user(name, form)).await
        })
    }

    fn ask_model<'a>(&'a self, name: &'a str, prompt: &'a Prompt) -> PendingAnswer<'a, ModelReply> {
        Box::pin(async move {
            let responder = self.0.asked(Question::Model)?;
            self.0.unless_later(responder.ask_model(name, prompt)).await
        })
    }

    fn ask_roots<'a>(&'a self, name: &'a str) -> PendingAnswer<'a, Vec<Root>> {
        Box::pin(async move {
            let responder = self.0.asked(Question::Roots)?;
            self.0.unless_later(responder.ask_roots(name)).await
        })
    }

    fn has_brought(&self, name: &str) -> bool {
        self.0.has_brought(name)
    }

    fn client(&self) -> Option<usize> {
        self.0.client()
    }
}
