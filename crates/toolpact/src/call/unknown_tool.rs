//! The error for a call of a tool that does not exist.

use toolpact_core::returns::{ErrorKind, StandardError};
use toolpact_core::violation::nearest;

use crate::ToolError;

/// Most names that are listed.
const LISTED: usize = 20;

pub(super) fn error<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> ToolError {
    let names: Vec<&str> = names.collect();
    let shown: String = name.chars().take(64).collect();
    let near = meant(name, &names).map(|near| format!(" Did you mean `{near}`?"));
    let listed: Vec<String> = names
        .iter()
        .take(LISTED)
        .map(|name| format!("`{name}`"))
        .collect();
    let more = match names.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let there = match listed.len() {
        0 => " There are none.".to_owned(),
        _ => format!(" There are: {}{more}.", listed.join(", ")),
    };
    let message = format!(
        "There is no tool `{shown}`.{}{there}",
        near.unwrap_or_default()
    );
    StandardError::new(ErrorKind::UnknownTool, &message).into()
}

/// The tool that is most likely meant. Who forgets the toolset means `orders__search` with `search`.
fn meant<'a>(name: &str, tools: &[&'a str]) -> Option<&'a str> {
    let own = |tool: &&'a str| tool.split_once("__").map(|(_, own)| (own, *tool));
    let own: Vec<(&str, &str)> = tools.iter().filter_map(own).collect();
    let tool_of = |wanted: &str| own.iter().find(|(own, _)| *own == wanted);
    let near = || nearest(name, own.iter().map(|(own, _)| *own)).and_then(tool_of);
    let with_toolset = || tool_of(name).or_else(near).map(|(_, tool)| *tool);
    nearest(name, tools.iter().copied()).or_else(with_toolset)
}

#[cfg(test)]
mod tests {
    use super::meant;

    #[test]
    fn a_toolset_may_be_forgotten() {
        let tools = ["orders__search", "books__find", "greet"];
        assert_eq!(meant("gret", &tools), Some("greet"));
        assert_eq!(meant("search", &tools), Some("orders__search"));
        assert_eq!(meant("serach", &tools), Some("orders__search"));
        assert_eq!(meant("order__search", &tools), Some("orders__search"));
        assert_eq!(meant("weather", &tools), None);
        assert_eq!(meant("", &tools), None);
    }
}
