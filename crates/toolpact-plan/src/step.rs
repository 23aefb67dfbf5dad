use toolpact_core::Pointer;
use toolpact_core::json::Value;

use super::reference::StepReference;
use super::template::Template;

/// One step of a plan: a tool, its arguments, and what comes before it.
#[derive(Debug, Clone)]
pub struct PlanStep {
    pub(super) id: Box<str>,
    pub(super) tool: Box<str>,
    /// Where the step names its tool.
    pub(super) tool_at: Pointer,
    pub(super) template: Template,
    pub(super) after: Vec<(Box<str>, Pointer)>,
}

impl PlanStep {
    /// Its name in the plan: the one it was given, or `step1`, `step2`, … by its position.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The name of the tool that it calls.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// The arguments as they were written, with references in them.
    #[must_use]
    pub fn args(&self) -> &Value {
        self.template.args()
    }

    /// What it reads from the results of other steps.
    pub fn references(&self) -> impl Iterator<Item = &StepReference> {
        self.template.references().map(|(_, reference)| reference)
    }

    /// The ids of the steps that come before it: those it names and those it refers to. An id may
    /// be there more than once.
    pub fn needs(&self) -> impl Iterator<Item = &str> {
        self.needs_at().map(|(id, _)| id)
    }

    /// The same with the places where they are named.
    pub(super) fn needs_at(&self) -> impl Iterator<Item = (&str, &Pointer)> {
        let named = self.after.iter().map(|(id, at)| (&**id, at));
        named.chain(self.template.references().map(|(at, r)| (r.step(), at)))
    }
}
