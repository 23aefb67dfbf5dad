//! Calls and results as messages: what a model or a client sends, and what it is sent back.
//!
//! Nothing here checks a call against its tool. A message is taken apart, and what is in it becomes
//! the ADM structure that all of toolpact works with; on the way back it is put together again.
//! Members that nobody asked for are passed over, because providers add some all the time.

mod adm;
pub(super) mod anthropic;
mod arguments;
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
use super::export::Export;

use definition_hint::DefinitionHint;
pub use id::CallId;
pub(super) use shape::Form;
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
/// // The same call in the words of others.
/// assert_eq!(
///     Dialect::Anthropic.write_call(&call, None).text(),
///     r#"{"type":"tool_use","id":"call_1","name":"get_weather","input":{"city": "Oslo"}}"#
/// );
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// What the answer has to refer to.
    pub id: Option<CallId>,
    /// The function and its arguments.
    pub call: FunctionCall,
}

/// What came of a call, on its way back to the one who called.
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
    /// What came of it.
    pub result: ToolResult,
    /// How it reads to a model. If there is none, that is the content as JSON, without quotes if it
    /// is a string, or the message of the error.
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
    /// Reads a call from one message: a part of Gemini, an output item or a tool call of OpenAI, a
    /// content block of Anthropic, a request of MCP or its `params`, a function call of ADM.
    ///
    /// Arguments may be an object or the JSON text of one, whatever the dialect says, because models
    /// and proxies send both. No arguments, null and an empty text are no arguments. A text is read
    /// as strictly as all JSON here, within the default [`Limits`](crate::json::Limits).
    ///
    /// `tools` is what the model was shown. Arguments of a tool in it become those of its contract,
    /// as [`ExportedTool::read_args`](super::ExportedTool::read_args) has it. A tool that is not in
    /// it is for others to report.
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
            Some(form) => form.read_call(message)?,
            None => adm::read_call(message)?,
        };
        let tool = tools.and_then(|tools| tools.get(name.as_str()));
        let args = tool.map_or_else(|| args.clone(), |tool| tool.read_args(&args));
        let call = FunctionCall::from_value(&adm::call(&name, &args))?;
        Ok(ToolCall { id, call })
    }

    /// Writes a call as [`Dialect::read_call`] reads it. ADM has no place for an identifier; in MCP
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
        (form.write_call)(call, &args, &mut writer);
        Value::trusted(writer)
    }

    /// Reads a result from one message. Most dialects do not say of which tool it is, so the `name`
    /// of the call has to be given; if the message has one too, it must be the same.
    ///
    /// OpenAI and Anthropic carry only text. A text that is JSON is read as that, unless the tool is
    /// known to return mere text. OpenAI does not say either whether a text is a failure: it is, if
    /// it reads `{"error": {"message": …}}` and nothing else, as [`Dialect::write_result`] writes
    /// it. So a string that looks like JSON, or a success that looks like an error, cannot be told
    /// from what it looks like. In MCP, a text is a string and nothing else.
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

    /// Writes a result for the one who called.
    ///
    /// Where the definition of a tool in `tools` says what it returns, the content is written as it
    /// is. Elsewhere a model gets the text, if there is one. MCP has a place for both.
    ///
    /// A failure says so by the means of the dialect. OpenAI has none: there it is the text
    /// `{"error": {"message": …, "type": …}}`. Of an error, nothing is told but its message and type.
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
