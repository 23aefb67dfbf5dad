//! The tools of a registry as they were at one moment, in the words of each version.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use rmcp::model::Tool;
use toolpact::Session;
use toolpact::core::check::Checker;
use toolpact::core::dialect::{Dialect, Export};
use toolpact::core::json::Value;
use toolpact::core::model::ToolName;
use toolpact::core::schema::JsonSchema;
use toolpact::registry::RegisteredTool;

use crate::version::{DIALECTS, VERSIONS};

/// Where the version of a contract is told.
const DIGEST: &str = "toolpact/digest";

/// Where the dialect says that results are wrapped into an object.
const WRAPPED: &str = "toolpact/wrapped";

/// What a schema says of arguments that a request repeats in its headers.
const HEADER: &str = "\"x-mcp-header\"";

/// What clients are told, and the session whose tools that is.
pub(crate) struct Catalog {
    pub(crate) generation: u64,
    pub(crate) session: Session,
    listings: [OnceLock<Listing>; VERSIONS.len()],
}

/// The tools in the words of one version.
pub(crate) struct Listing {
    pub(crate) tools: Vec<Arc<Listed>>,
    places: HashMap<Box<str>, usize>,
}

/// One tool in the words of one version.
pub(crate) struct Listed {
    pub(crate) tool: Tool,
    /// The same alone, for the messages about it.
    pub(crate) export: Export,
    /// Whether a result that is an object is structured content as it is.
    pub(crate) as_it_is: bool,
    /// Whether some of its arguments are to be found in the headers of a request, too.
    pub(crate) in_headers: bool,
    promised: OnceLock<Option<Checker>>,
}

impl Catalog {
    pub(crate) fn new(generation: u64, session: Session) -> Self {
        Self {
            generation,
            session,
            listings: Default::default(),
        }
    }

    /// The tools in the words of the version at this place of the list.
    pub(crate) fn listing(&self, place: usize) -> &Listing {
        self.listings[place].get_or_init(|| Listing::new(&self.session, DIALECTS[place]))
    }
}

impl Listing {
    fn new(session: &Session, dialect: Dialect) -> Self {
        let names = session.names();
        let entries = names.filter_map(|name| Some((name, session.get(name)?)));
        let listed = entries.filter_map(|(name, entry)| Listed::new(name, entry, dialect));
        let tools: Vec<Arc<Listed>> = listed.map(Arc::new).collect();
        let names = tools.iter().map(|listed| listed.tool.name.as_ref().into());
        let places = names.enumerate().map(|(place, name)| (name, place));
        Self {
            places: places.collect(),
            tools,
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Arc<Listed>> {
        self.tools.get(*self.places.get(name)?)
    }
}

impl Listed {
    fn new(name: &str, entry: &RegisteredTool, dialect: Dialect) -> Option<Self> {
        let contract = entry.contract();
        let export = match contract.name().as_str() == name {
            true => dialect.export([contract]),
            false => dialect.export([&contract.renamed(ToolName::new(name).ok()?)]),
        };
        for left_out in export.left_out() {
            let reason = &*left_out.reason;
            tracing::warn!(target: "toolpact::mcp", tool = name, reason, "the tool is not listed");
        }
        let definition = export.tools().first()?.definition();
        let mut tool: Tool = serde_json::from_str(definition.text()).ok()?;
        let in_headers = definition.text().contains(HEADER);
        let wrapped = tool
            .meta
            .as_ref()
            .is_some_and(|m| m.0.contains_key(WRAPPED));
        let as_it_is = tool.output_schema.is_some() && !wrapped;
        let meta = &mut tool.meta.get_or_insert_default().0;
        meta.insert(DIGEST.to_owned(), entry.digest().into());
        Some(Self {
            tool,
            export,
            as_it_is,
            in_headers,
            promised: OnceLock::new(),
        })
    }

    /// Whether a client that was shown the schema accepts this as structured content.
    pub(crate) fn accepts(&self, value: &Value) -> bool {
        if self.tool.output_schema.is_none() {
            return true;
        }
        let promised = self.promised.get_or_init(|| {
            let schema = serde_json::to_string(self.tool.output_schema.as_ref()?).ok()?;
            let schema = JsonSchema::from_value(&Value::from_json(schema).ok()?).ok()?;
            Some(schema.checker())
        });
        let checker = promised.as_ref();
        checker.is_some_and(|checker| checker.check(value).is_ok())
    }
}
