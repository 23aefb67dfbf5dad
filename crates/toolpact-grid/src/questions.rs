//! Questions of tools to whoever called them: from the runtime to the host, which passes them on, and back.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot};
use toolpact::core::json::Value;
use toolpact::core::returns::ErrorKind;
use toolpact::elicitation::{
    Form, ModelReply, PassedOn, PendingAnswer, Prompt, Question, Responder, Root, UserAnswer,
};
use toolpact::{Context, ToolError};

use crate::wire::{WINDOW, grid_error};

/// Most questions of a call that are open at once.
pub(crate) const MOST_OPEN: usize = 16;
const _: () = assert!(MOST_OPEN as u64 == WINDOW);

/// What can be asked over the grid, with the names it has there.
const NAMES: [(Question, &str); 3] = [
    (Question::User, "user"),
    (Question::Model, "model"),
    (Question::Roots, "roots"),
];

/// A question as it is sent.
#[derive(Debug, Serialize, Deserialize)]
struct WireQuestion {
    ask: Box<str>,
    name: Box<str>,
    /// For a user, or the prompt for a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    schema: Option<Box<RawValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    system: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
}

/// An answer as it is sent: of it, there is what was asked for.
#[derive(Debug, Default, Serialize, Deserialize)]
struct WireAnswer {
    /// What a user did: `given`, `declined` or `dismissed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    user: Option<Box<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content: Option<Box<RawValue>>,
    /// What a model said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stop_reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    roots: Option<Vec<WireRoot>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct WireRoot {
    uri: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

/// What the caller of a call can be asked, as its header says it; `None` if that is nothing.
pub(crate) fn askable(context: &Context) -> Option<Box<str>> {
    let can = NAMES.iter().filter(|(what, _)| context.can_ask(*what));
    let names: Vec<&str> = can.map(|(_, name)| *name).collect();
    (!names.is_empty()).then(|| names.join(",").into())
}

/// Passes a question on, and returns the answer as it is sent.
pub(crate) async fn pass_on(context: PassedOn, question: Bytes) -> Result<Bytes, ToolError> {
    let question: WireQuestion = serde_json::from_slice(&question)
        .map_err(|error| unknown("a question").with_source(error))?;
    let answer = match &*question.ask {
        "user" => ask_user(&context, &question).await?,
        "model" => {
            let prompt = question.prompt()?;
            let reply = context.ask_model(&question.name, &prompt).await?;
            WireAnswer {
                text: Some(reply.text),
                model: Some(reply.model),
                stop_reason: reply.stop_reason,
                ..WireAnswer::default()
            }
        }
        "roots" => {
            let roots = Responder::ask_roots(&context, &question.name).await?;
            let roots = roots.into_iter().map(|root| WireRoot {
                uri: root.uri,
                name: root.name,
            });
            WireAnswer {
                roots: Some(roots.collect()),
                ..WireAnswer::default()
            }
        }
        _ => return Err(unknown("a question")),
    };
    Ok(serde_json::to_vec(&answer)?.into())
}

async fn ask_user(context: &PassedOn, question: &WireQuestion) -> Result<WireAnswer, ToolError> {
    let schema = question.schema.as_ref().ok_or_else(|| unknown("a form"))?;
    let schema = Value::from_json(schema.get())?;
    let form = Form::new(question.message.clone().unwrap_or_default(), &schema)?;
    let (user, given) = match context.ask_user(&question.name, &form).await? {
        UserAnswer::Given(value) => ("given", Some(RawValue::from_string(value.to_string())?)),
        UserAnswer::Declined => ("declined", None),
        UserAnswer::Dismissed => ("dismissed", None),
    };
    Ok(WireAnswer {
        user: Some(user.into()),
        content: given,
        ..WireAnswer::default()
    })
}

impl WireQuestion {
    fn new(what: &str, name: &str) -> Self {
        Self {
            ask: what.into(),
            name: name.into(),
            message: None,
            schema: None,
            max_tokens: None,
            system: None,
            temperature: None,
        }
    }

    fn prompt(&self) -> Result<Prompt, ToolError> {
        let text = self.message.clone().ok_or_else(|| unknown("a prompt"))?;
        let most = self.max_tokens.ok_or_else(|| unknown("a prompt"))?;
        let mut prompt = Prompt::new(text, most);
        if let Some(system) = &self.system {
            prompt = prompt.with_system(&**system);
        }
        if let Some(temperature) = self.temperature {
            prompt = prompt.with_temperature(temperature);
        }
        Ok(prompt)
    }
}

/// Sends the questions of one call to its host.
pub(crate) struct Asker {
    can: Vec<Question>,
    questions: mpsc::Sender<Asked>,
}

/// A question that is to be sent, and who waits for the answer.
pub(crate) struct Asked {
    pub(crate) body: Bytes,
    pub(crate) answer: oneshot::Sender<Answer>,
}

/// What a host sends back.
type Answer = Result<Bytes, ToolError>;

impl Asker {
    /// Of a call whose header says this about what can be asked.
    pub(crate) fn new(header: &str) -> (Self, mpsc::Receiver<Asked>) {
        let (questions, asked) = mpsc::channel(1);
        let listed = |name: &str| header.split(',').any(|word| word.trim() == name);
        let can = NAMES.iter().filter(|(_, name)| listed(name));
        let can = can.map(|(what, _)| *what).collect();
        (Self { can, questions }, asked)
    }

    async fn ask(&self, question: WireQuestion) -> Result<WireAnswer, ToolError> {
        let (answer, answered) = oneshot::channel();
        let body = serde_json::to_vec(&question)?.into();
        let asked = Asked { body, answer };
        self.questions.send(asked).await.map_err(|_| over())?;
        let answer = answered.await.map_err(|_| over())??;
        serde_json::from_slice(&answer).map_err(|error| unknown("an answer").with_source(error))
    }
}

impl Responder for Asker {
    fn can_ask(&self, what: Question) -> bool {
        self.can.contains(&what)
    }

    fn ask_user<'a>(
        &'a self,
        name: &'a str,
        form: &'a Form,
    ) -> PendingAnswer<'a, UserAnswer<Value>> {
        Box::pin(async move {
            let answer = self
                .ask(WireQuestion {
                    message: Some(form.message().to_owned()),
                    schema: Some(RawValue::from_string(form.schema().to_string())?),
                    ..WireQuestion::new("user", name)
                })
                .await?;
            match (answer.user.as_deref(), answer.content) {
                (Some("given"), Some(content)) => {
                    Ok(UserAnswer::Given(Value::from_json(content.get())?))
                }
                (Some("declined"), _) => Ok(UserAnswer::Declined),
                (Some("dismissed"), _) => Ok(UserAnswer::Dismissed),
                _ => Err(unknown("an answer")),
            }
        })
    }

    fn ask_model<'a>(&'a self, name: &'a str, prompt: &'a Prompt) -> PendingAnswer<'a, ModelReply> {
        Box::pin(async move {
            let answer = self
                .ask(WireQuestion {
                    message: Some(prompt.text().to_owned()),
                    max_tokens: Some(prompt.max_tokens()),
                    system: prompt.system().map(str::to_owned),
                    temperature: prompt.temperature(),
                    ..WireQuestion::new("model", name)
                })
                .await?;
            let (text, model) = answer
                .text
                .zip(answer.model)
                .ok_or_else(|| unknown("an answer"))?;
            let reply = ModelReply::new(text, model);
            Ok(match answer.stop_reason {
                Some(reason) => reply.with_stop_reason(reason),
                None => reply,
            })
        })
    }

    fn ask_roots<'a>(&'a self, name: &'a str) -> PendingAnswer<'a, Vec<Root>> {
        Box::pin(async move {
            let answer = self.ask(WireQuestion::new("roots", name)).await?;
            let roots = answer.roots.ok_or_else(|| unknown("an answer"))?;
            Ok(roots
                .into_iter()
                .map(|root| Root::new(root.uri, root.name))
                .collect())
        })
    }
}

/// The questions of a call that are not answered, by their numbers.
#[derive(Default)]
pub(crate) struct Open(Mutex<HashMap<u64, oneshot::Sender<Answer>>>);

impl Open {
    /// Waits for an answer. What is not answered when the call ends never is.
    pub(crate) fn add(&self, number: u64, answer: oneshot::Sender<Answer>) {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.insert(number, answer);
    }

    /// What the host answers. One that it answers twice is answered already.
    pub(crate) fn answer(&self, number: u64, answer: Answer) {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(waiting) = open.remove(&number) {
            // The tool may have stopped to wait for it.
            let _ = waiting.send(answer);
        }
    }
}

fn unknown(what: &str) -> ToolError {
    let message = format!("Between the tool and its caller, {what} was not understood.");
    grid_error(ErrorKind::DependencyFailed, "malformed", &message)
}

fn over() -> ToolError {
    ToolError::new(
        ErrorKind::Cancelled,
        "The call was over before its question was answered.",
    )
}
