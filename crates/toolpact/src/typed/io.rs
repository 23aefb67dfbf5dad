use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What a tool can take, and what a parameter of one can be: a type with a schema, that can be read,
/// written and copied. Everything that has these traits is one:
///
/// ```
/// #[derive(Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
/// struct Order { number: u32 }
///
/// fn takes<I: toolpact::typed::Input>() {}
/// takes::<Order>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be what a tool takes",
    note = "what a tool takes is `Clone`, `Serialize`, `Deserialize`, `JsonSchema`, `Send`, `Sync` and \
            `'static`, and so is everything in it",
    note = "for a type of yours: #[derive(Clone, serde::Serialize, serde::Deserialize, \
            schemars::JsonSchema)]"
)]
pub trait Input: Clone + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T> Input for T where
    T: Clone + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static
{
}

/// What a tool can return: a value with a schema, that can be written and read. Everything that has
/// these traits is one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be what a tool returns",
    note = "what a tool returns is `Serialize`, `Deserialize`, `JsonSchema`, `Send`, `Sync` and \
            `'static`, and so is everything in it",
    note = "for a type of yours: #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]"
)]
pub trait Output: Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T> Output for T where T: Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static {}

/// The input of one particular tool, as `#[tool]` makes it: it knows the tool's name and output. See [`Session::run`](crate::Session::run).
pub trait ToolInput: Input {
    /// What the tool returns.
    type Output: Output;
    /// The name of the tool.
    const NAME: &'static str;
}
