//! Detects the dialect of messages and splits them into parts, before their tools are looked up.

use crate::json::report::{Place, Report};
use crate::json::{Kind, Node, Value};
use crate::model::{ErrorObject, describe};
use crate::violation::rules::structure as rules;
use crate::{Pointer, Violations};

use super::shape::{Form, missing};
use super::{CallId, DefinitionHint, Dialect, arguments};

/// A call in a provider's format.
pub(crate) struct SplitCall<'a> {
    pub(crate) id: Option<CallId>,
    pub(crate) name: Option<Node<'a>>,
    pub(crate) args: SplitArguments<'a>,
    /// Where the arguments are, or would be.
    pub(crate) place: Pointer,
}

/// The arguments of a call.
pub(crate) enum SplitArguments<'a> {
    /// An object in the message.
    Object(Node<'a>),
    /// An object that was sent as JSON text, or omitted.
    Read(Value),
    /// Text that is not a JSON object.
    Unread(Violations),
    /// Invalid, and already reported.
    Reported,
}

/// A result in a provider's format.
pub(crate) struct SplitResult<'a> {
    pub(crate) id: Option<CallId>,
    /// Most dialects do not name the tool in a result.
    pub(crate) name: Option<Node<'a>>,
    /// The name of the message type, with its article.
    pub(crate) what: &'static str,
    pub(crate) outcome: Result<Value, ErrorObject>,
    /// The content as the text that was sent.
    pub(crate) text: Option<Value>,
    /// Where the content is.
    pub(crate) place: Pointer,
}

impl Dialect {
    /// Detects the dialect of a call. `None` if it is ADM or unknown.
    ///
    /// ```
    /// use toolpact_core::dialect::Dialect;
    /// use toolpact_core::json::Value;
    ///
    /// let call = r#"{"type": "tool_use", "id": "toolu_1", "name": "ping", "input": {}}"#;
    /// assert_eq!(Dialect::of_call(Value::from_json(call)?.root()), Some(Dialect::Anthropic));
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    #[must_use]
    pub fn of_call(message: Node<'_>) -> Option<Self> {
        let has = |key: &str| message.get(key).is_some();
        if has("toolUse") || has("toolUseId") && has("input") {
            Some(Dialect::Bedrock)
        } else if says(message, "type", "function_call") {
            Some(Dialect::OpenAi)
        } else if says(message, "type", "tool_use") {
            Some(Dialect::Anthropic)
        } else if has("functionCall") || has("function_call") {
            Some(Dialect::Gemini)
        } else if message.get("function").map(Node::kind) == Some(Kind::Object) {
            Some(Dialect::OpenAiChat)
        } else if has("method") || has("name") && has("arguments") {
            Some(Dialect::Mcp)
        } else {
            None
        }
    }

    /// Detects the dialect of a result. `None` if it is ADM or unknown.
    ///
    /// ```
    /// use toolpact_core::dialect::Dialect;
    /// use toolpact_core::json::Value;
    ///
    /// let result = r#"{"role": "tool", "tool_call_id": "call_1", "content": "5"}"#;
    /// assert_eq!(Dialect::of_result(Value::from_json(result)?.root()), Some(Dialect::OpenAiChat));
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    #[must_use]
    pub fn of_result(message: Node<'_>) -> Option<Self> {
        let has = |key: &str| message.get(key).is_some();
        let is_list = |key: &str| message.get(key).map(Node::kind) == Some(Kind::Array);
        if has("toolResult") || has("toolUseId") {
            Some(Dialect::Bedrock)
        } else if has("status") {
            None
        } else if says(message, "role", "tool") {
            Some(Dialect::OpenAiChat)
        } else if says(message, "type", "function_call_output") {
            Some(Dialect::OpenAi)
        } else if says(message, "type", "tool_result") {
            Some(Dialect::Anthropic)
        } else if has("functionResponse") || has("function_response") {
            Some(Dialect::Gemini)
        } else if has("jsonrpc")
            || has("structuredContent")
            || !has("role") && !has("name") && is_list("content")
        {
            Some(Dialect::Mcp)
        } else {
            None
        }
    }

    /// Splits a call. `None` after a report, or for a dialect without its own messages.
    pub(crate) fn split_call<'a>(
        self,
        message: Node<'a>,
        report: &mut Report,
    ) -> Option<SplitCall<'a>> {
        let form = self.spec().messages?;
        let (body, id) = form.call.open(message, report)?;
        let name = body.get("name");
        let name = name.or_else(|| missing("name", form.call.name, body, report));
        let args = body.get(form.args);
        let before = report.errors();
        if args.is_none() {
            form.report_misplaced(body, report);
        }
        let args = match args.filter(|args| args.kind() == Kind::Object) {
            Some(object) => SplitArguments::Object(object),
            None if report.errors() > before => SplitArguments::Reported,
            None => match arguments::read(args, form.args, report) {
                Ok(Some(value)) => SplitArguments::Read(value),
                Ok(None) => SplitArguments::Reported,
                Err(violations) => SplitArguments::Unread(violations),
            },
        };
        let place = inside(message, form.call.inside).key(form.args);
        Some(SplitCall {
            id,
            name,
            args,
            place,
        })
    }

    /// Splits a result. `None` after a report, or for a dialect without its own messages.
    pub(crate) fn split_result<'a>(
        self,
        message: Node<'a>,
        report: &mut Report,
    ) -> Option<SplitResult<'a>> {
        let form: &'static Form = self.spec().messages?;
        let (body, id) = form.result.open(message, report)?;
        let outcome = (form.outcome)(body, DefinitionHint::default(), report)?;
        let place = inside(message, form.result.inside);
        let (place, content) = content(body, place);
        Some(SplitResult {
            id,
            name: body.get("name").filter(|name| name.kind() != Kind::Null),
            what: form.result.name,
            outcome: outcome.result,
            text: content.and_then(Node::as_str).map(|text| (&*text).into()),
            place,
        })
    }
}

/// Reports that nothing names the tool that a result is from.
pub(crate) fn report_nameless(message: Node<'_>, what: &str, report: &mut Report) {
    let place = Place::Node(message.id());
    report.add(&rules::MISSING_FIELD, place, |finding| {
        finding
            .say(format!(
                "expected the name of the tool, which {what} does not say, found {}",
                describe(message)
            ))
            .advise("give the calls as well: the n-th result belongs to the n-th call");
    });
}

fn says(message: Node<'_>, key: &str, word: &str) -> bool {
    message.get(key).and_then(Node::as_str).as_deref() == Some(word)
}

/// Where the body of a message is.
fn inside(message: Node<'_>, keys: &[&str]) -> Pointer {
    let is_object = |key: &&&str| message.get(key).map(Node::kind) == Some(Kind::Object);
    let key = keys.iter().find(is_object);
    key.map_or_else(Pointer::root, |key| Pointer::root().key(key))
}

/// Where the content of a result is.
fn content(body: Node<'_>, place: Pointer) -> (Pointer, Option<Node<'_>>) {
    let keys = ["structuredContent", "output", "content"];
    let found = keys.iter().find_map(|key| Some((*key, body.get(key)?)));
    match (found, body.get("response")) {
        (Some((key, node)), _) => (place.key(key), Some(node)),
        (None, Some(response)) => content(response, place.key("response")),
        (None, None) => (place, None),
    }
}
