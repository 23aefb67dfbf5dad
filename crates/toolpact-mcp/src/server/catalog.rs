//! The tools of a registry at one moment, in the form of each version.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use toolpact::Session;
use toolpact::core::check::Checker;
use toolpact::core::dialect::{Export, ExportedTool};
use toolpact::core::json::{Node, Value};
use toolpact::core::model::ToolName;
use toolpact::core::schema::JsonSchema;
use toolpact::registry::RegisteredTool;

use super::header_params::HeaderParam;
use crate::version::Version;

/// The key of the digest of a contract in the `_meta` of a tool.
const DIGEST: &str = "toolpact/digest";

/// The key in `_meta` by which the dialect says that results are wrapped into an object.
const WRAPPED: &str = "toolpact/wrapped";

/// What clients are shown, and the session whose tools these are.
pub(crate) struct Catalog {
    pub(crate) generation: u64,
    pub(crate) session: Session,
    listings: [OnceLock<Listing>; Version::ALL.len()],
}

/// The tools in the form of one version.
pub(crate) struct Listing {
    pub(crate) tools: Vec<Arc<Listed>>,
    places: HashMap<Box<str>, usize, foldhash::fast::RandomState>,
}

/// One tool in the form of one version.
pub(crate) struct Listed {
    pub(crate) name: Box<str>,
    /// The definition as it is listed.
    pub(crate) json: String,
    /// The same for clients that are sent no structure.
    pub(crate) json_without_output: String,
    /// The same alone, for the messages about it.
    pub(crate) export: Export,
    /// Whether a result that is an object is structured content as it is.
    pub(crate) as_it_is: bool,
    /// The arguments that a request repeats in its headers.
    pub(crate) header_params: Vec<HeaderParam>,
    output_schema: Option<Value>,
    output_checker: OnceLock<Option<Checker>>,
}

impl Catalog {
    pub(crate) fn new(generation: u64, session: Session) -> Self {
        Self {
            generation,
            session,
            listings: Default::default(),
        }
    }

    /// The tools in the form of a version.
    pub(crate) fn listing(&self, version: Version) -> &Listing {
        self.listings[version as usize].get_or_init(|| Listing::new(&self.session, version))
    }
}

impl Listing {
    fn new(session: &Session, version: Version) -> Self {
        let names = session.names();
        let entries = names.filter_map(|name| Some((name, session.get(name)?)));
        let listed = entries.filter_map(|(name, entry)| Listed::new(name, entry, version));
        let tools: Vec<Arc<Listed>> = listed.map(Arc::new).collect();
        let names = tools.iter().map(|listed| listed.name.clone());
        let places = names.enumerate().map(|(place, name)| (name, place));
        let mut places: HashMap<Box<str>, usize, _> = places.collect();
        for (place, listed) in tools.iter().enumerate() {
            let shown = listed.export.tools().iter().map(ExportedTool::name);
            for name in shown {
                places.entry(name.into()).or_insert(place);
            }
        }
        Self { tools, places }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Arc<Listed>> {
        self.tools.get(*self.places.get(name)?)
    }
}

impl Listed {
    fn new(name: &str, entry: &RegisteredTool, version: Version) -> Option<Self> {
        let contract = entry.contract();
        let dialect = version.dialect();
        let export = match contract.name().as_str() == name {
            true => dialect.export([contract]),
            false => dialect.export([&contract.renamed(ToolName::new(name).ok()?)]),
        };
        for left_out in export.left_out() {
            let reason = &*left_out.reason;
            tracing::warn!(target: "toolpact::mcp", tool = name, reason, "the tool is not listed");
        }
        let definition = export.tools().first()?.definition().root();
        let output_schema = definition.get("outputSchema").map(Node::to_value);
        let wrapped = definition.get("_meta").and_then(|meta| meta.get(WRAPPED));
        Some(Self {
            name: name.into(),
            json: write(definition, entry.digest(), true),
            json_without_output: write(definition, entry.digest(), false),
            as_it_is: output_schema.is_some() && wrapped.is_none(),
            header_params: HeaderParam::of(definition.get("inputSchema")?),
            output_schema,
            output_checker: OnceLock::new(),
            export,
        })
    }

    /// Whether a client that was shown the schema accepts this as structured content.
    pub(crate) fn accepts(&self, value: &Value) -> bool {
        let Some(schema) = &self.output_schema else {
            return true;
        };
        let checker = self.output_checker.get_or_init(|| {
            let schema = JsonSchema::from_value(schema).ok()?;
            Some(schema.checker())
        });
        let checker = checker.as_ref();
        checker.is_some_and(|checker| checker.check(value).is_ok())
    }
}

/// The definition of a tool with the digest of its contract in `_meta`.
fn write(definition: Node<'_>, digest: &str, with_output: bool) -> String {
    let members = definition.members().filter(|(key, _)| match &**key {
        "_meta" => false,
        "outputSchema" => with_output,
        _ => true,
    });
    let mut json: Vec<String> = members.map(member).collect();
    let meta = definition.get("_meta").into_iter().flat_map(Node::members);
    let mut meta: Vec<String> = meta.map(member).collect();
    meta.push(format!("\"{DIGEST}\":\"{digest}\""));
    json.push(format!("\"_meta\":{{{}}}", meta.join(",")));
    format!("{{{}}}", json.join(","))
}

fn member((key, value): (std::borrow::Cow<'_, str>, Node<'_>)) -> String {
    format!("{}:{}", Value::from(&*key), value.text())
}
