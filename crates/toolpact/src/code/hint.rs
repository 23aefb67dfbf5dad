//! What to write instead, where the type checker cannot know.

use toolpact_core::violation::nearest;

use super::ScriptTools;
use super::wire::TypeFinding;

/// The functions of every script besides the tools.
const PRELUDE: [&str; 2] = ["tool_error", "tool_task"];

/// Functions of Python that reach outside, which the sandbox does not declare.
const OUTSIDE: [&str; 3] = ["open", "input", "__import__"];
const ONLY_TOOLS: &str =
    "scripts reach nothing but their tools, and have only parts of the standard library";

/// What to do about a finding in this line, if it is a usual mistake.
pub(super) fn of(finding: &TypeFinding, source: &str, tools: &ScriptTools) -> Option<String> {
    // What stands in backquotes are names.
    let mut quoted = finding.message.split('`').skip(1).step_by(2);
    match &*finding.rule {
        "unresolved-reference" => {
            let unknown = quoted.next()?;
            if OUTSIDE.contains(&unknown) {
                return Some(ONLY_TOOLS.to_owned());
            }
            let functions = tools.functions().map(|function| function.alias);
            let name = nearest(unknown, functions.chain(PRELUDE))?;
            Some(format!("did you mean `{name}`?"))
        }
        "unresolved-import" => Some(ONLY_TOOLS.to_owned()),
        "invalid-await" => {
            let mut functions = tools.functions().map(|function| function.alias);
            let tool = functions.find(|alias| source.contains(&format!("{alias}(")))?;
            Some(format!(
                "tools are called without `await`; `await tool_task({tool}, …)` lets others run meanwhile"
            ))
        }
        "unresolved-attribute" => {
            let (kind, key) = (quoted.next()?, quoted.next()?);
            let is_dict = kind == "ToolFailure" || !tools.named_in(&finding.message).is_empty();
            is_dict.then(|| format!("it is a dict: write `[\"{key}\"]`, not `.{key}`"))
        }
        _ => None,
    }
}
