//! An imported tool before it becomes a contract.

use crate::contract::Contract;
use crate::json::report::{Place, Report};
use crate::json::{Kind, Node};
use crate::violation::rules::structure as rules;
use crate::{Pointer, Violations};

use super::dialects::Dialect;
use super::loss::{Effect, Loss, LossKind};
use super::tree::{Map, Tree};
use super::{hoist, patterns, standard, upgrade_draft};

/// A partially read tool.
pub(super) struct ImportDraft<'a> {
    node: Node<'a>,
    pub(super) title: Option<Node<'a>>,
    /// The key of the required schema, if that is missing.
    missing: Option<&'static str>,
    fields: Map,
    losses: Vec<Loss>,
}

impl<'a> ImportDraft<'a> {
    /// Starts from a tool. Members that are not `known` are logged as losses.
    pub(super) fn of(node: Node<'a>, known: &[&str]) -> Self {
        let unknown = node.members().filter(|(key, _)| !known.contains(&&**key));
        let losses = unknown.map(|(key, _)| Loss {
            pointer: Pointer::root().key(&key),
            kind: LossKind::Annotation,
            effect: Effect::Documentation,
            lost: format!("`{}`", crate::text::shorten(&key)),
            instead: "it was left out".to_owned(),
        });
        Self {
            node,
            title: None,
            missing: None,
            fields: Map::default(),
            losses: losses.collect(),
        }
    }

    /// Sets the arguments from a JSON Schema.
    pub(super) fn parameters(&mut self, schema: Option<Node<'_>>) {
        self.parameters_from(schema, |_| {});
    }

    /// The same from another schema format. Without a schema there are no arguments.
    pub(super) fn parameters_from(
        &mut self,
        schema: Option<Node<'_>>,
        translate: impl Fn(&mut Tree),
    ) {
        let place = Pointer::root().key("parameters");
        let tree = match schema.filter(|schema| schema.kind() != Kind::Null) {
            Some(schema) => self.in_our_words(schema, &place, translate),
            None => {
                if other_schema(self.node).is_some() {
                    self.missing.get_or_insert("parameters");
                }
                no_arguments(&place)
            }
        };
        self.fields.set("parameters", tree);
    }

    fn in_our_words(
        &mut self,
        schema: Node<'_>,
        place: &Pointer,
        translate: impl Fn(&mut Tree),
    ) -> Tree {
        let mut tree = Tree::of(schema, place);
        translate(&mut tree);
        upgrade_draft::upgrade(&mut tree);
        hoist::unhoist(&mut tree);
        standard::recognise(&mut tree);
        let losses = &mut self.losses;
        patterns::leave_out(&mut tree, &mut |place, what| {
            losses.push(patterns::loss(place.clone(), what));
        });
        tree
    }

    /// Sets the arguments from a required member.
    pub(super) fn required_parameters(&mut self, key: &'static str) {
        self.required_schema(self.node.get(key), key);
    }

    /// The same where the schema is inside of a member.
    pub(super) fn required_schema(&mut self, schema: Option<Node<'_>>, key: &'static str) {
        if schema.is_none() {
            self.missing = Some(key);
        }
        self.parameters(schema);
    }

    /// Sets the returns from a JSON Schema.
    pub(super) fn returns(&mut self, schema: Option<Node<'_>>) {
        self.returns_from(schema, |_| {});
    }

    /// The same from another schema format.
    pub(super) fn returns_from(&mut self, schema: Option<Node<'_>>, translate: impl Fn(&mut Tree)) {
        let Some(schema) = schema.filter(|schema| schema.kind() != Kind::Null) else {
            return;
        };
        let place = Pointer::root().key("returns");
        let tree = self.in_our_words(schema, &place, translate);
        let returns = match standard::standard_of(&tree) {
            Some(standard) => Tree::string(standard.name()),
            None => {
                let mut custom = Map::at(&place);
                custom.set("type", Tree::string("Custom"));
                custom.set("schema", tree);
                Tree::Object(custom)
            }
        };
        self.fields.set("returns", returns);
    }

    /// Sets the returns as a contract writes them.
    pub(super) fn promise(&mut self, promise: Node<'_>) {
        self.field("returns", Some(promise));
    }

    /// Sets a field of the contract unchanged.
    pub(super) fn field(&mut self, name: &str, value: Option<Node<'_>>) {
        if let Some(value) = value {
            let place = Pointer::root().key(name);
            self.fields.set(name, Tree::of(value, &place));
        }
    }

    pub(super) fn effects(&mut self, effects: Map) {
        if !effects.is_empty() {
            self.fields.set("effects", Tree::Object(effects));
        }
    }

    /// Builds the contract. Violations have pointers into the contract.
    pub(super) fn contract(
        mut self,
        name: Option<&str>,
        losses: &mut Vec<Loss>,
    ) -> Result<Contract, Violations> {
        if let Some(key) = self.missing {
            return Err(missing(self.node, key));
        }
        let mut map = Map::default();
        if let Some(name) = name {
            map.set("name", Tree::string(name));
        }
        if let Some(description) = self.description(name) {
            map.set("description", description);
        }
        for (key, value) in self.fields.iter() {
            map.set(key, value.clone());
        }
        losses.append(&mut self.losses);
        Contract::from_value(&Tree::Object(map).to_value())
    }

    fn lose_title(&mut self) {
        self.losses.push(Loss {
            pointer: Pointer::root().key("title"),
            kind: LossKind::Annotation,
            effect: Effect::Documentation,
            lost: "`title`".to_owned(),
            instead: "it was left out".to_owned(),
        });
    }

    /// The tool's description, or else its title or name: a contract must have a description.
    fn description(&mut self, name: Option<&str>) -> Option<Tree> {
        let own = self.node.get("description");
        let blank = |node: Node<'_>| node.as_str().is_some_and(|text| text.trim().is_empty());
        if let Some(own) = own.filter(|own| !blank(*own) && own.kind() != Kind::Null) {
            if self.title.is_some() {
                self.lose_title();
            }
            return Some(Tree::of(own, &Pointer::root()));
        }
        let title = self
            .title
            .and_then(Node::as_str)
            .filter(|title| !title.trim().is_empty());
        let made = match title {
            Some(title) => title.into_owned(),
            None => name?.replace(['_', '-'], " "),
        };
        self.losses.push(Loss {
            pointer: Pointer::root().key("description"),
            kind: LossKind::Description,
            effect: Effect::Documentation,
            lost: "a description, which there is none of".to_owned(),
            instead: "its title or name stands for it".to_owned(),
        });
        Some(Tree::string(made))
    }
}

/// The key of some dialect under which there is a schema of arguments.
fn other_schema(tool: Node<'_>) -> Option<&'static str> {
    let mut keys = Dialect::ALL.iter().flat_map(|one| one.spec().input_keys);
    let is_schema = |key: &&&str| tool.get(key).is_some_and(|s| s.kind() == Kind::Object);
    keys.find(is_schema).copied()
}

fn no_arguments(place: &Pointer) -> Tree {
    let mut map = Map::at(place);
    map.set("type", Tree::string("object"));
    map.set("properties", Tree::Object(Map::at(place)));
    map.set("additionalProperties", Tree::Bool(false));
    Tree::Object(map)
}

/// Without a schema it cannot be called: it is of another dialect, or hosted by its provider.
fn missing(node: Node<'_>, key: &str) -> Violations {
    let value = node.to_value();
    let mut report = Report::new(1);
    let place = Place::Node(value.root().id());
    let other = other_schema(value.root());
    report.add(&rules::MISSING_FIELD, place, |finding| {
        let expected = format!("expected `{key}`, the schema of the tool's arguments");
        match other {
            Some(other) => finding
                .say(format!(
                    "{expected}, found `{other}`, which is of another dialect"
                ))
                .advise(format!("write `{key}` instead of `{other}`")),
            None => finding
                .say(format!("{expected}, found none"))
                .advise("a tool that its provider runs has none, and cannot be converted"),
        };
    });
    report.finish_value(&value, &Pointer::root())
}
