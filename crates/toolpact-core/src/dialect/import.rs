use std::collections::HashSet;

use crate::contract::Contract;
use crate::document::{DocumentKind, report_unknown};
use crate::json::report::{Place, Report};
use crate::json::{Document, Node, Value, node_at};
use crate::lock::Lock;
use crate::model::{Model as _, ToolName};
use crate::violation::Token;
use crate::violation::rules::declaration as rules;
use crate::violation::rules::json_schema as json_schema_rules;
use crate::violation::rules::structure;
use crate::{Pointer, Violations};

use super::dialects::Dialect;
use super::loss::{Effect, Loss, LossKind};
use super::names::{LONGEST, alias, renamed};
use super::openapi::{self, Operation, Route};
use super::shape;

/// The tools of a document, read as contracts.
#[derive(Debug, Clone, Default)]
pub struct Import {
    tools: Vec<ImportedTool>,
    left_out: Vec<NotImported>,
}

/// One tool, read as a contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedTool {
    /// The contract of the tool.
    pub contract: Contract,
    /// The name in its own dialect; the contract's name may be an alias of it.
    pub name: Box<str>,
    /// The dialect it was written in.
    pub dialect: Dialect,
    /// Its place in the document.
    pub place: Pointer,
    /// What a contract cannot express, and what was filled in.
    pub losses: Vec<Loss>,
    /// How it is called over HTTP, if the document says so.
    pub route: Option<Route>,
}

impl ImportedTool {
    /// The place in the document of a part of the contract, or nearly: operations of OpenAPI have their
    /// parts elsewhere.
    pub(crate) fn place_of(&self, document: Node<'_>, part: &Pointer) -> Pointer {
        source_of(
            part,
            self.dialect,
            node_at(document, &self.place),
            &self.place,
        )
    }

    /// What an export to OpenAPI loses of where the tool was called: a contract has no method and no path.
    #[must_use]
    pub fn lost_route(&self) -> Option<Loss> {
        let route = self.route.as_ref()?;
        let was = format!("{} {}", route.method, route.path);
        let is = format!("POST /tools/{}", self.contract.name());
        (was != is).then(|| Loss {
            pointer: Pointer::root(),
            kind: LossKind::Annotation,
            effect: Effect::Documentation,
            lost: format!("that it is called by `{}`", crate::text::shorten(&was)),
            instead: format!("it is `{is}`"),
        })
    }
}

/// A tool that could not be imported.
#[derive(Debug, Clone)]
pub struct NotImported {
    /// Its name, or its position in the document.
    pub name: Box<str>,
    /// Its place in the document.
    pub place: Pointer,
    /// What is wrong with it.
    pub violations: Violations,
    /// Whether it is valid but hosted: run by the provider, so that there is no contract for it.
    pub is_hosted: bool,
}

impl NotImported {
    /// Why a hosted tool is left out.
    pub const HOSTED: &'static str = "its provider runs it, so it has no contract";
}

/// Reads the tools of a document, detecting the dialect.
pub fn import(document: &Document) -> Result<Import, Violations> {
    Import::read(document, None)
}

impl Import {
    /// The tools, in the order of the document.
    #[must_use]
    pub fn tools(&self) -> &[ImportedTool] {
        &self.tools
    }

    /// The tools that could not be imported, and why.
    #[must_use]
    pub fn left_out(&self) -> &[NotImported] {
        &self.left_out
    }

    /// The contracts.
    pub fn contracts(&self) -> impl Iterator<Item = &Contract> {
        self.tools.iter().map(|tool| &tool.contract)
    }

    /// The tool that a call refers to, by its name in its own dialect or in its contract.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&ImportedTool> {
        let exact = self.tools.iter().find(|tool| *tool.name == *name);
        exact.or_else(|| {
            self.tools
                .iter()
                .find(|tool| tool.contract.name().as_str() == name)
        })
    }

    /// Reads the tools of a document of the given or detected kind. Fails if it contains none;
    /// tools that cannot be read are listed in [`Import::left_out`].
    ///
    /// ```
    /// use toolpact_core::dialect::{Dialect, Import};
    /// use toolpact_core::document::DocumentKind;
    /// use toolpact_core::json::{Document, Limits};
    ///
    /// let text = br#"{"tools": [{"name": "ping", "inputSchema": {"type": "object"}}]}"#;
    /// let document = Document::json(text, &Limits::default());
    /// let import = Import::read(&document, None)?;
    /// assert_eq!(import.tools()[0].dialect, Dialect::Mcp);
    ///
    /// let refused = Import::read(&document, Some(DocumentKind::Call)).unwrap_err();
    /// assert!(refused.to_string().contains("expected tools, found a function call"));
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    pub fn read(document: &Document, kind: Option<DocumentKind>) -> Result<Self, Violations> {
        let found = document.check(|node, report| Self::of(node, kind, report));
        found.into_result()
    }

    /// The same for a part of a document. Reports if there are no tools in it.
    pub(crate) fn of(
        node: Node<'_>,
        kind: Option<DocumentKind>,
        report: &mut Report,
    ) -> Option<Self> {
        let dialect = match kind {
            None => None,
            Some(kind) => match kind.dialect() {
                Some(dialect) => Some(dialect),
                None => return no_tools(node, Some(kind), report),
            },
        };
        let mut import = Importing::default();
        let is_openapi = |dialect| matches!(dialect, Dialect::OpenApi | Dialect::OpenApi3_0);
        if dialect.map_or_else(|| shape::is_openapi(node), is_openapi) {
            let upgraded = openapi::upgraded(node);
            let node = upgraded.as_ref().map_or(node, Value::root);
            let operations = openapi::operations(node, report)?;
            operations.for_each(|operation| import.add_operation(operation));
            return Some(import.done);
        }
        if Lock::is_like(node) {
            let lock = Lock::read(node, report)?;
            lock.placed()
                .for_each(|(place, contract)| import.add_locked(place, contract));
            return Some(import.done);
        }
        let found = shape::tools(node, dialect, report)?;
        if found.iter().all(|(_, _, dialect)| dialect.is_none()) {
            return no_tools(node, DocumentKind::of(node), report);
        }
        for (node, place, dialect) in found {
            match dialect {
                Some(dialect) => import.add(node, &place, dialect),
                None => import.add_unknown(node, &place),
            }
        }
        Some(import.done)
    }
}

/// Reports what was found instead of tools.
fn no_tools(node: Node<'_>, kind: Option<DocumentKind>, report: &mut Report) -> Option<Import> {
    match kind.filter(|kind| kind.dialect().is_none()) {
        Some(kind) => report.add(
            &structure::UNKNOWN_KIND,
            Place::Node(node.id()),
            |finding| {
                finding.say(format!("expected tools, found {}", kind.describe()));
            },
        ),
        None => report_unknown(node, report),
    }
    None
}

#[derive(Default)]
struct Importing {
    done: Import,
    /// Names in the source dialects; `taken` has those of the contracts.
    names: HashSet<Box<str>>,
    taken: HashSet<Box<str>>,
}

impl Importing {
    fn add(&mut self, node: Node<'_>, place: &Pointer, dialect: Dialect) {
        let named = shape::name_of(node);
        let name = named
            .as_deref()
            .map_or_else(|| place.to_string(), str::to_owned);
        if named.is_some() && !self.names.insert(name.as_str().into()) {
            self.leave_out(name, place, twice(node, place));
            return;
        }
        if crate::schema::depth(node) > DEEPEST {
            self.leave_out(name, place, too_deep(node, place));
            return;
        }
        let mut losses = Vec::new();
        let contract_name = self.contract_name(named.as_deref());
        let read = dialect.spec().read;
        match read(node, contract_name.as_deref(), &mut losses) {
            Ok(contract) => {
                let contract = self.named(contract, named.as_deref(), &mut losses);
                self.done.tools.push(ImportedTool {
                    contract,
                    name: name.into(),
                    dialect,
                    place: place.clone(),
                    losses,
                    route: None,
                });
            }
            Err(violations) => {
                let violations =
                    violations.moved(|pointer| source_of(pointer, dialect, node, place));
                self.leave_out(name, place, violations);
            }
        }
    }

    fn add_unknown(&mut self, node: Node<'_>, place: &Pointer) {
        let hosted = shape::hosted(node);
        let name = shape::name_of(node).or_else(|| hosted.clone());
        let name = name.map_or_else(|| place.to_string(), Into::into);
        let value = node.to_value();
        let mut report = Report::new(1);
        report_unknown(value.root(), &mut report);
        self.done.left_out.push(NotImported {
            name: name.into(),
            place: place.clone(),
            violations: report.finish_value(&value, place),
            is_hosted: hosted.is_some(),
        });
    }

    fn add_operation(&mut self, operation: Operation) {
        let Operation { name, place, read } = operation;
        if !self.names.insert(name.as_str().into()) {
            self.leave_out(name, &place, twice(Value::from(()).root(), &place));
            return;
        }
        let mut losses = Vec::new();
        let read = read.and_then(|read| {
            let name = self.contract_name(Some(&name));
            let contract = read.contract(&name.unwrap_or_default())?;
            Ok((contract, read))
        });
        match read {
            Ok((contract, read)) => {
                let contract = self.named(contract, Some(&name), &mut losses);
                losses.extend(read.losses);
                self.done.tools.push(ImportedTool {
                    contract,
                    name: name.into(),
                    dialect: Dialect::OpenApi,
                    place,
                    losses,
                    route: Some(read.route),
                });
            }
            Err(violations) => self.leave_out(name, &place, violations),
        }
    }

    /// A tool of a lock, under the name that calls use.
    fn add_locked(&mut self, place: Pointer, contract: Result<Contract, Violations>) {
        match contract {
            Err(violations) => self.leave_out(place.to_string(), &place, violations),
            Ok(contract) => {
                let name: Box<str> = contract.name().as_str().into();
                if !self.names.insert(name.clone()) {
                    let violations = twice(Value::from(()).root(), &place);
                    return self.leave_out(name.into(), &place, violations);
                }
                self.done.tools.push(ImportedTool {
                    contract,
                    name,
                    dialect: Dialect::Contract,
                    place,
                    losses: Vec::new(),
                    route: None,
                });
            }
        }
    }

    /// The tool's name, or an alias that providers accept if it is not a valid name.
    fn contract_name(&self, name: Option<&str>) -> Option<Box<str>> {
        let name = name?;
        if ToolName::new(name).is_ok() || name.is_empty() {
            return Some(name.into());
        }
        Some(alias(name, LONGEST, |new| {
            self.taken.contains(new) || self.names.contains(new)
        }))
    }

    /// The contract with the name that the tool has in its dialect, if that is another.
    fn named(
        &mut self,
        contract: Contract,
        name: Option<&str>,
        losses: &mut Vec<Loss>,
    ) -> Contract {
        self.taken.insert(contract.name().as_str().into());
        // A contract has its original name already.
        let Some(name) = name.filter(|name| !contract.is_called(name)) else {
            return contract;
        };
        let contract = contract.with_source_name(name);
        if contract.original_name().is_none() {
            losses.push(renamed(name, contract.name().as_str()));
        }
        contract
    }

    fn leave_out(&mut self, name: String, place: &Pointer, violations: Violations) {
        self.done.left_out.push(NotImported {
            name: name.into(),
            place: place.clone(),
            violations,
            is_hosted: false,
        });
    }
}

/// Deepest schema that is read: conversion is recursive.
pub(super) const DEEPEST: usize = 128;

fn too_deep(node: Node<'_>, place: &Pointer) -> Violations {
    let value = node.to_value();
    let mut report = Report::new(1);
    report.add(
        &json_schema_rules::TOO_LARGE,
        Place::Node(value.root().id()),
        |finding| {
            finding.say(format!(
                "expected a tool of at most {DEEPEST} levels of nesting"
            ));
        },
    );
    report.finish_value(&value, place)
}

/// Maps a place in the contract to a place in the document.
fn source_of(pointer: &Pointer, dialect: Dialect, node: Node<'_>, place: &Pointer) -> Pointer {
    let source = shape::definition(node);
    let place = shape::definition_place(node, place);
    let tokens = pointer.tokens();
    let Some(Token::Key(field)) = tokens.first() else {
        return pointer.moved(0, &place);
    };
    let (keys, is_custom) = match &**field {
        "parameters" => (dialect.spec().input_keys, false),
        "returns" => (dialect.spec().output_keys, true),
        _ => (&[][..], false),
    };
    match keys.iter().find(|key| source.get(key).is_some()) {
        // A field called `returns` has the same structure as in a contract.
        Some(key) if key == &&**field => pointer.moved(0, &place),
        Some(key) if !is_custom && dialect.schema_inside().is_some() => {
            let inside = dialect.schema_inside().unwrap_or_default();
            pointer.moved(1, &place.key(key).key(inside))
        }
        // `returns` of a contract is an object that contains the schema.
        Some(key) => pointer.moved(1 + usize::from(is_custom), &place.key(key)),
        None => pointer.moved(0, &place),
    }
}

fn twice(node: Node<'_>, place: &Pointer) -> Violations {
    let value = node.to_value();
    let mut report = Report::new(1);
    let name = value.root().get("name").unwrap_or(value.root());
    report.add(&rules::DUPLICATE_NAME, Place::Node(name.id()), |finding| {
        finding.say("expected each name once, found it again");
    });
    report.finish_value(&value, place)
}
