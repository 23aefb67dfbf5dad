//! Questions and answers as the protocol has them.

use serde_json::{Value as Json, json};
use toolpact::ToolError;
use toolpact::core::json::Value;
use toolpact::elicitation::{Form, ModelReply, Prompt, Root, UserAnswer};

use super::ClientRequest;
use super::form::{self, Choices};

/// A form for the user.
pub(super) fn form(name: &str, form: &Form, choices: Choices) -> Result<ClientRequest, ToolError> {
    let schema = form::write(&form.schema(), choices).map_err(|error| {
        ToolError::internal(format!(
            "the form `{name}` has no form in the protocol: {error}"
        ))
    })?;
    Ok(ClientRequest {
        method: "elicitation/create".into(),
        params: Some(json!({"mode": "form", "message": form.message(), "requestedSchema": schema})),
    })
}

/// A question for a model.
pub(super) fn prompt(prompt: &Prompt) -> ClientRequest {
    let content = json!({"type": "text", "text": prompt.text()});
    let mut params = json!({
        "messages": [{"role": "user", "content": content}],
        "maxTokens": prompt.max_tokens(),
    });
    if let Some(system) = prompt.system() {
        params["systemPrompt"] = system.into();
    }
    if let Some(temperature) = prompt.temperature() {
        params["temperature"] = temperature.into();
    }
    ClientRequest {
        method: "sampling/createMessage".into(),
        params: Some(params),
    }
}

/// A question for the folders to work in.
pub(super) fn list_roots() -> ClientRequest {
    ClientRequest {
        method: "roots/list".into(),
        params: None,
    }
}

/// What the user said.
pub(super) fn user_answer(said: &Json) -> Result<UserAnswer<Value>, &'static str> {
    let expected =
        "an object whose `action` is `accept` with an object `content`, `decline` or `cancel`";
    match said.get("action").and_then(Json::as_str) {
        Some("accept") => {
            let nothing = json!({});
            let content = said.get("content").unwrap_or(&nothing);
            let content = content.is_object().then(|| content.to_string());
            let content = content.and_then(|content| Value::from_json(content).ok());
            content.map(UserAnswer::Given).ok_or(expected)
        }
        Some("decline") => Ok(UserAnswer::Declined),
        Some("cancel") => Ok(UserAnswer::Dismissed),
        _ => Err(expected),
    }
}

/// What a model said. Of content in several parts, the texts count.
pub(super) fn model_reply(said: &Json) -> Result<ModelReply, &'static str> {
    let expected = "an object with the text `model` and `content` with a text";
    let content = said.get("content").ok_or(expected)?;
    let parts = content
        .as_array()
        .map_or(std::slice::from_ref(content), Vec::as_slice);
    let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
    let texts: Vec<&str> = texts.collect();
    let model = said.get("model").and_then(Json::as_str).ok_or(expected)?;
    if texts.is_empty() {
        return Err(expected);
    }
    let answer = ModelReply::new(texts.concat(), model);
    Ok(match said.get("stopReason").and_then(Json::as_str) {
        Some(reason) => answer.with_stop_reason(reason),
        None => answer,
    })
}

/// The answer to a question of another server, which reads it itself.
pub(super) fn any_object(said: &Json) -> Result<Value, &'static str> {
    let object = said.is_object().then(|| said.to_string());
    let object = object.and_then(|object| Value::from_json(object).ok());
    object.ok_or("an object")
}

/// The places to work in.
pub(super) fn roots(said: &Json) -> Result<Vec<Root>, &'static str> {
    let expected = "an object with `roots`, a list of objects with the text `uri`";
    let root = |root: &Json| {
        let uri = root.get("uri")?.as_str()?;
        let name = root.get("name").and_then(Json::as_str);
        Some(Root::new(uri, name.map(str::to_owned)))
    };
    let roots = said.get("roots").and_then(Json::as_array).ok_or(expected)?;
    let roots: Option<Vec<Root>> = roots.iter().map(root).collect();
    roots.ok_or(expected)
}
