//! Calls and results as agents and providers send them. Each line may be in another dialect.

use std::borrow::Cow;

use super::{Function, Toolset, envelope, fast_within, nothing_found};
use crate::dialect::{CallId, Dialect, SplitArguments, report_nameless};
use crate::json::report::{Place, Report};
use crate::json::{Document, Limits, Node, Value, node_at};
use crate::model::{CALL_ID, ToolName};
use crate::text::shorten;
use crate::violation::location::Locator;
use crate::violation::rules::result as rules;
use crate::violation::{Checked, Pointer, Violations};

impl Toolset {
    /// Checks a call as a model or a client sent it: ADM, a tool call of OpenAI (Chat Completions or
    /// Responses), a `tool_use` of Anthropic, a `functionCall` of Gemini, or `tools/call` of MCP, as
    /// a whole request or its `params`.
    ///
    /// ```
    /// # use toolpact_core::document::AnyDocument;
    /// # use toolpact_core::json::{Document, Limits};
    /// # use toolpact_core::returns::Level;
    /// # use toolpact_core::toolset::Toolset;
    /// # let document = Document::yaml(br#"
    /// # toolpact: 1
    /// # tools:
    /// #   - name: count_orders
    /// #     description: Counts the orders of one customer.
    /// #     parameters: { type: object, properties: { customer: { type: string } } }
    /// #     returns: NumberValue
    /// # "#, &Limits::default());
    /// # let contracts = AnyDocument::check(&document, None).into_result()?;
    /// # let tools = Toolset::new(contracts.functions(Level::Meaning))?;
    /// let call = br#"{"id": "call_1", "type": "function",
    ///     "function": {"name": "count_orders", "arguments": "{\"customer\": 5}"}}"#;
    /// let checked = tools.check_call_message(call, &Limits::default());
    /// assert_eq!(
    ///     checked.violations.to_string(),
    ///     "2:55: error[value-type] at /function/arguments/customer: expected the type string, found the number 5"
    /// );
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    #[must_use]
    pub fn check_call_message(&self, json: &[u8], limits: &Limits) -> Checked<()> {
        let check = match self.verdict_within(json, limits) {
            Some(true) => return nothing_found(),
            Some(false) => Function::explain_args,
            None => Function::check_args,
        };
        let document = Document::json(json, limits);
        match document.root().and_then(Dialect::of_call) {
            Some(dialect) => self.check_foreign_call(&document, dialect, limits),
            None => self.read_call(&document, check).map(drop),
        }
    }

    /// Checks a result as it was sent back: ADM, a tool message or `function_call_output` of OpenAI,
    /// a `tool_result` of Anthropic, a `functionResponse` of Gemini, or a result of MCP, with its
    /// JSON-RPC message or without. `call` is the message of the call that it answers. Only ADM and
    /// Gemini say in the result which tool it is from; the others need it.
    #[must_use]
    pub fn check_result_message(
        &self,
        json: &[u8],
        call: Option<&[u8]>,
        limits: &Limits,
    ) -> Checked<()> {
        let head = call.map(|call| self.head_of_call(call, limits));
        let name = head.as_ref().and_then(|head| head.name.as_deref());
        let is_asked = fast_within(limits, json);
        if is_asked && self.fast_accepts_result(json, name) {
            return nothing_found();
        }
        let check = match is_asked {
            true => Function::explain_content,
            false => Function::check_content,
        };
        let document = Document::json(json, limits);
        match document.root().and_then(Dialect::of_result) {
            Some(dialect) => self.check_foreign_result(&document, dialect, head.as_ref(), limits),
            None => self.read_result(&document, name, check),
        }
    }

    /// The name in a call of any dialect, if it could be a name. The rest of the call may be wrong.
    #[must_use]
    pub fn name_of_call<'a>(&self, json: &'a [u8], limits: &Limits) -> Option<Cow<'a, str>> {
        self.head_of_call(json, limits).name
    }

    /// The part of a call that a result refers to. The rest of the call may be wrong.
    fn head_of_call<'a>(&self, json: &'a [u8], limits: &Limits) -> CallHead<'a> {
        let (name, id) = match envelope::split_call(json).filter(|_| fast_within(limits, json)) {
            Some((name, _)) => (Some(Cow::Borrowed(name)), None),
            None => read_head(&Document::json(json, limits)),
        };
        let known = |name: &str| !self.regular || self.get(name).is_some();
        let name = name.filter(|name| known(name) || ToolName::new(name).is_ok());
        CallHead { name, id }
    }

    fn check_foreign_call(
        &self,
        document: &Document,
        dialect: Dialect,
        limits: &Limits,
    ) -> Checked<()> {
        let mut in_text = Violations::default();
        let checked = document.check(|node, report| {
            let call = dialect.split_call(node, report)?;
            let function = self.find(call.name?, report)?;
            match call.args {
                SplitArguments::Object(args) => function.check_args(args, report).map(drop),
                SplitArguments::Read(args) => {
                    in_text = check_apart(&args, &call.place, limits, |node, report| {
                        function.check_args(node, report);
                    });
                    Some(())
                }
                SplitArguments::Unread(violations) => {
                    in_text = violations;
                    Some(())
                }
                SplitArguments::Reported => None,
            }
        });
        joined(checked, in_text, document)
    }

    fn check_foreign_result(
        &self,
        document: &Document,
        dialect: Dialect,
        call: Option<&CallHead<'_>>,
        limits: &Limits,
    ) -> Checked<()> {
        let mut in_content = Violations::default();
        let checked = document.check(|node, report| {
            let result = dialect.split_result(node, report)?;
            check_id(node, result.id.as_ref(), call, report);
            let called = call.and_then(|call| call.name.as_deref());
            let function = match (result.name, called) {
                (Some(node), called) => {
                    let name = self.read_name(node, report)?;
                    if !self.check_name(node, &name, called, report) {
                        return None;
                    }
                    self.get(&name)
                }
                (None, Some(called)) => self.get(called),
                // The errors of its call have been reported.
                (None, None) if call.is_some() => None,
                (None, None) => {
                    report_nameless(node, result.what, report);
                    return None;
                }
            };
            if let (Some(function), Ok(content)) = (function, &result.outcome) {
                in_content = check_apart(content, &result.place, limits, |node, report| {
                    function.check_content(node, report);
                });
                // A text that looks like JSON may be meant as text.
                let is_text = |text: Value| function.promise.is_valid(text.text().as_bytes());
                if in_content.errors() > 0 && result.text.is_some_and(is_text) {
                    in_content = Violations::default();
                }
            }
            Some(())
        });
        joined(checked, in_content, document)
    }
}

/// The name and the identifier of a call, as far as they could be read.
struct CallHead<'a> {
    name: Option<Cow<'a, str>>,
    id: Option<CallId>,
}

fn read_head(document: &Document) -> (Option<Cow<'static, str>>, Option<CallId>) {
    let owned = |name: Node<'_>| Some(Cow::Owned(name.as_str()?.into_owned()));
    let Some(root) = document.root() else {
        return (None, None);
    };
    let Some(dialect) = Dialect::of_call(root) else {
        let id = root.get(CALL_ID).and_then(Node::as_str);
        return (root.get("name").and_then(owned), id.map(|id| (&*id).into()));
    };
    // The errors of its call have been reported.
    let mut report = Report::new(0);
    match dialect.split_call(root, &mut report) {
        Some(call) => (call.name.and_then(owned), call.id),
        None => (None, None),
    }
}

/// Checks a value that has no position of its own in the source.
fn check_apart(
    value: &Value,
    place: &Pointer,
    limits: &Limits,
    check: impl FnOnce(Node<'_>, &mut Report),
) -> Violations {
    let mut report = Report::new(limits.violations);
    check(value.root(), &mut report);
    report.finish_value(value, place)
}

/// Adds violations to a check, with the positions that their pointers lead to.
fn joined(mut checked: Checked<()>, more: Violations, document: &Document) -> Checked<()> {
    if more.errors() > 0 {
        checked.value = None;
    }
    let mut locator = Locator::new(document.text());
    checked.violations.omitted_errors += more.omitted_errors;
    checked.violations.omitted_warnings += more.omitted_warnings;
    for mut violation in more.list {
        // What is inside a text has no position of its own.
        let node = document
            .root()
            .map(|root| node_at(root, violation.pointer()));
        violation.location = node.map(|node| locator.locate(node.span()));
        checked.violations.list.push(violation);
    }
    checked
}

/// The n-th result belongs to the n-th call: if both have an identifier, it must be the same.
fn check_id(
    message: Node<'_>,
    id: Option<&CallId>,
    call: Option<&CallHead<'_>>,
    report: &mut Report,
) {
    let (Some(id), Some(called)) = (id, call.and_then(|call| call.id.as_ref())) else {
        return;
    };
    if id == called {
        return;
    }
    let place = Place::Node(message.id());
    report.add(&rules::ID_MISMATCH, place, |finding| {
        finding.say(format!(
            "expected the identifier of the call, `{}`, found `{}`",
            shorten(called.as_str()),
            shorten(id.as_str())
        ));
    });
}
