use crate::json::report::{Place, Report};
use crate::json::{Kind, Node, Value};
use crate::model::{Model as _, ToolName};
use crate::returns::{ReturnType, Returns};
use crate::schema::JsonSchema;
use crate::text::shorten;
use crate::violation::rules::adl as rules;

use super::parameters;

/// A tool of an agent. What toolpact has no use for (category, permissions, invocation and the
/// rest) is kept in [`source`](Self::source).
#[derive(Debug, Clone)]
pub struct AdlTool {
    name: Box<str>,
    description: Box<str>,
    parameters: JsonSchema,
    returns: Option<ReturnType>,
    source: Value,
}

impl AdlTool {
    /// The name used for invocation.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the tool does.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The list of parameters as one JSON Schema of an object.
    #[must_use]
    pub fn parameters(&self) -> &JsonSchema {
        &self.parameters
    }

    /// What it returns, with description and examples, if it says so.
    #[must_use]
    pub fn return_type(&self) -> Option<&ReturnType> {
        self.returns.as_ref()
    }

    /// What is promised about results.
    #[must_use]
    pub fn returns(&self) -> &Returns {
        self.returns
            .as_ref()
            .map_or(&Returns::Undeclared, ReturnType::returns)
    }

    /// The whole definition as it was written.
    #[must_use]
    pub fn source(&self) -> &Value {
        &self.source
    }

    /// Reads what the schema of agents does not say. What is missing has been reported by then.
    pub(super) fn read(node: Node<'_>, report: &mut Report) -> Option<Self> {
        let name = node.get("name")?;
        let description = node.get("description").and_then(Node::as_str);
        warn_about_name(name, report);
        let parameters = node
            .get("parameters")
            .and_then(|list| parameters::read(list, report));
        let returns = match node.get("returns") {
            None => {
                warn_undeclared(node, report);
                None
            }
            Some(returns) if returns.kind() == Kind::Null => return not_null(returns, report),
            Some(returns) => Some(ReturnType::read(returns, report)?),
        };
        Some(Self {
            name: name.as_str()?.into(),
            description: description?.into(),
            parameters: parameters?,
            returns,
            source: node.to_value(),
        })
    }
}

fn not_null<T>(node: Node<'_>, report: &mut Report) -> Option<T> {
    use crate::violation::rules::structure::NULL_FIELD;
    report.add(&NULL_FIELD, Place::Node(node.id()), |finding| {
        finding.say("expected `returns` to be left out or to have a value, found null");
    });
    None
}

fn warn_undeclared(tool: Node<'_>, report: &mut Report) {
    let place = Place::Node(tool.id());
    report.add(&rules::RETURNS_UNDECLARED, place, |finding| {
        finding
            .say("expected `returns` in a tool, found none: any result passes")
            .advise("`toolpact returns suggest` finds the type that fits");
    });
}

/// A name that no provider takes is legal in ADL, and useless.
fn warn_about_name(node: Node<'_>, report: &mut Report) {
    let Some(name) = node.as_str() else { return };
    if ToolName::new(&name).is_err() {
        report.add(&rules::TOOL_NAME, Place::Node(node.id()), |finding| {
            finding.say(format!(
                "expected a name of letters, digits, `_` and `-` that providers accept, found `{}`",
                shorten(&name)
            ));
        });
    }
}
