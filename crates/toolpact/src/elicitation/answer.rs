use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::ToolError;

/// The fields of a form for a user: any type with a schema that can be deserialised.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be what a user is asked for",
    note = "for a type of yours: #[derive(serde::Deserialize, schemars::JsonSchema)]"
)]
pub trait FormFields: DeserializeOwned + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> FormFields for T {}

/// The answer of a user to a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UserAnswer<T> {
    /// They filled it in.
    Given(T),
    /// They declined.
    Declined,
    /// They dismissed it without an answer.
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
