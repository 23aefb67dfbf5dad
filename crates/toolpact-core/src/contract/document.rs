use std::borrow::Cow;
use std::collections::HashSet;

use indexmap::IndexMap;

use crate::json::report::{Edit, Place, Report};
use crate::json::{Kind, Node, Whole, Writer};
use crate::model::{Fields, Form, Model, Structure, ToolName, describe, document_methods, expect};
use crate::text::shorten;
use crate::violation::rules::contract as rules;

use super::Contract;

/// A contract document: one or more contracts, each name once.
///
/// ```
/// use toolpact_core::contract::ContractDocument;
/// use toolpact_core::json::{Document, Limits};
/// use toolpact_core::returns::Returns;
///
/// let document = Document::yaml(br#"
/// toolpact: 1
/// tools:
///   - name: count_orders
///     description: Counts the orders of one customer.
///     parameters: { type: object, properties: { customer: { type: string } } }
///     returns: NumberValue
///     effects: { read_only: true }
/// "#, &Limits::default());
/// let contracts = ContractDocument::check(&document).into_result()?;
/// let contract = contracts.get("count_orders").unwrap();
/// assert!(matches!(contract.returns(), Returns::Standard { .. }));
/// assert_eq!(contract.effects().read_only(), Some(true));
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[derive(Clone)]
pub struct ContractDocument {
    tools: IndexMap<ToolName, Contract>,
}

document_methods!(ContractDocument);

const STRUCTURE: Structure = Structure {
    name: "a contract document",
    required: &["toolpact", "tools"],
    optional: &[],
    foreign: &[("function_declarations", "write `tools`")],
};

/// The version of the document that this crate reads.
const VERSION: i64 = 1;

impl ContractDocument {
    /// The contracts in the order they were written.
    pub fn tools(&self) -> impl ExactSizeIterator<Item = &Contract> {
        self.tools.values()
    }

    /// The contract of this name, compared exactly.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Contract> {
        self.tools.get(name)
    }

    /// The list of contracts, which have not been looked at.
    pub(crate) fn read_list<'a>(node: Node<'a>, report: &mut Report) -> Option<Node<'a>> {
        let fields = Fields::read(node, &STRUCTURE, report)?;
        if let Some(version) = fields.get("toolpact") {
            read_version(version.value, report)?;
        }
        let list = expect(fields.get("tools")?.value, Kind::Array, "tools", report)?;
        if list.items().next().is_none() {
            report.add(&rules::EMPTY, Place::Node(list.id()), |finding| {
                finding.say("expected at least one tool, found none");
            });
            return None;
        }
        Some(list)
    }
}

impl Model for ContractDocument {
    fn read(node: Node<'_>, report: &mut Report) -> Option<Self> {
        let list = Self::read_list(node, report)?;
        Some(Self {
            tools: read_tools(list, report)?,
        })
    }

    fn write(&self, writer: &mut Writer, form: Form) {
        let mut tools: Vec<&Contract> = self.tools().collect();
        if form == Form::Canonical {
            tools.sort_by_key(|tool| tool.name());
        }
        writer.begin_object();
        writer.key("toolpact").raw(&VERSION.to_string());
        writer.key("tools").begin_array();
        for tool in tools {
            tool.write(writer, form);
        }
        writer.end_array().end_object();
    }
}

/// Stops at another version: its rules are not known here, so there is nothing to say about it.
fn read_version(node: Node<'_>, report: &mut Report) -> Option<()> {
    let whole = node.as_number().map(crate::json::Number::whole);
    if whole == Some(Whole::Integer(VERSION)) {
        return Some(());
    }
    report.add(&rules::VERSION, Place::Node(node.id()), |finding| {
        finding.say(format!(
            "expected `toolpact` to be the number {VERSION}, the version of the document, found {}",
            describe(node)
        ));
        if node.as_str().is_some_and(|text| text.trim() == "1") {
            finding.fix("write 1", Edit::Replace(node.id(), VERSION.to_string()));
        }
    });
    None
}

fn read_tools(list: Node<'_>, report: &mut Report) -> Option<IndexMap<ToolName, Contract>> {
    let (mut tools, mut seen) = (IndexMap::new(), HashSet::new());
    let mut complete = true;
    for item in list.items() {
        duplicate_name(item, &mut seen, report);
        match Contract::read(item, report) {
            Some(contract) => {
                let other = tools.insert(contract.name().clone(), contract);
                complete &= other.is_none();
            }
            None => complete = false,
        }
    }
    complete.then_some(tools)
}

/// Looks at the names only, so that a clash is seen even if the rest of a contract is wrong.
fn duplicate_name<'a>(item: Node<'a>, seen: &mut HashSet<Cow<'a, str>>, report: &mut Report) {
    let own = item.get("name").and_then(Node::as_str);
    for (field, node) in ["name", "original_name"].map(|field| (field, item.get(field))) {
        let Some(node) = node else { continue };
        let Some(name) = node.as_str() else { continue };
        // A name that is its own original is no other tool.
        if field != "name" && own.as_deref() == Some(&*name) || seen.insert(name.clone()) {
            continue;
        }
        report.add(&rules::DUPLICATE_NAME, Place::Node(node.id()), |finding| {
            finding.say(format!(
                "expected each tool once in a document, found `{}` again",
                shorten(&name)
            ));
        });
    }
}
