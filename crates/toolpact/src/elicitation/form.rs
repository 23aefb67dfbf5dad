use schemars::generate::SchemaSettings;
use toolpact_core::Violations;
use toolpact_core::json::{Node, Value};
use toolpact_core::schema::JsonSchema;

use super::{FormFields, UserAnswer};
use crate::ToolError;
use crate::broken_rules::broken_rules;

/// The code of the error for an answer that does not fit its form.
pub const WRONG_ANSWER: &str = "CONFLICT_ANSWER";

/// A question for a user, and the schema of the answer.
///
/// ```
/// use toolpact::elicitation::Form;
/// use toolpact::core::json::Value;
///
/// let schema = Value::from_json(r#"{"type": "object", "properties": {"age": {"type": "integer"}}}"#)?;
/// let form = Form::new("How old are you?", &schema)?;
/// assert_eq!(form.message(), "How old are you?");
/// # Ok::<(), toolpact::core::Violations>(())
/// ```
#[derive(Debug, Clone)]
pub struct Form {
    message: String,
    schema: JsonSchema,
}

impl Form {
    /// A form with this schema, which is that of an object.
    pub fn new(message: impl Into<String>, schema: &Value) -> Result<Self, Violations> {
        Ok(Self {
            message: message.into(),
            schema: JsonSchema::from_value(schema)?,
        })
    }

    /// A form with the schema of a type. Names of types are not for users, and neither are references.
    pub(super) fn of<T: FormFields>(message: impl Into<String>) -> Result<Self, ToolError> {
        let settings = SchemaSettings::draft2020_12().for_deserialize();
        let settings = settings.with(|settings| settings.inline_subschemas = true);
        let mut schema = settings.into_generator().into_root_schema_for::<T>();
        schema.remove("$schema");
        schema.remove("title");
        let schema = Value::from_json(schema.to_value().to_string())?;
        Ok(Self::new(message, &schema)?)
    }

    /// Whether something may be done.
    pub(crate) fn approval(question: impl Into<String>) -> Result<Self, Violations> {
        let schema = r#"{
            "type": "object",
            "properties": {"approve": {"type": "boolean", "title": "Yes, do it", "default": false}},
            "required": ["approve"]
        }"#;
        Self::new(question, &Value::from_json(schema)?)
    }

    /// Whether this answer allows it.
    pub(crate) fn approves(answer: &UserAnswer<Value>) -> bool {
        let UserAnswer::Given(content) = answer else {
            return false;
        };
        let approve = content.root().get("approve").and_then(Node::as_bool);
        approve == Some(true)
    }

    /// The question in words.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The schema of the answer.
    #[must_use]
    pub fn schema(&self) -> Value {
        self.schema.to_value()
    }

    /// The answer, if it fits. Models do not read what users answer, so the error does not quote it.
    pub(super) fn check(&self, name: &str, content: Value) -> Result<Value, ToolError> {
        let Err(violations) = self.schema.checker().check(&content) else {
            return Ok(content);
        };
        let rules = broken_rules(&violations, self.schema().text());
        let message = format!("The answer to `{name}` is not what was asked for: {rules}.");
        Err(ToolError::with_code(WRONG_ANSWER, message))
    }
}
