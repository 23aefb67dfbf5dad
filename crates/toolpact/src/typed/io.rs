use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::ToolError;

/// What a tool can take, and what a parameter of one can be: a type with a schema, that can be read.
/// Everything that has these traits is one:
///
/// ```
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Order { number: u32 }
///
/// fn takes<I: toolpact::typed::Input>() {}
/// takes::<Order>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be what a tool takes",
    note = "what a tool takes is `Deserialize`, `JsonSchema`, `Send`, `Sync` and `'static`, and so is \
            everything in it",
    note = "for a type of yours: #[derive(serde::Deserialize, schemars::JsonSchema)], or \
            #[toolpact::tool_type]"
)]
pub trait Input: DeserializeOwned + JsonSchema + Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + Sync + 'static> Input for T {}

/// What a tool can return: a value with a schema, that can be written and read. Everything that has
/// these traits is one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be what a tool returns",
    note = "what a tool returns is `Serialize`, `Deserialize`, `JsonSchema`, `Send`, `Sync` and \
            `'static`, and so is everything in it",
    note = "for a type of yours: #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)], \
            or #[toolpact::tool_type]"
)]
pub trait Output: Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T> Output for T where T: Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static {}

/// What a function may return instead of `O`, which its tool promises with `#[tool(returns = …)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not become `{O}`",
    label = "the function returns `{Self}`, and the tool promises `{O}`",
    note = "a `Vec<T>` becomes a `ListResult<T>`, any `T` an `ObjectResult<T>`, a `String` a `StringValue`, \
            a number a `NumberValue`, a `bool` a `BooleanValue`, `()` a `VoidResult`",
    note = "for a type of yours: implement `From<{Self}>` or `TryFrom<{Self}>` for `{O}`"
)]
pub trait IntoOutput<O> {
    /// The result that is promised.
    fn into_output(self) -> Result<O, ToolError>;
}

#[diagnostic::do_not_recommend]
impl<T: TryInto<O>, O> IntoOutput<O> for T
where
    ToolError: From<T::Error>,
{
    fn into_output(self) -> Result<O, ToolError> {
        Ok(self.try_into()?)
    }
}

/// The input of one particular tool, as `#[tool]` makes it: it knows the tool's name and output, and
/// can be written, for [`Session::run`](crate::Session::run).
pub trait ToolInput: Input + Serialize {
    /// What the tool returns.
    type Output: Output;
    /// The name of the tool.
    const NAME: &'static str;
}
