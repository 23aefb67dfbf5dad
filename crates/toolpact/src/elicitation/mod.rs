//! Questions of tools to their callers: to the user (elicitation), to the model (sampling), or for the
//! folders they work in (roots).
//!
//! ```
//! use toolpact::elicitation::{UserAnswer, Question, Responder, Form, PendingAnswer};
//! use toolpact::core::json::Value;
//! use toolpact::returns::StringValue;
//! use toolpact::{Call, Context, Registry, ToolError, tool};
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct Sure {
//!     /// Whether to go on.
//!     sure: bool,
//! }
//!
//! /// Deletes everything.
//! #[tool(destructive)]
//! async fn wipe(cx: &Context) -> Result<StringValue, ToolError> {
//!     let answer = cx.ask_user::<Sure>("sure", "Delete everything?").await?;
//!     match answer.given() {
//!         Some(Sure { sure: true }) => Ok(StringValue::success("All is gone.")),
//!         _ => Err(ToolError::not_allowed("The user does not want that.")),
//!     }
//! }
//!
//! /// Says yes to everything.
//! struct Careless;
//!
//! impl Responder for Careless {
//!     fn can_ask(&self, what: Question) -> bool {
//!         what == Question::User
//!     }
//!
//!     fn ask_user<'a>(&'a self, _: &'a str, _: &'a Form) -> PendingAnswer<'a, UserAnswer<Value>> {
//!         Box::pin(async { Ok(UserAnswer::Given(Value::from_json(r#"{"sure": true}"#)?)) })
//!     }
//! }
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let registry = Registry::new();
//! registry.add(wipe::tool())?;
//! let session = registry.session().open()?;
//! let call = Call::from_json(r#"{"name": "wipe", "args": {}}"#)?;
//! assert_eq!(session.call(call.clone().answered_by(Careless)).await.text(), "All is gone.");
//!
//! let completed = session.call(call).await;
//! let error = completed.error().unwrap();
//! assert_eq!(error.message(), "The tool has a question for its user, and whoever called it cannot pass it on.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A tool may run more than once
//!
//! Each question has a name. Where a caller does not wait for its tool, as in MCP since 2026-07-28, the
//! tool is dropped at the question, and runs again from the start when there is an answer: then the
//! question of that name is answered at once. So **a tool asks before it does what must not be done
//! twice**, and it asks the same questions in the same order each time. A name that is asked again in one
//! run is another question, `name#2`. Questions asked concurrently, with `join!`, go out together, and
//! need names of their own. If a call is [retried](crate::call::Retries), answered questions are not asked
//! again.

mod answer;
mod answer_pending;
mod form;
mod model;
mod passed_on;
mod responder;

use toolpact_core::json::Value;

pub use answer::{FormFields, UserAnswer};
pub use answer_pending::answer_pending;
pub use form::{Form, WRONG_ANSWER};
pub use model::{ModelReply, Prompt, Root};
pub use passed_on::PassedOn;
pub(crate) use responder::SharedResponder;
pub use responder::{PendingAnswer, Question, Responder};

use crate::{Context, ToolError};

/// The name of the question whether a call may run, which the guard asks and not the tool.
pub(crate) const APPROVAL: &str = "toolpact/approval";

impl Context {
    /// Whether the caller can be asked this.
    #[must_use]
    pub fn can_ask(&self, what: Question) -> bool {
        self.asked(what).is_ok()
    }

    /// Asks the user of the caller, and waits for the answer, which fits the schema of `T`: a struct of
    /// texts, numbers, booleans and choices. It is not for passwords and keys, which clients would store
    /// and show.
    pub async fn ask_user<T: FormFields>(
        &self,
        name: &str,
        message: impl Into<String>,
    ) -> Result<UserAnswer<T>, ToolError> {
        let form = Form::of::<T>(message)?;
        let answer = self.ask_form(name, &form).await?;
        answer.try_map(|content| content.deserialize().map_err(ToolError::internal))
    }

    /// Asks the user with a form of your own.
    pub async fn ask_form(&self, name: &str, form: &Form) -> Result<UserAnswer<Value>, ToolError> {
        let responder = self.asked(Question::User)?;
        let name = self.numbered(name);
        let answer = self.unless_later(responder.ask_user(&name, form)).await?;
        answer.try_map(|content| form.check(&name, content))
    }

    /// Asks the model of the caller, and waits for its reply.
    pub async fn ask_model(&self, name: &str, prompt: &Prompt) -> Result<ModelReply, ToolError> {
        let responder = self.asked(Question::Model)?;
        let name = self.numbered(name);
        self.unless_later(responder.ask_model(&name, prompt)).await
    }

    /// Asks the caller for its roots: the folders that it works in.
    pub async fn ask_roots(&self, name: &str) -> Result<Vec<Root>, ToolError> {
        let responder = self.asked(Question::Roots)?;
        let name = self.numbered(name);
        self.unless_later(responder.ask_roots(&name)).await
    }

    /// Passes on a question of a server behind the tool, written in the protocol of both. If the answer
    /// is [pending](answer_pending), this returns that error: the tool stores what it needs, returns the
    /// error, and passes the question on again under the same name when it is called with the answer.
    pub async fn ask_raw(
        &self,
        name: &str,
        what: Question,
        request: &Value,
    ) -> Result<Value, ToolError> {
        self.asked(what)?.ask_raw(name, what, request).await
    }

    /// Whether this call has brought an answer to a question that was passed on under this name.
    #[must_use]
    pub fn has_brought(&self, name: &str) -> bool {
        self.responders()
            .any(|responder| responder.has_brought(name))
    }

    /// Who answers questions: the same for all calls of one client, if that is known.
    #[must_use]
    pub fn client(&self) -> Option<usize> {
        self.responders().find_map(Responder::client)
    }

    /// The first responder that can be asked this.
    fn asked(&self, what: Question) -> Result<&dyn Responder, ToolError> {
        let responder = self.responders().find(|responder| responder.can_ask(what));
        responder.ok_or_else(|| what.cannot())
    }

    /// Waits for an answer. If there will be none in this run, the tool is dropped.
    async fn unless_later<T>(&self, answer: PendingAnswer<'_, T>) -> Result<T, ToolError> {
        let answer = answer.await;
        if answer.as_ref().is_err_and(ToolError::is_answer_pending) {
            self.park();
            // The tool is dropped here. One that cannot be dropped goes on when its call is over.
            tokio::task::yield_now().await;
            self.over().await;
        }
        answer
    }
}
