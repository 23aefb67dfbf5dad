use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::ToolError;

/// What a user can be asked for: a type with a schema that can be read. Everything that has these
/// traits is one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be what a user is asked for",
    note = "for a type of yours: #[derive(serde::Deserialize, schemars::JsonSchema)]"
)]
pub trait FormFields: DeserializeOwned + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> FormFields for T {}

/// What a user made of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UserAnswer<T> {
    /// They gave what was asked for.
    Given(T),
    /// They said no.
    Declined,
    /// They left without saying anything.
    Dismissed,
}

impl<T> UserAnswer<T> {
    /// What they gave, if they did.
    pub fn given(self) -> Option<T> {
        match self {
            Self::Given(content) => Some(content),
            Self::Declined | Self::Dismissed => None,
        }
    }

    pub(super) fn try_map<U>(
        self,
        change: impl FnOnce(T) -> Result<U, ToolError>,
    ) -> Result<UserAnswer<U>, ToolError> {
        Ok(match self {
            Self::Given(content) => UserAnswer::Given(change(content)?),
            Self::Declined => UserAnswer::Declined,
            Self::Dismissed => UserAnswer::Dismissed,
        })
    }
}
