//! Calls and results as messages: what a model or a client sends, and what it gets back.
//!
//! Nothing here checks a call against its tool. Messages are converted to and from the ADM
//! structures that the rest of toolpact uses. Unknown members are ignored, because providers keep
//! adding new ones.

mod adm;
pub(super) mod anthropic;
mod arguments;
pub(super) mod bedrock;
mod definition_hint;
mod failure;
pub(super) mod gemini;
mod id;
pub(super) mod mcp;
pub(super) mod openai;
mod shape;
mod split;
mod text;

use crate::Violations;
use crate::json::{Value, Writer};
use crate::model::{FunctionCall, ToolName, ToolResult};

use super::dialects::Dialect;
use super::export::{Export, ExportedTool};

use definition_hint::DefinitionHint;
pub use id::CallId;
pub(super) use shape::Form;
use shape::NamedCall;
pub(crate) use split::{SplitArguments, report_nameless};

/// A call as a model or a client asked for it.
///
/// ```
/// use toolpact_core::dialect::Dialect;
/// use toolpact_core::json::Value;
///
/// let sent = Value::from_json(
///     r#"{"id": "call_1", "type": "function",
///         "function": {"name": "get_weather", "arguments": "{\"city\": \"Oslo\"}"}}"#,
/// )?;
/// let call = Dialect::OpenAiChat.read_call(&sent, None)?;
/// assert_eq!(call.call.args().text(), r#"{"city": "Oslo"}"#);
///
/// // The same call in another dialect.
/// assert_eq!(
///     Dialect::Anthropic.write_call(&call, None).text(),
///     r#"{"type":"tool_use","id":"call_1","name":"get_weather","input":{"city": "Oslo"}}"#
/// );
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// The identifier that the answer must repeat.
    pub id: Option<CallId>,
    /// The function and its arguments.
    pub call: FunctionCall,
}

/// The result of a call, to be sent back to the caller.
///
/// ```
/// use toolpact_core::dialect::{Answer, Dialect};
/// use toolpact_core::model::ToolResult;
///
/// let result = ToolResult::from_json(
///     r#"{"name": "get_weather", "status": "SUCCESS", "content": {"degrees": -3}}"#,
/// )?;
/// let answer = Answer {
///     id: Some("call_1".into()),
///     text: Some("It is -3 °C.".to_owned()),
///     result,
/// };
/// assert_eq!(
///     Dialect::OpenAi.write_result(&answer, None).text(),
///     r#"{"type":"function_call_output","call_id":"call_1","output":"It is -3 °C."}"#
/// );
/// assert_eq!(
///     Dialect::Mcp2025_11_25.write_result(&Answer { id: None, ..answer }, None).text(),
///     r#"{"content":[{"type":"text","text":"It is -3 °C."}],"structuredContent":{"degrees": -3}}"#
/// );
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The identifier of the call.
    pub id: Option<CallId>,
    /// The result of the call.
    pub result: ToolResult,
    /// The text for a model. By default it is the content as JSON, unquoted if it is a string, or
    /// the message of the error.
    pub text: Option<String>,
}

impl From<FunctionCall> for ToolCall {
    fn from(call: FunctionCall) -> Self {
        Self { id: None, call }
    }
}

impl From<ToolResult> for Answer {
    fn from(result: ToolResult) -> Self {
        Self {
            id: None,
            result,
            text: None,
        }
    }
}

impl Dialect {
    /// Reads a call from one message: a Gemini part, an OpenAI output item or tool call, an
    /// Anthropic or Bedrock content block, an MCP request or its `params`, or an ADM function call.
    ///
    /// Arguments may be an object or the JSON text of one in every dialect, because models and
    /// proxies send both. Missing, null and empty arguments all mean no arguments. JSON text is
    /// read as strictly as any other JSON here, within the default [`Limits`](crate::json::Limits).
    ///
    /// `tools` is what the model was shown. Arguments of those tools are converted with
    /// [`ExportedTool::read_args`](super::ExportedTool::read_args). Calls to other tools are not
    /// reported here.
    ///
    /// ```
    /// use toolpact_core::dialect::Dialect;
    /// use toolpact_core::json::Value;
    ///
    /// let sent = Value::from_json(
    ///     r#"{"type": "function_call", "name": "wait", "arguments": "{\"s\": 1, \"s\": 2}"}"#,
    /// )?;
    /// let refused = Dialect::OpenAi.read_call(&sent, None).unwrap_err();
    /// assert_eq!(refused.iter().next().unwrap().pointer().to_string(), "/arguments/s");
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    pub fn read_call(
        self,
        message: &Value,
        tools: Option<&Export>,
    ) -> Result<ToolCall, Violations> {
        let (id, name, args) = match self.spec().messages {
            Some(form) => form.read_call(message, tools)?,
            None => adm::read_call(message)?,
        };
        let tool = tools.and_then(|tools| tools.get(name.as_str()));
        let args = tool.map_or_else(|| args.clone(), |tool| tool.read_args(&args));
        let call = FunctionCall::from_value(&adm::call(&name, &args))?;
        Ok(ToolCall { id, call })
    }

    /// Writes a call as [`Dialect::read_call`] reads it. ADM has no field for an identifier; in MCP
    /// a call with one is a whole request, and a call without is its `params`.
    ///
    /// ```
    /// # use toolpact_core::{dialect::Dialect, model::FunctionCall};
    /// let call = FunctionCall::builder("wait").arg("s", 5).build()?;
    /// let written = Dialect::Gemini.write_call(&call.into(), None);
    /// assert_eq!(written.text(), r#"{"functionCall":{"name":"wait","args":{"s":5}}}"#);
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    #[must_use]
    pub fn write_call(self, call: &ToolCall, tools: Option<&Export>) -> Value {
        let (name, args) = (call.call.name(), call.call.args());
        let tool = tools.and_then(|tools| tools.get(name.as_str()));
        let args = tool.map_or_else(|| args.clone(), |tool| tool.write_args(args));
        let Some(form) = self.spec().messages else {
            return adm::call(name, &args);
        };
        let mut writer = Writer::default();
        let call = NamedCall {
            id: call.id.as_ref(),
            name: tool.map_or(name.as_str(), ExportedTool::name),
            args: &args,
        };
        (form.write_call)(&call, &mut writer);
        Value::trusted(writer)
    }

    /// Reads a result from one message. Most dialects do not name the tool in a result, so the
    /// `name` of the call has to be given; if the message has one too, both must be equal.
    ///
    /// OpenAI and Anthropic results are text. Text that is valid JSON is parsed, unless the tool is
    /// known to return plain text. OpenAI does not mark failures: a text is one if it is
    /// `{"error": {"message": …}}` and nothing else, as [`Dialect::write_result`] writes it. So a
    /// string that looks like JSON is read as JSON, and a success that looks like an error is read
    /// as an error. In MCP, text is always a string.
    ///
    /// ```
    /// use toolpact_core::dialect::Dialect;
    /// use toolpact_core::json::Value;
    /// use toolpact_core::model::{ToolName, ToolResult};
    ///
    /// let sent = Value::from_json(
    ///     r#"{"type": "tool_result", "tool_use_id": "toolu_1", "is_error": true,
    ///         "content": [{"type": "text", "text": "No such city"}]}"#,
    /// )?;
    /// let name = ToolName::new("get_weather")?;
    /// let answer = Dialect::Anthropic.read_result(&sent, Some(&name), None)?;
    /// let ToolResult::Error { error, .. } = &answer.result else { panic!() };
    /// assert_eq!(error.message(), "No such city");
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    pub fn read_result(
        self,
        message: &Value,
        name: Option<&ToolName>,
        tools: Option<&Export>,
    ) -> Result<Answer, Violations> {
        match self.spec().messages {
            Some(form) => form.read_result(message, name, tools),
            None => adm::read_result(message, name),
        }
    }

    /// Writes a result for the caller.
    ///
    /// If the definition of the tool in `tools` declares what it returns, the content is written as
    /// it is. Otherwise a model gets the text, if there is one. MCP has fields for both.
    ///
    /// A failure is marked as the dialect defines. OpenAI has no mark: there it is the text
    /// `{"error": {"message": …, "type": …}}`. Only the message and type of an error are written.
    ///
    /// ```
    /// # use toolpact_core::{dialect::Dialect, model::ToolResult};
    /// let gone = r#"{"name": "find", "status": "ERROR", "error": {"message": "Gone"}}"#;
    /// let written = Dialect::Gemini.write_result(&ToolResult::from_json(gone)?.into(), None);
    /// let expected = r#"{"functionResponse":{"name":"find","response":{"error":{"message":"Gone"}}}}"#;
    /// assert_eq!(written.text(), expected);
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    #[must_use]
    pub fn write_result(self, answer: &Answer, tools: Option<&Export>) -> Value {
        let Some(form) = self.spec().messages else {
            return answer.result.to_value();
        };
        let told = DefinitionHint::about(answer.result.name(), tools);
        let mut writer = Writer::default();
        (form.write_result)(answer, told, &mut writer);
        Value::trusted(writer)
    }
}
