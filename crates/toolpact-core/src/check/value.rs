//! Checks a value against an ADM schema: every violation, in one walk, without recursion.

use std::collections::{HashMap, HashSet};

use crate::json::report::{Finding, Place, Report};
use crate::json::{Kind, Node, NodeId, Value, Whole, Writer};
use crate::model::SchemaType;
use crate::model::schema::{Schema, SchemaRef, SubschemaId};
use crate::text::{list, shorten};
use crate::violation::rules::value as rules;
use crate::violation::{Pointer, Rule};

/// The integers of checked arguments that are not written as integers, such as `3.0`.
pub(crate) struct Arguments {
    integers: Vec<(NodeId, i64)>,
}

/// Checks the arguments of a call. A root OBJECT without properties accepts no members.
pub(crate) fn check_arguments(args: Node<'_>, schema: &Schema, report: &mut Report) -> Arguments {
    let mut check = Check {
        report,
        open: Vec::new(),
        integers: Vec::new(),
        pointers: HashMap::new(),
    };
    let root = schema.root();
    if root.schema_type() == SchemaType::Object && root.properties().len() == 0 {
        for (key, _) in args.entries() {
            check.unknown_key(key, root);
        }
    } else {
        check.run(args, root);
    }
    Arguments {
        integers: check.integers,
    }
}

impl Arguments {
    /// The arguments as passed to the tool: every INTEGER written as one.
    pub(crate) fn normalise(&self, args: Node<'_>) -> Value {
        if self.integers.is_empty() {
            return args.to_value();
        }
        let (text, offset) = (args.text(), args.span().start);
        let (mut writer, mut at) = (String::with_capacity(text.len()), 0);
        for (id, integer) in &self.integers {
            let span = Node::new(args.index(), *id).span();
            writer.push_str(&text[at..span.start - offset]);
            writer.push_str(&integer.to_string());
            at = span.end - offset;
        }
        writer.push_str(&text[at..]);
        let mut whole = Writer::default();
        whole.raw(&writer);
        Value::trusted(whole)
    }
}

struct Check<'a, 'r> {
    report: &'r mut Report,
    open: Vec<Container<'a>>,
    integers: Vec<(NodeId, i64)>,
    /// Memoised pointers to parts of the schema.
    pointers: HashMap<SubschemaId, Pointer>,
}

/// A container of the value that is being walked.
struct Container<'a> {
    node: Node<'a>,
    schema: SchemaRef<'a>,
    /// The next key or element, and the end of the container.
    next: NodeId,
    end: NodeId,
    /// How many of the required keys were seen.
    required_seen: usize,
}

impl<'a> Check<'a, '_> {
    fn run(&mut self, root: Node<'a>, schema: SchemaRef<'a>) {
        self.value(root, schema);
        while let Some(container) = self.open.last_mut() {
            if container.next >= container.end {
                if let Some(done) = self.open.pop() {
                    self.missing_keys(&done);
                }
                continue;
            }
            let child = Node::new(container.node.index(), container.next);
            if container.node.kind() == Kind::Array {
                container.next = child.entry().next;
                if let Some(items) = container.schema.items() {
                    self.value(child, items);
                }
            } else {
                self.member(child);
            }
        }
    }

    /// Checks the member of the innermost object that begins with `key`.
    fn member(&mut self, key: Node<'a>) {
        let Some(container) = self.open.last_mut() else {
            return;
        };
        let value = Node::new(key.index(), key.id() + 1);
        container.next = value.entry().next;
        let schema = container.schema;
        match schema.lookup(&key.as_str().unwrap_or_default()) {
            Some((property, required)) => {
                container.required_seen += usize::from(required);
                self.value(value, property);
            }
            None => self.unknown_key(key, schema),
        }
    }

    /// Checks a scalar, or opens a container.
    fn value(&mut self, node: Node<'a>, schema: SchemaRef<'a>) {
        match (schema.schema_type(), node.kind()) {
            (SchemaType::String, Kind::String) => self.string(node, schema),
            (SchemaType::Integer, Kind::Number) => self.integer(node, schema),
            (SchemaType::Number, Kind::Number) | (SchemaType::Boolean, Kind::Bool) => {}
            (SchemaType::Array, Kind::Array) => self.enter(node, schema),
            (SchemaType::Object, Kind::Object) => {
                // A nested OBJECT without properties accepts anything.
                if schema.properties().len() > 0 {
                    self.enter(node, schema);
                }
            }
            _ => self.wrong_type(node, schema),
        }
    }

    fn enter(&mut self, node: Node<'a>, schema: SchemaRef<'a>) {
        let (next, end) = (node.id() + 1, node.entry().next);
        self.open.push(Container {
            node,
            schema,
            next,
            end,
            required_seen: 0,
        });
    }

    fn string(&mut self, node: Node<'a>, schema: SchemaRef<'a>) {
        let text = node.as_str().unwrap_or_default();
        if schema.allows(&text) {
            return;
        }
        self.add(
            &rules::ENUM,
            Place::Node(node.id()),
            schema,
            "enum",
            |finding| {
                let Some(values) = schema.values() else {
                    return;
                };
                finding.say(format!(
                    "expected {}, found \"{}\"",
                    one_of(values),
                    shorten(&text)
                ));
                finding.did_you_mean_one_of(&text, schema.values().into_iter().flatten());
            },
        );
    }

    fn integer(&mut self, node: Node<'a>, schema: SchemaRef<'a>) {
        let Some(number) = node.as_number() else {
            return;
        };
        match number.whole() {
            Whole::Integer(integer) => {
                if number.text().parse() != Ok(integer) || number.text() == "-0" {
                    self.integers.push((node.id(), integer));
                }
            }
            Whole::TooLarge => {
                let place = Place::Node(node.id());
                self.add(&rules::INTEGER_RANGE, place, schema, "type", |finding| {
                    finding.say(format!(
                        "expected an INTEGER within 64 bits, found {}",
                        shorten(number.text())
                    ));
                });
            }
            Whole::Fraction => self.wrong_type(node, schema),
        }
    }

    fn wrong_type(&mut self, node: Node<'a>, schema: SchemaRef<'a>) {
        self.add(
            &rules::TYPE,
            Place::Node(node.id()),
            schema,
            "type",
            |finding| {
                let (expected, found) = (schema.schema_type(), crate::model::describe(node));
                finding.say(format!("expected {expected}, found {found}"));
                if node.kind() == Kind::Null {
                    finding.advise("leave it out if there is no value");
                }
            },
        );
    }

    fn unknown_key(&mut self, key: Node<'a>, schema: SchemaRef<'a>) {
        let keyword = "properties";
        self.add(
            &rules::UNKNOWN_KEY,
            Place::Key(key.id()),
            schema,
            keyword,
            |finding| {
                let name = key.as_str().unwrap_or_default();
                let names = || schema.properties().map(|(name, _)| name);
                let expected = match names().len() {
                    0 => "no arguments".to_owned(),
                    1 => format!("only the key {}", list(names())),
                    _ => format!("one of the keys {}", list(names())),
                };
                finding
                    .say(format!("expected {expected}, found `{}`", shorten(&name)))
                    .did_you_mean_one_of(&name, names());
            },
        );
    }

    fn missing_keys(&mut self, container: &Container<'a>) {
        let schema = container.schema;
        if container.node.kind() == Kind::Array {
            return;
        }
        let missing = schema
            .required()
            .len()
            .saturating_sub(container.required_seen);
        if missing == 0 {
            return;
        }
        if self.report.is_full() {
            return self.report.count(&rules::MISSING_KEY, missing);
        }
        let seen: HashSet<_> = container.node.members().map(|(key, _)| key).collect();
        for name in schema.required().filter(|name| !seen.contains(*name)) {
            let place = Place::Node(container.node.id());
            self.add(&rules::MISSING_KEY, place, schema, "required", |finding| {
                finding.say(format!(
                    "expected the required key `{}`, found none",
                    shorten(name)
                ));
            });
        }
    }

    fn add(
        &mut self,
        rule: &'static Rule,
        place: Place,
        schema: SchemaRef<'_>,
        keyword: &str,
        describe: impl FnOnce(&mut Finding),
    ) {
        if self.report.is_full() {
            return self.report.count(rule, 1);
        }
        let pointer = self.pointer_to(schema).key(keyword);
        self.report.add(rule, place, |finding| {
            describe(finding);
            finding.schema(pointer);
        });
    }

    /// The pointer to a part of the schema. Each is memoised, so that many violations deep in a
    /// schema share the pointers of its ancestors.
    fn pointer_to(&mut self, part: SchemaRef<'_>) -> Pointer {
        let mut way = Vec::new();
        let mut at = part;
        let mut pointer = loop {
            if let Some(known) = self.pointers.get(&at.id()) {
                break known.clone();
            }
            match at.parent() {
                Some((parent, extend)) => {
                    way.push((at.id(), extend));
                    at = parent;
                }
                None => break Pointer::root(),
            }
        };
        for (id, extend) in way.into_iter().rev() {
            pointer = extend(&pointer);
            self.pointers.insert(id, pointer.clone());
        }
        pointer
    }
}

fn one_of<'a>(mut values: impl ExactSizeIterator<Item = &'a str>) -> String {
    if values.len() == 1 {
        return format!("\"{}\"", shorten(values.next().unwrap_or_default()));
    }
    format!("one of {}", list(values))
}
