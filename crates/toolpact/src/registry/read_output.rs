//! Turns the bytes of a result back into the type that the tool returns.

use super::{Registry, ToolsetHandle};
use crate::Error;
use crate::typed::AnyValue;

/// A result that has its Rust type again.
#[derive(Debug)]
pub struct TypedOutput(AnyValue);

impl TypedOutput {
    /// The value, if this is its type.
    #[must_use]
    pub fn get<T: 'static>(&self) -> Option<&T> {
        self.0.get()
    }

    /// The name of its type.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        self.0.type_name()
    }
}

impl Registry {
    /// Turns the content of a result back into the type that a tool of the toolset without a name
    /// returns. The types are known since the tools were registered.
    ///
    /// ```
    /// use toolpact::returns::NumberValue;
    /// use toolpact::{Registry, tool};
    /// # /// Adds two numbers.
    /// # #[tool(read_only)]
    /// # async fn add(a: i64, b: i64) -> NumberValue { NumberValue::success(a + b) }
    ///
    /// let registry = Registry::new();
    /// registry.add(add::tool())?;
    /// let output = registry.read_output("add", br#"{"success":true,"value":3}"#)?;
    /// assert_eq!(output.get::<NumberValue>(), Some(&NumberValue::success(3)));
    /// assert!(registry.read_output("add", br#"{"success":true,"value":"3"}"#).is_err());
    /// assert!(registry.read_output("subtract", b"3").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_output(&self, tool: &str, json: &[u8]) -> Result<TypedOutput, Error> {
        self.default_toolset().read_output(tool, json)
    }
}

impl ToolsetHandle<'_> {
    /// Turns the content of a result back into the type that the tool returns. See
    /// [`Registry::read_output`].
    pub fn read_output(&self, tool: &str, json: &[u8]) -> Result<TypedOutput, Error> {
        let entry = self.get(tool);
        let entry = entry.ok_or_else(|| Error::unknown_output(tool))?;
        let promise = entry.function().promise();
        let checked = promise.check_json(json);
        checked.map_err(|violations| Error::broken_output(tool, violations))?;
        let decoded = crate::call::catch_panic(tool, || entry.body().decode(json));
        let held = decoded.and_then(|decoded| decoded);
        held.map(TypedOutput)
            .map_err(|error| Error::unreadable_output(tool, error))
    }
}
