//! What a tool asks whoever called it: their user, their model, or where they work.
//!
//! ```
//! use toolpact::elicitation::{UserAnswer, Question, Responder, Form, PendingAnswer};
//! use toolpact::core::json::Value;
//! use toolpact::core::returns::types::StringValue;
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
//! tool is dropped at the question, and runs again from its beginning once there is an answer: then the
//! question of that name is answered at once. So **a tool asks before it does what must not be done
//! twice**, and it asks the same things in the same order each time. A name that is asked again in one run
//! is another question, `name#2`. Questions that are asked at the same time, with `join!`, go out together,
//! and need names of their own.
//! If a call is [retried](crate::call::Retries), what was answered is not asked again.

mod answer;
mod answer_pending;
mod form;
mod model;
mod responder;

use toolpact_core::json::Value;

pub use answer::{FormFields, UserAnswer};
pub use answer_pending::answer_pending;
pub use form::{Form, WRONG_ANSWER};
pub use model::{ModelReply, Prompt, Root};
pub(crate) use responder::SharedResponder;
pub use responder::{PendingAnswer, Question, Responder};

use crate::{Context, ToolError};

/// The name of the question whether a call may run, which is not one of the tool's.
pub(crate) const APPROVAL: &str = "toolpact/approval";

impl Context {
    /// Whether whoever called can be asked this.
    #[must_use]
    pub fn can_ask(&self, what: Question) -> bool {
        self.asked(what).is_ok()
    }

    /// Asks the user of whoever called, and waits for the answer, which keeps the schema of `T`: a
    /// struct of texts, numbers, yes or no, and choices. It is not for passwords and keys, which clients
    /// would keep and show.
    pub async fn ask_user<T: FormFields>(
        &self,
        name: &str,
        message: impl Into<String>,
    ) -> Result<UserAnswer<T>, ToolError> {
        let form = Form::of::<T>(message)?;
        let answer = self.ask_form(name, &form).await?;
        answer.try_map(|content| content.deserialize().map_err(ToolError::internal))
    }

    /// Asks the user with a form that was not made of a type.
    pub async fn ask_form(&self, name: &str, form: &Form) -> Result<UserAnswer<Value>, ToolError> {
        let client = self.asked(Question::User)?;
        let name = self.numbered(name);
        let answer = self.unless_later(client.ask_user(&name, form)).await?;
        answer.try_map(|content| form.check(&name, content))
    }

    /// Asks the model of whoever called, and waits for what it says.
    pub async fn ask_model(&self, name: &str, prompt: &Prompt) -> Result<ModelReply, ToolError> {
        let client = self.asked(Question::Model)?;
        let name = self.numbered(name);
        self.unless_later(client.ask_model(&name, prompt)).await
    }

    /// Asks whoever called for the places they work in, such as folders.
    pub async fn ask_roots(&self, name: &str) -> Result<Vec<Root>, ToolError> {
        let client = self.asked(Question::Roots)?;
        let name = self.numbered(name);
        self.unless_later(client.ask_roots(&name)).await
    }

    /// Of those who answer, the first who can be asked this.
    fn asked(&self, what: Question) -> Result<&dyn Responder, ToolError> {
        let client = self.clients().find(|client| client.can_ask(what));
        client.ok_or_else(|| what.cannot())
    }

    /// Waits for an answer. If there will be none for this run, it is over.
    async fn unless_later<T>(&self, answer: PendingAnswer<'_, T>) -> Result<T, ToolError> {
        let answer = answer.await;
        if answer.as_ref().is_err_and(ToolError::is_answer_pending) {
            self.park();
            // Here it is dropped. What cannot be comes any further when nobody waits for it.
            tokio::task::yield_now().await;
            self.left().await;
        }
        answer
    }
}
