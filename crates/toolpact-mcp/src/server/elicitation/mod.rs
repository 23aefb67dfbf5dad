//! Questions of tools to their clients.
//!
//! Until 2025-11-25, a client that has a session is asked while the tool waits (`waiting`). Since
//! 2026-07-28, the call is answered with the questions, and made again with the answers (`rounds`);
//! earlier answers travel with them, under a seal (`seal`).

mod form;
mod messages;
mod rounds;
mod seal;
mod waiting;

use std::borrow::Cow;
use std::sync::{Arc, Weak};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use toolpact::ToolError;
use toolpact::core::json::{Node, Value};
use toolpact::elicitation::{
    Form, ModelReply, PendingAnswer, Prompt, Question, Responder, Root, UserAnswer,
};

use super::Outbox;
use super::client::Client;
use crate::rpc::RpcError;
use crate::version::Version;
use form::Choices;
use rounds::Rounds;
pub(crate) use rounds::{InputRequired, Round};
pub(crate) use seal::{Bound, Seal};
pub(crate) use waiting::PendingQuestions;
use waiting::Waiting;

/// Reads the answer of a client, or says what it should have been.
type Read<T> = fn(&Json) -> Result<T, &'static str>;

/// What a client can be asked.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Capabilities {
    can_ask: [Option<Question>; 4],
    choices: Choices,
}

impl Capabilities {
    /// As a client of this version declares them. One that only opens pages for its user has no forms.
    pub(crate) fn of(declared: Node<'_>, version: Version) -> Self {
        let elicitation = declared.get("elicitation");
        let has = |key| elicitation.is_some_and(|elicitation| elicitation.get(key).is_some());
        let can_ask = [
            (
                Question::User,
                elicitation.is_some() && (has("form") || !has("url")),
            ),
            (Question::Page, has("url")),
            (Question::Model, declared.get("sampling").is_some()),
            (Question::Roots, declared.get("roots").is_some()),
        ];
        Self {
            can_ask: can_ask.map(|(what, can)| can.then_some(what)),
            choices: match version < Version::V2025_11_25 {
                true => Choices::Named,
                false => Choices::Titled,
            },
        }
    }
}

/// A question as the protocol has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ClientRequest {
    method: Cow<'static, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<Json>,
}

/// A question of a tool, and how its answer is read.
struct Asked<'a, T> {
    name: &'a str,
    request: ClientRequest,
    read: Read<T>,
}

/// The questions of one call.
pub(crate) struct Questions {
    capabilities: Capabilities,
    way: Way,
}

enum Way {
    Waiting(Waiting),
    Rounds(Box<Rounds>),
    /// The client cannot be asked.
    None,
}

impl Questions {
    /// To a client that has a session.
    pub(crate) fn in_session(
        capabilities: Capabilities,
        client: Weak<Client>,
        outbox: Arc<dyn Outbox>,
    ) -> Arc<Self> {
        let way = Way::Waiting(Waiting::new(client, outbox));
        Arc::new(Self { capabilities, way })
    }

    /// To a client that calls again with the answers.
    pub(crate) fn in_rounds(capabilities: Capabilities, round: Round) -> Arc<Self> {
        let way = Way::Rounds(Box::new(Rounds::new(round)));
        Arc::new(Self { capabilities, way })
    }

    pub(crate) fn none(capabilities: Capabilities) -> Arc<Self> {
        let way = Way::None;
        Arc::new(Self { capabilities, way })
    }

    /// What the client has to answer before the call is made again.
    pub(crate) fn asked(&self) -> Option<Result<InputRequired, RpcError>> {
        match &self.way {
            Way::Rounds(rounds) => rounds.asked(),
            Way::Waiting(_) | Way::None => None,
        }
    }

    /// Asks a question, and waits for an answer of the right kind.
    async fn ask<T>(
        &self,
        name: &str,
        request: Result<ClientRequest, ToolError>,
        read: Read<T>,
    ) -> Result<T, ToolError> {
        let request = request?;
        let asked = Asked {
            name,
            request,
            read,
        };
        match &self.way {
            Way::Waiting(waiting) => waiting.ask(asked).await,
            Way::Rounds(rounds) => rounds.ask(asked).await,
            Way::None => Err(ToolError::not_allowed("The client cannot be asked.")),
        }
    }
}

impl Responder for Questions {
    fn can_ask(&self, what: Question) -> bool {
        self.capabilities.can_ask.contains(&Some(what))
    }

    fn ask_user<'a>(
        &'a self,
        name: &'a str,
        form: &'a Form,
    ) -> PendingAnswer<'a, UserAnswer<Value>> {
        let form = messages::form(name, form, self.capabilities.choices);
        Box::pin(self.ask(name, form, messages::user_answer))
    }

    fn ask_model<'a>(&'a self, name: &'a str, prompt: &'a Prompt) -> PendingAnswer<'a, ModelReply> {
        Box::pin(self.ask(name, Ok(messages::prompt(prompt)), messages::model_reply))
    }

    fn ask_roots<'a>(&'a self, name: &'a str) -> PendingAnswer<'a, Vec<Root>> {
        Box::pin(self.ask(name, Ok(messages::list_roots()), messages::roots))
    }

    fn ask_raw<'a>(
        &'a self,
        name: &'a str,
        _: Question,
        request: &'a Value,
    ) -> PendingAnswer<'a, Value> {
        let request = request.deserialize().map_err(ToolError::internal);
        Box::pin(self.ask(name, request, messages::any_object))
    }

    fn has_brought(&self, name: &str) -> bool {
        matches!(&self.way, Way::Rounds(rounds) if rounds.has_brought(name))
    }

    fn client(&self) -> Option<usize> {
        match &self.way {
            Way::Waiting(waiting) => Some(waiting.client()),
            Way::Rounds(_) | Way::None => None,
        }
    }
}
