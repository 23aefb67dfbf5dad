//! Tools that are not served, although their source has them.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use toolpact_core::Principal;
use toolpact_core::model::ToolName;
use toolpact_core::returns::{ErrorKind, StandardError};

use super::{RegisteredTool, Registry};
use crate::{Definition, ToolError};

/// By the names that calls use.
pub(super) type Quarantine = RwLock<HashMap<Box<str>, Arc<RegisteredTool>>>;

impl Registry {
    /// Says which tools are in quarantine, each with its toolset, in the place of those that were. They are in no
    /// list, and a call of one of these names is refused with
    /// [`ErrorKind::Quarantined`](toolpact_core::returns::ErrorKind::Quarantined), unless there is a tool of that name.
    ///
    /// ```
    /// # use toolpact::returns::NumberValue;
    /// use toolpact::core::returns::ErrorKind;
    /// use toolpact::define::IntoDefinition;
    /// # use toolpact::{Call, Registry, tool};
    /// # /// Adds two numbers.
    /// # #[tool(read_only)]
    /// # async fn add(a: i64, b: i64) -> NumberValue { NumberValue::success(a + b) }
    /// # tokio::runtime::Runtime::new()?.block_on(async {
    /// let registry = Registry::new();
    /// registry.quarantine([("maths", add::tool().into_definition()?)]);
    /// let session = registry.session().qualified().open()?;
    /// assert!(session.is_empty());
    /// let refused = session.call(Call::from_json(r#"{"name": "maths__add", "args": {"a": 1, "b": 2}}"#)?).await;
    /// assert_eq!(refused.error().unwrap().kind(), ErrorKind::Quarantined);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # }).unwrap();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn quarantine<'t>(&self, tools: impl IntoIterator<Item = (&'t str, Definition)>) {
        let mut quarantine = HashMap::new();
        for (toolset, definition) in tools {
            let tool = Arc::new(RegisteredTool::new(toolset, definition, &self.0.options));
            for name in names(&tool) {
                quarantine.insert(name, Arc::clone(&tool));
            }
        }
        let place = self.0.quarantine.write();
        *place.unwrap_or_else(PoisonError::into_inner) = quarantine;
    }

    /// Why a call of this name is refused, if a tool that its principal would see is in quarantine.
    pub(crate) fn quarantined(&self, name: &str, principal: &Principal) -> Option<ToolError> {
        let quarantine = self.0.quarantine.read();
        let quarantine = quarantine.unwrap_or_else(PoisonError::into_inner);
        let tool = quarantine.get(name)?;
        let filter = self.0.options.filter.as_ref();
        if !filter.is_none_or(|filter| filter.sees(principal, tool)) {
            return None;
        }
        // Nothing of the tool but its name: what has changed may be meant for models.
        let message = format!(
            "`{name}` is in quarantine: it is not the tool that was agreed on. Nothing was done."
        );
        Some(StandardError::new(ErrorKind::Quarantined, &message).into())
    }
}

/// Those that calls could use.
fn names(tool: &RegisteredTool) -> impl Iterator<Item = Box<str>> {
    let name: Option<Box<str>> = tool.qualified_name().map(|name| (**name).into());
    let original = name.as_deref().and_then(|name| {
        let renamed = tool.contract().renamed(ToolName::new(name).ok()?);
        renamed.original_name().map(Into::into)
    });
    name.into_iter().chain(original)
}
