use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

use crate::contract::Contract;

use super::pairs::pairs;
use super::{ToolDiff, Verdict};

/// What changed between two sets of tools.
#[derive(Debug, Clone)]
pub struct Diff {
    tools: Vec<ToolDiff>,
}

impl Diff {
    /// The changes from one set of tools to another. Tools belong together if they have the same name;
    /// those that are left, if they are the same but for the name, or much alike.
    ///
    /// ```
    /// use toolpact_core::contract::Contract;
    /// use toolpact_core::diff::{Diff, Verdict, VersionBump};
    ///
    /// let old = Contract::from_json(r#"{"name": "forecast", "description": "Tells the weather.", "returns": "opaque",
    ///     "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}"#)?;
    /// let new = Contract::from_json(r#"{"name": "forecast", "description": "Tells the weather.", "returns": "opaque",
    ///     "parameters": {"type": "object", "properties": {"city": {"type": ["string", "null"]}}}}"#)?;
    ///
    /// let diff = Diff::between([&old], [&new]);
    /// assert_eq!(diff.verdict(), Verdict::Compatible);
    /// assert_eq!(diff.version_bump(), VersionBump::Minor);
    /// assert_eq!(
    ///     diff.tools()[0].changes()[0].to_string(),
    ///     "compatible for callers: `city`: is string or null, was string"
    /// );
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    #[must_use]
    pub fn between<'c>(
        old: impl IntoIterator<Item = &'c Contract>,
        new: impl IntoIterator<Item = &'c Contract>,
    ) -> Self {
        let pairs = pairs(old.into_iter(), new.into_iter());
        let tools = pairs.iter().map(ToolDiff::of).collect();
        Self { tools }
    }

    /// All tools of both sides, those that did not change included: in the order of the new side, and then
    /// those that are gone.
    #[must_use]
    pub fn tools(&self) -> &[ToolDiff] {
        &self.tools
    }

    /// The tools that changed.
    pub fn changed(&self) -> impl Iterator<Item = &ToolDiff> {
        let tools = self.tools.iter();
        tools.filter(|tool| tool.verdict() != Verdict::Same)
    }

    /// The worst verdict of all tools.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let verdicts = self.tools.iter().map(ToolDiff::verdict);
        verdicts.max().unwrap_or(Verdict::Same)
    }

    /// What semantic versioning asks for.
    #[must_use]
    pub fn version_bump(&self) -> super::VersionBump {
        self.verdict().version_bump()
    }
}

impl Serialize for Diff {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut diff = serializer.serialize_struct("Diff", 3)?;
        diff.serialize_field("verdict", &self.verdict())?;
        diff.serialize_field("version_bump", &self.version_bump())?;
        diff.serialize_field("tools", &self.tools)?;
        diff.end()
    }
}
