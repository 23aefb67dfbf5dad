//! Whether a value satisfies a part of a schema.

use std::collections::HashMap;

use jsonschema::Validator;

use crate::check::options;
use crate::json::{Node, NodeId, Value, Writer, paths};
use crate::schema::{CostModel, depth};
use crate::violation::Pointer;

use super::budget::Budget;

/// Runs the validator on parts of a schema, each compiled when first needed.
pub(super) struct Judge<'a> {
    root: Node<'a>,
    /// Whether a part may refer to another, so that it cannot be compiled alone.
    has_references: bool,
    /// `None` for what cannot be compiled.
    known: HashMap<NodeId, Option<CompiledSchema>>,
}

struct CompiledSchema {
    validator: Validator,
    cost: CostModel,
}

/// The URI of a schema without one, so that its parts can be referred to.
const NAME: &str = "https://toolpact.invalid/parameters";
/// The deepest that `serde_json` reads.
const DEEPEST: usize = 127;

impl<'a> Judge<'a> {
    pub(super) fn new(root: Node<'a>) -> Self {
        let mut words = (0..root.entry().next).map(|id| Node::new(root.index(), id).as_str());
        let is_reference = |word: &str| matches!(word, "$ref" | "$dynamicRef");
        Self {
            root,
            has_references: words.any(|word| word.is_some_and(|word| is_reference(&word))),
            known: HashMap::new(),
        }
    }

    /// Whether a JSON text satisfies all schemas; `None` if undecided.
    pub(super) fn all_accept(
        &mut self,
        schemas: &[Node<'a>],
        json: &str,
        budget: &mut Budget,
    ) -> Option<bool> {
        let mut all = Some(true);
        for schema in schemas {
            match self.accepts(*schema, json, budget) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => all = None,
            }
        }
        all
    }

    pub(super) fn accepts(
        &mut self,
        schema: Node<'a>,
        json: &str,
        budget: &mut Budget,
    ) -> Option<bool> {
        if let Some(verdict) = schema.as_bool() {
            return Some(verdict);
        }
        if !self.known.contains_key(&schema.id()) {
            let text = self.standing_alone(schema);
            let part = budget.spend(text.len()).then(|| CompiledSchema::new(&text));
            self.known.insert(schema.id(), part.flatten());
        }
        let part = self.known.get(&schema.id())?.as_ref()?;
        part.accepts(budget.spend(json.len()).then_some(json)?)
    }

    /// A schema that accepts what a part accepts, with everything that the part refers to.
    fn standing_alone(&self, part: Node<'a>) -> String {
        if !self.has_references || part.id() == self.root.id() {
            return part.text().to_owned();
        }
        let name = self.root.get("$id").and_then(Node::as_str);
        let pointer = paths(self.root.index(), &[part.id()], &Pointer::root());
        let pointer: String = pointer.iter().map(ToString::to_string).collect();
        let base = name.as_deref().unwrap_or(NAME);
        let base = base.strip_suffix('#').unwrap_or(base);
        let mut writer = Writer::default();
        writer.begin_object().key("$ref");
        writer.string(&format!("{base}#{}", percent_encode(&pointer)));
        writer.key("$defs").begin_object().key("parameters");
        writer.begin_object();
        if name.is_none() {
            writer.key("$id").string(NAME);
        }
        for (keyword, value) in self.root.members() {
            writer.key(&keyword).raw(value.text());
        }
        writer.end_object().end_object().end_object();
        writer.finish()
    }
}

impl CompiledSchema {
    fn new(schema: &str) -> Option<Self> {
        let schema = Value::embedded(schema);
        if depth(schema.root()) > DEEPEST {
            return None;
        }
        let validator = options(true).build(&schema.deserialize().ok()?).ok()?;
        let cost = CostModel::new(&schema, true);
        Some(Self { validator, cost })
    }

    fn accepts(&self, json: &str) -> Option<bool> {
        let tree = serde_json::from_str(json).ok()?;
        if self.cost.is_bounded() {
            return Some(self.validator.is_valid(&tree));
        }
        let value = Value::embedded(json);
        self.cost.verdict(&self.validator, value.root(), &tree)
    }
}

/// A pointer as the fragment of a URI.
fn percent_encode(pointer: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~/$".contains(&b);
    { pointer.bytes() }.fold(String::new(), |mut out, byte| {
        if plain(byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
        out
    })
}
