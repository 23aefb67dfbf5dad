//! What tools ask their clients.
//!
//! Until 2025-11-25, a client that has a session is asked while the tool waits (`line`). Since
//! 2026-07-28, the call is answered with the questions, and made again with the answers (`rounds`);
//! what was answered before travels with them, under a seal (`seal`).

mod form;
mod line;
mod rounds;
mod seal;
mod words;

use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{ClientCapabilities, ErrorData, InputRequest, ProtocolVersion};
use rmcp::service::RequestContext;
use serde_json::Value as Json;
use toolpact::ToolError;
use toolpact::core::json::Value;
use toolpact::elicitation::{
    Form, ModelReply, PendingAnswer, Prompt, Question, Responder, Root, UserAnswer,
};

use super::Reply;
use form::Choices;
use line::Line;
pub(crate) use rounds::Round;
use rounds::Rounds;
pub(super) use seal::{Bound, Seal};

/// Reads what a client says to a question, or says what it should have been.
type Read<T> = fn(&Json) -> Result<T, &'static str>;

/// What a client can be asked.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Can {
    user: bool,
    model: bool,
    roots: bool,
    choices: Choices,
}

impl Can {
    /// As a client of this version says of itself. One that can only be sent to pages has no forms.
    pub(crate) fn of(said: &ClientCapabilities, version: &ProtocolVersion) -> Self {
        let forms = |elicitation: &rmcp::model::ElicitationCapability| {
            elicitation.form.is_some() || elicitation.url.is_none()
        };
        Self {
            user: said.elicitation.as_ref().is_some_and(forms),
            model: said.sampling.is_some(),
            roots: said.roots.is_some(),
            choices: match *version < ProtocolVersion::V_2025_11_25 {
                true => Choices::Named,
                false => Choices::Titled,
            },
        }
    }
}

/// The way of the questions of one call.
pub(crate) struct Asking {
    can: Can,
    way: Way,
}

enum Way {
    Line(Line),
    Rounds(Rounds),
}

impl Asking {
    /// Of a client that has a session, and is reached later.
    pub(crate) fn in_session(can: Can) -> Arc<Self> {
        let way = Way::Line(Line::default());
        Arc::new(Self { can, way })
    }

    /// Of a client that calls again.
    pub(crate) fn in_rounds(can: Can, round: Round) -> Arc<Self> {
        let way = Way::Rounds(Rounds::new(round));
        Arc::new(Self { can, way })
    }

    /// Says how the client is reached.
    pub(super) fn reach(&self, context: &RequestContext<RoleServer>) {
        if let Way::Line(line) = &self.way {
            line.reach(context);
        }
    }

    /// Says that the client is not reached any more, if it was not.
    pub(super) fn lose(&self) {
        if let Way::Line(line) = &self.way {
            line.lose();
        }
    }

    /// Ends when the client has to be reached.
    pub(crate) async fn wanted(&self) {
        match &self.way {
            Way::Line(line) => line.wanted().await,
            Way::Rounds(_) => std::future::pending().await,
        }
    }

    /// What the client has to answer before the call is made again.
    pub(super) fn asked(&self) -> Option<Result<Reply, ErrorData>> {
        match &self.way {
            Way::Line(_) => None,
            Way::Rounds(rounds) => Some(rounds.asked()?.map(Reply::Asks)),
        }
    }

    /// Puts a question, and waits for what the client says to it, which has to be of some kind.
    async fn put<T>(
        &self,
        name: &str,
        question: Result<InputRequest, ToolError>,
        read: Read<T>,
    ) -> Result<T, ToolError> {
        let question = question?;
        match &self.way {
            Way::Line(line) => line.put(name, question, read).await,
            Way::Rounds(rounds) => rounds.put(name, question, read).await,
        }
    }
}

impl Responder for Asking {
    fn can_ask(&self, what: Question) -> bool {
        match what {
            Question::User => self.can.user,
            Question::Model => self.can.model,
            Question::Roots => self.can.roots,
            _ => false,
        }
    }

    fn ask_user<'a>(
        &'a self,
        name: &'a str,
        form: &'a Form,
    ) -> PendingAnswer<'a, UserAnswer<Value>> {
        Box::pin(self.put(
            name,
            words::form(name, form, self.can.choices),
            words::answer,
        ))
    }

    fn ask_model<'a>(&'a self, name: &'a str, prompt: &'a Prompt) -> PendingAnswer<'a, ModelReply> {
        Box::pin(self.put(name, words::prompt(prompt), words::said))
    }

    fn ask_roots<'a>(&'a self, name: &'a str) -> PendingAnswer<'a, Vec<Root>> {
        Box::pin(self.put(name, words::list_roots(), words::roots))
    }
}
