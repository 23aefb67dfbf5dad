use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What a tool can take: a struct with a schema, that can be read, written and copied.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be what a tool takes",
    note = "derive it: #[derive(Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]"
)]
pub trait Input: Clone + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static {}

impl<T> Input for T where
    T: Clone + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static
{
}

/// What a tool can return: a value with a schema, that can be written and read.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be what a tool returns",
    note = "derive it: #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]"
)]
pub trait Output: Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static {}

impl<T> Output for T where T: Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static {}

/// The input of one tool in particular, as `#[tool]` makes it: it knows the tool's name and what it
/// returns. See [`Session::run`](crate::Session::run).
pub trait Named: Input {
    /// What the tool returns.
    type Output: Output;
    /// The name of the tool.
    const NAME: &'static str;
}
