//! Reads OpenAPI 3.0 and 3.1, and Swagger 2.0 as 3.0.

mod arguments;
mod body;
mod content;
mod extensions;
mod gather;
mod lead;
mod names;
mod operation;
mod parameters;
mod parts;
mod responses;
mod source;
mod swagger;
mod words;

use std::collections::BTreeSet;

use crate::contract::Contract;
use crate::json::Node;
use crate::json::report::{Place, Report};
use crate::model::describe;
use crate::schema::JsonSchema;
use crate::text::shorten;
use crate::violation::Token;
use crate::violation::rules::json_schema as schema_rules;
use crate::violation::rules::structure as rules;
use crate::{Pointer, Violations};

use super::super::loss::{Effect, Loss, LossKind};
use super::super::patterns;
use super::super::tree::{Map, Tree};
use super::Route;
use names::Names;
use operation::Heading;
use source::Source;
use words::LeftOut;

pub(super) use content::is_json;
pub(in crate::dialect) use swagger::upgraded;

/// The methods of a path item.
const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

/// One operation of a document.
pub(in crate::dialect) struct Operation {
    pub(in crate::dialect) name: String,
    /// Where it is.
    pub(in crate::dialect) place: Pointer,
    /// The operation as read, or what is wrong with it.
    pub(in crate::dialect) read: Result<Read, Violations>,
}

/// An operation as a contract without a name.
pub(in crate::dialect) struct Read {
    /// Definitions that are shared allow everything here.
    fields: Map,
    parameters: Option<JsonSchema>,
    returns: Option<JsonSchema>,
    pub(in crate::dialect) losses: Vec<Loss>,
    pub(in crate::dialect) route: Route,
}

/// The operations of a document, in order. Reports a document that cannot be read.
pub(in crate::dialect) fn operations<'a>(
    node: Node<'a>,
    report: &mut Report,
) -> Option<impl Iterator<Item = Operation> + use<'a>> {
    let old = is_3_0(node, report)?;
    known_dialect(node, report)?;
    let source = Source::new(node, old);
    let (headings, wrong) = headings(&source);
    if headings.is_empty() && wrong.is_empty() {
        report.add(&rules::UNKNOWN_KIND, Place::Node(node.id()), |finding| {
            finding.say("expected operations under `paths`, found none");
        });
        return None;
    }
    for heading in &headings {
        operation::collect(&source, heading);
    }
    source.read_parts();
    let mut names = Names::new(&headings);
    let read = headings.into_iter().map(move |heading| Operation {
        name: names.name(&heading),
        read: operation::read(&source, &heading),
        place: heading.at.place,
    });
    Some(wrong.into_iter().chain(read))
}

impl Read {
    /// The contract with this name. Violations have pointers into the document.
    pub(in crate::dialect) fn contract(&self, name: &str) -> Result<Contract, Violations> {
        let mut fields = self.fields.clone();
        fields.set_first("name", Tree::string(name));
        let tree = Tree::Object(fields);
        let contract = Contract::from_value(&tree.to_value());
        let contract =
            contract.map_err(|violations| violations.moved(|pointer| source_of(pointer, &tree)));
        Ok(contract?.sharing(self.parameters.clone(), self.returns.clone()))
    }
}

/// Maps a place in the contract to the document, via the innermost object with a known place.
fn source_of(pointer: &Pointer, contract: &Tree) -> Pointer {
    let tokens = pointer.tokens();
    let (mut at, mut found) = (Some(contract), (0, Pointer::root()));
    for steps in 0..=tokens.len() {
        if let Some(Tree::Object(map)) = at
            && !map.place().is_root()
        {
            found = (steps, map.place().clone());
        }
        at = match (at, tokens.get(steps)) {
            (Some(Tree::Object(map)), Some(Token::Key(key))) => map.get(key),
            (Some(Tree::Array(items)), Some(Token::Index(i))) => items.get(*i),
            _ => None,
        };
    }
    let (steps, place) = found;
    pointer.moved(steps, &place)
}

/// Whether the version is 3.0 rather than 3.1.
fn is_3_0(node: Node<'_>, report: &mut Report) -> Option<bool> {
    let version = node.get("openapi").or_else(|| node.get("swagger"));
    let place = version.unwrap_or(node);
    // In YAML the version may be a number.
    let text = version.map(|version| version.as_str().unwrap_or(version.text().into()));
    let is = |wanted: &str| {
        let text = text.as_deref().filter(|_| node.get("openapi").is_some());
        text.is_some_and(|text| text == wanted || text.starts_with(&format!("{wanted}.")))
    };
    if is("3.0") || is("3.1") {
        return Some(is("3.0"));
    }
    report.add(&rules::UNKNOWN_KIND, Place::Node(place.id()), |finding| {
        let found = match (node.get("swagger"), version) {
            (Some(version), _) => format!(
                "Swagger {}",
                shorten(&version.as_str().unwrap_or(version.text().into()))
            ),
            (None, Some(version)) => describe(version),
            (None, None) => "none".to_owned(),
        };
        let older = match node.get("swagger") {
            Some(_) => ", or `swagger` to be 2.0",
            None => "",
        };
        finding.say(format!(
            "expected `openapi` to be 3.0 or 3.1{older}, found {found}"
        ));
    });
    None
}

/// Refuses custom meta-schemas, because nothing is ever fetched.
fn known_dialect(node: Node<'_>, report: &mut Report) -> Option<()> {
    let Some(dialect) = node.get("jsonSchemaDialect") else {
        return Some(());
    };
    let known = [
        "https://json-schema.org/draft/2020-12/schema",
        "https://spec.openapis.org/oas/3.1/",
    ];
    let text = dialect.as_str().unwrap_or_default();
    if known.iter().any(|known| text.starts_with(known)) {
        return Some(());
    }
    report.add(
        &schema_rules::DIALECT,
        Place::Node(dialect.id()),
        |finding| {
            finding
                .say(format!(
                    "expected schemas in JSON Schema 2020-12, found {}",
                    describe(dialect)
                ))
                .advise("leave `jsonSchemaDialect` out: nothing is ever fetched");
        },
    );
    None
}

/// The operations, and the paths that cannot be read.
fn headings<'a>(source: &Source<'a>) -> (Vec<Heading<'a>>, Vec<Operation>) {
    let (mut found, mut wrong) = (Vec::new(), Vec::new());
    let paths = source.all().get("paths");
    let paths = paths
        .into_iter()
        .flat_map(|paths| paths.members().collect::<Vec<_>>());
    for (path, item) in paths.filter(|(path, _)| path.starts_with('/')) {
        let place = item.place.clone();
        match source.follow(item).and_then(|item| item.object("a path")) {
            Ok(item) => found.extend(item.members().filter_map(|(key, at)| {
                let method = METHODS.into_iter().find(|method| *method == key)?;
                Some(Heading {
                    method,
                    path: path.clone(),
                    at,
                    item: item.clone(),
                })
            })),
            Err(violations) => wrong.push(Operation {
                name: path,
                place,
                read: Err(violations),
            }),
        }
    }
    (found, wrong)
}

/// Logs what was dropped from schemas.
fn note_words(words: &BTreeSet<LeftOut>, side: &str, losses: &mut Vec<Loss>) {
    for word in words {
        let pointer = Pointer::root().key(side);
        losses.push(match word {
            LeftOut::Keyword(keyword) => Loss {
                pointer,
                kind: LossKind::Annotation,
                effect: Effect::Documentation,
                lost: format!("`{keyword}`"),
                instead: "it was left out".to_owned(),
            },
            LeftOut::Pattern(what) => patterns::loss(pointer, what),
        });
    }
}
