//! The tools of a registry at one moment, in the form of each version.

use std::sync::{Arc, OnceLock};

use toolpact::core::check::Checker;
use toolpact::core::dialect::Export;
use toolpact::core::json::{Node, Value};
use toolpact::core::model::ToolName;
use toolpact::core::schema::JsonSchema;
use toolpact::registry::RegisteredTool;
use toolpact::session::PerPrincipal;
use toolpact::{Principal, Session};

use super::header_params::HeaderParam;
use crate::version::Version;

/// The key of the digest of a contract in the `_meta` of a tool.
const DIGEST: &str = "toolpact/digest";

/// The key in `_meta` by which the dialect says that results are wrapped into an object.
const WRAPPED: &str = "toolpact/wrapped";

/// For how many principals what they are shown is kept.
const PRINCIPALS: usize = 1000;

/// What the clients of one principal are shown, and the session whose tools these are.
pub(crate) struct Catalog {
    pub(crate) generation: u64,
    pub(crate) session: Session,
    /// What others are shown is made from this.
    everything: Session,
    /// The same for other principals, if this is the one for anonymous clients.
    others: Option<PerPrincipal<Arc<Self>>>,
}

/// The tools in the form of one version. Each is made when it is wanted first, and kept with the tool: those that
/// do not change are not made again.
#[derive(Clone, Copy)]
pub(crate) struct Listing<'c> {
    session: &'c Session,
    version: Version,
}

/// The forms that were made of a tool, by its name and the version.
#[derive(Default)]
struct Forms(OnceLock<Box<Form>>);

struct Form {
    name: Box<str>,
    version: Version,
    /// `None` if the version has no form for it.
    listed: Option<Arc<Listed>>,
    rest: Forms,
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
    /// What anonymous clients are shown.
    pub(crate) fn new(generation: u64, session: Session) -> Self {
        Self {
            generation,
            everything: session.clone(),
            session,
            others: Some(PerPrincipal::new(PRINCIPALS)),
        }
    }

    /// The same tools as a principal is shown them.
    pub(crate) fn of(self: &Arc<Self>, principal: &Principal) -> Arc<Self> {
        if self.session.principal().is_exactly(principal) {
            return Arc::clone(self);
        }
        let make = || {
            Arc::new(Self {
                generation: self.generation,
                session: self.everything.fork_for(principal.clone()),
                everything: self.everything.clone(),
                others: None,
            })
        };
        match &self.others {
            Some(others) => others.get(principal, make),
            None => make(),
        }
    }

    /// The tools in the form of a version.
    pub(crate) fn listing(&self, version: Version) -> Listing<'_> {
        Listing {
            session: &self.session,
            version,
        }
    }
}

impl<'c> Listing<'c> {
    /// A tool by its name, or by its name in the dialect.
    pub(crate) fn get(self, name: &str) -> Option<&'c Arc<Listed>> {
        let (name, entry) = self.session.get_named(name)?;
        self.form(name, entry)
    }

    /// So many tools from a place on, and the place of the next one.
    pub(crate) fn page(self, from: usize, size: usize) -> (Vec<&'c Arc<Listed>>, Option<usize>) {
        let mut places = from..self.session.len();
        let mut listed = places.by_ref().filter_map(|place| self.at(place));
        let page = listed.by_ref().take(size).collect();
        drop(listed);
        (page, places.find(|place| self.at(*place).is_some()))
    }

    /// How many tools of a page have not been wanted before.
    pub(crate) fn unmade(self, from: usize, size: usize) -> usize {
        let end = from.saturating_add(size).min(self.session.len());
        let tools = (from..end).filter_map(|place| self.session.at(place));
        let is_made = |(name, entry): &(&str, &Arc<RegisteredTool>)| {
            let forms = entry.extension(Forms::default);
            forms.made(name, self.version)
        };
        tools.filter(|tool| !is_made(tool)).count()
    }

    fn at(self, place: usize) -> Option<&'c Arc<Listed>> {
        let (name, entry) = self.session.at(place)?;
        self.form(name, entry)
    }

    fn form(self, name: &str, entry: &'c RegisteredTool) -> Option<&'c Arc<Listed>> {
        let forms = entry.extension(Forms::default);
        forms.get(name, self.version, || {
            Listed::new(name, entry, self.version).map(Arc::new)
        })
    }
}

impl Forms {
    fn get(
        &self,
        name: &str,
        version: Version,
        make: impl Fn() -> Option<Arc<Listed>>,
    ) -> Option<&Arc<Listed>> {
        let mut place = self;
        loop {
            let form = place.0.get_or_init(|| {
                Box::new(Form {
                    name: name.into(),
                    version,
                    listed: make(),
                    rest: Self::default(),
                })
            });
            match form.is(name, version) {
                true => return form.listed.as_ref(),
                false => place = &form.rest,
            }
        }
    }

    fn made(&self, name: &str, version: Version) -> bool {
        let mut made = std::iter::successors(self.0.get(), |form| form.rest.0.get());
        made.any(|form| form.is(name, version))
    }
}

impl Form {
    fn is(&self, name: &str, version: Version) -> bool {
        self.version == version && *self.name == *name
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
