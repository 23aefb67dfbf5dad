//! The tools that policies are about.

use std::collections::BTreeSet;
use std::sync::Arc;

use toolpact::Session;
use toolpact::registry::RegisteredTool;
use toolpact_core::contract::Contract;

use crate::action::{action_of, groups_of, of_effects, of_pattern, of_source};
use crate::config::ToolEffects;
use crate::quote::quoted;
use crate::shape::{self, Field, Loss, Shape};

/// The tools that policies are about.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    tools: Vec<CatalogueTool>,
    /// The sources whose tools are not known: `None` is one without a name.
    unknown: Vec<Option<String>>,
}

#[derive(Debug, Clone)]
struct CatalogueTool {
    action: String,
    source: String,
    contract: Arc<Contract>,
}

impl Catalogue {
    /// Those that a session sees. Open it without a principal that a policy hides tools from.
    #[must_use]
    pub fn of_session(session: &Session) -> Self {
        Self::of_tools(session.tools().map(|(_, tool)| tool))
    }

    /// Tools of a registry.
    pub fn of_tools<'a>(tools: impl IntoIterator<Item = &'a Arc<RegisteredTool>>) -> Self {
        let tools = tools.into_iter().map(|tool| CatalogueTool {
            action: action_of(tool),
            source: tool.toolset().to_owned(),
            contract: Arc::clone(tool.shared_contract()),
        });
        Self {
            tools: tools.collect(),
            unknown: Vec::new(),
        }
    }

    /// Adds a tool that no registry has.
    pub fn add(&mut self, source: Option<&str>, contract: Arc<Contract>) {
        let name = contract.name();
        self.tools.push(CatalogueTool {
            action: match source {
                Some(source) => format!("{source}__{name}"),
                None => name.to_string(),
            },
            source: source.unwrap_or_default().to_owned(),
            contract,
        });
    }

    /// Says that there may be more tools of a source, which are not known. Policies that name one cannot be
    /// checked.
    pub fn add_unknown(&mut self, source: Option<&str>) {
        self.unknown.push(source.map(Into::into));
    }

    /// Whether there may be a tool of this name that is not known.
    #[cfg(feature = "cedar")]
    pub(crate) fn may_have(&self, action: &str) -> bool {
        let of = |source: &Option<String>| match source {
            None => true,
            Some(source) => {
                { action.strip_prefix(&**source) }.is_some_and(|rest| rest.starts_with("__"))
            }
        };
        !self.tools.iter().any(|tool| tool.action == action) && self.unknown.iter().any(of)
    }

    /// Whether a tool has a name that matches.
    #[cfg(feature = "cedar")]
    pub(crate) fn has_match(&self, pattern: &str) -> bool {
        let mut tools = self.tools.iter();
        tools.any(|tool| crate::action::matches(pattern, &tool.action)) || !self.unknown.is_empty()
    }

    /// The schema in Cedar, with the groups of these patterns, and what it cannot say.
    #[must_use]
    pub fn schema(&self, patterns: &[String]) -> (String, Vec<Loss>) {
        let (mut text, mut losses) = (HEAD.to_owned(), Vec::new());
        text.push_str(&self.sources());
        for group in self.groups(patterns) {
            text.push_str(&format!("action {};\n", quoted(&group)));
        }
        for tool in &self.tools {
            let (shape, lost) = shape::of_contract(&tool.action, &tool.contract);
            losses.extend(lost);
            text.push_str(&tool.declaration(&shape, patterns));
        }
        (text, losses)
    }

    /// Sources are listed, so that a policy that names another is an error.
    fn sources(&self) -> String {
        let sources: BTreeSet<&str> = self.tools.iter().map(|tool| &*tool.source).collect();
        let named = self
            .unknown
            .iter()
            .map(|name| name.as_deref().unwrap_or(""));
        let sources: BTreeSet<String> = sources.into_iter().chain(named).map(quoted).collect();
        let sources: Vec<String> = sources.into_iter().collect();
        match sources.is_empty() {
            true => "entity Source;\n".to_owned(),
            false => format!("entity Source enum [{}];\n", sources.join(", ")),
        }
    }

    fn groups(&self, patterns: &[String]) -> BTreeSet<String> {
        let named = self.unknown.iter().flatten().map(String::as_str);
        let sources = self.tools.iter().map(|tool| &*tool.source).chain(named);
        let sources = sources.filter(|source| !source.is_empty()).map(of_source);
        let effects = ToolEffects::ALL.into_iter().map(of_effects);
        let patterns = patterns.iter().map(|pattern| of_pattern(pattern));
        sources.chain(effects).chain(patterns).collect()
    }
}

/// Who calls. Claims are tags, so that a policy has to ask whether there is one.
const HEAD: &str = "\
entity Group;
entity Principal in [Group] = {
  \"anonymous\": Bool,
  \"name\": String,
  \"issuer\"?: String,
  \"tenant\"?: String,
} tags String;
";

impl CatalogueTool {
    fn declaration(&self, shape: &Shape, patterns: &[String]) -> String {
        let groups = groups_of(&self.action, &self.source, &self.contract, patterns);
        let groups: Vec<String> = groups.iter().map(|group| quoted(group)).collect();
        let mut text = format!("action {} in [{}]", quoted(&self.action), groups.join(", "));
        text.push_str(" appliesTo {\n  principal: [Principal],\n  resource: [Source],\n");
        text.push_str("  context: ");
        write_type(&shape.clone().context(), 2, &mut text);
        text.push_str(",\n};\n");
        text
    }
}

fn write_type(shape: &Shape, indent: usize, text: &mut String) {
    match shape {
        Shape::Bool => text.push_str("Bool"),
        Shape::Long => text.push_str("Long"),
        Shape::Text => text.push_str("String"),
        Shape::Decimal => text.push_str("decimal"),
        Shape::Time => text.push_str("datetime"),
        Shape::Set(items) => {
            text.push_str("Set<");
            write_type(items, indent, text);
            text.push('>');
        }
        Shape::Record(fields) if fields.is_empty() => text.push_str("{}"),
        Shape::Record(fields) => {
            text.push_str("{\n");
            for (name, Field { shape, required }) in fields {
                let optional = if *required { "" } else { "?" };
                text.push_str(&" ".repeat(indent + 2));
                text.push_str(&format!("{}{optional}: ", quoted(name)));
                write_type(shape, indent + 2, text);
                text.push_str(",\n");
            }
            text.push_str(&" ".repeat(indent));
            text.push('}');
        }
    }
}
