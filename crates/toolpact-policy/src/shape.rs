//! The arguments of a tool as types of Cedar, and what is lost.

use std::collections::BTreeMap;
use std::fmt;

use toolpact_core::Pointer;
use toolpact_core::contract::Contract;
use toolpact_core::dialect::LossKind;
use toolpact_core::json::{Kind, Node};

/// A type of Cedar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shape {
    Bool,
    Long,
    Text,
    Decimal,
    Time,
    Set(Box<Shape>),
    Record(BTreeMap<String, Field>),
}

impl Shape {
    /// The context of a call with arguments of this shape.
    pub(crate) fn context(self) -> Self {
        let field = |name: &str, required, shape| (name.to_owned(), Field { shape, required });
        let client = [
            field("name", true, Shape::Text),
            field("version", false, Shape::Text),
        ];
        // Who calls by REST without `User-Agent` has no client.
        Shape::Record(BTreeMap::from([
            field("client", false, Shape::Record(client.into())),
            field("input", true, self),
            field("session", true, Shape::Long),
            field("time", true, Shape::Time),
        ]))
    }

    /// Roughly how much memory it takes besides itself.
    #[cfg(feature = "cedar")]
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Shape::Set(items) => size_of::<Self>() + items.bytes(),
            Shape::Record(fields) => {
                let each = |(name, field): (&String, &Field)| {
                    size_of::<(String, Field)>() + name.len() + field.shape.bytes()
                };
                fields.iter().map(each).sum()
            }
            _ => 0,
        }
    }
}

/// An attribute of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) shape: Shape,
    /// Whether it is always there.
    pub(crate) required: bool,
}

/// Something about the arguments of a tool that policies cannot see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    tool: String,
    pointer: Pointer,
    kind: LossKind,
    lost: &'static str,
    instead: &'static str,
}

impl Loss {
    /// The tool, by the name of its action.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// Where in the contract it is.
    #[must_use]
    pub fn pointer(&self) -> &Pointer {
        &self.pointer
    }

    /// The kind of the loss, of those that dialects have.
    #[must_use]
    pub fn kind(&self) -> LossKind {
        self.kind
    }

    /// What is lost.
    #[must_use]
    pub fn lost(&self) -> &str {
        self.lost
    }

    /// What is done instead.
    #[must_use]
    pub fn instead(&self) -> &str {
        self.instead
    }
}

/// As losses of dialects are written, with the tool in front.
impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tool, kind, .. } = self;
        write!(f, "{tool}: loss[{kind}] at {}: ", self.pointer)?;
        write!(f, "{}; {}", self.lost, self.instead)
    }
}

/// The arguments of a tool, with what is lost.
pub(crate) fn of_contract(action: &str, contract: &Contract) -> (Shape, Vec<Loss>) {
    let schema = contract.parameters().to_json_schema();
    let mut reader = Reader {
        root: schema.root(),
        open: Vec::new(),
        action,
        losses: Vec::new(),
    };
    let place = Pointer::root().key("parameters");
    let shape = match reader.read(schema.root(), &place) {
        Ok(Typed {
            shape: shape @ Shape::Record(_),
            ..
        }) => shape,
        Ok(_) => Shape::Record(BTreeMap::new()),
        Err(left_out) => {
            // A tool that takes nothing loses nothing.
            if schema.root().get("properties").is_some() || left_out.kind != LossKind::Map {
                reader.lose(&place, left_out, LEFT_OUT);
            }
            Shape::Record(BTreeMap::new())
        }
    };
    (shape, reader.losses)
}

const LEFT_OUT: &str = "it is left out, and no policy can use it";

/// Deeper schemas are left out, so that nothing here can exhaust the stack.
const DEEPEST: usize = 16;

/// Why something has no type.
struct LeftOut {
    kind: LossKind,
    lost: &'static str,
}

struct Typed {
    shape: Shape,
    nullable: bool,
}

impl From<Shape> for Typed {
    fn from(shape: Shape) -> Self {
        Self {
            shape,
            nullable: false,
        }
    }
}

type Read = Result<Typed, LeftOut>;

struct Reader<'a> {
    root: Node<'a>,
    /// The references that are being followed.
    open: Vec<String>,
    action: &'a str,
    losses: Vec<Loss>,
}

impl<'a> Reader<'a> {
    fn lose(&mut self, pointer: &Pointer, LeftOut { kind, lost }: LeftOut, instead: &'static str) {
        self.losses.push(Loss {
            tool: self.action.to_owned(),
            pointer: pointer.clone(),
            kind,
            lost,
            instead,
        });
    }

    fn read(&mut self, schema: Node<'a>, place: &Pointer) -> Read {
        if place.tokens().len() > 2 * DEEPEST {
            return left_out(LossKind::Recursion, "a value that is nested too deeply");
        }
        if let Some(reference) = schema.get("$ref").and_then(Node::as_str) {
            return self.follow(&reference, place);
        }
        if let Some(types) = types_of(schema) {
            return self.of_types(&types, schema, place);
        }
        for key in ["anyOf", "oneOf", "allOf"] {
            if let Some(parts) = schema.get(key) {
                return self.of_parts(key, parts, place);
            }
        }
        left_out(LossKind::AnyValue, "a value that may be anything")
    }

    fn follow(&mut self, reference: &str, place: &Pointer) -> Read {
        if self.open.iter().any(|open| open == reference) {
            return left_out(
                LossKind::Recursion,
                "a value that contains values of its own type",
            );
        }
        let target = reference.strip_prefix('#').and_then(Pointer::parse);
        let Some(target) = target.and_then(|pointer| self.root.at(&pointer)) else {
            return left_out(LossKind::AnyValue, "a value of a type that is elsewhere");
        };
        self.open.push(reference.to_owned());
        let read = self.read(target, place);
        self.open.pop();
        read
    }

    fn of_types(&mut self, types: &[String], schema: Node<'a>, place: &Pointer) -> Read {
        let nullable = types.iter().any(|one| one == "null");
        let others: Vec<&str> = { types.iter().map(String::as_str) }
            .filter(|one| *one != "null")
            .collect();
        let shape = match others[..] {
            ["boolean"] => Shape::Bool,
            ["integer"] => Shape::Long,
            ["string"] => Shape::Text,
            ["number"] | ["integer", "number"] | ["number", "integer"] => {
                let lost = "numbers with more than four decimals or beyond 922337203685477";
                let kind = LossKind::Constraint;
                self.lose(place, LeftOut { kind, lost }, UNREADABLE);
                Shape::Decimal
            }
            ["array"] => self.of_array(schema, place)?,
            ["object"] => self.of_object(schema, place)?,
            [] => return left_out(LossKind::Null, "a value that is always null"),
            _ => return left_out(LossKind::Union, "a value of one of several types"),
        };
        Ok(Typed { shape, nullable })
    }

    fn of_array(&mut self, schema: Node<'a>, place: &Pointer) -> Result<Shape, LeftOut> {
        if schema.get("prefixItems").is_some() {
            let lost = "an array with a type for each position";
            return Err(LeftOut {
                kind: LossKind::Tuple,
                lost,
            });
        }
        let Some(items) = schema.get("items") else {
            let lost = "an array of anything";
            return Err(LeftOut {
                kind: LossKind::AnyValue,
                lost,
            });
        };
        let items = self.read(items, &place.key("items"))?;
        if items.nullable {
            let lost = "an array that may contain null";
            return Err(LeftOut {
                kind: LossKind::Null,
                lost,
            });
        }
        let lost = "the order of the elements, and how often each is there";
        let kind = LossKind::Rewritten;
        self.lose(place, LeftOut { kind, lost }, "policies see a set");
        Ok(Shape::Set(Box::new(items.shape)))
    }

    fn of_object(&mut self, schema: Node<'a>, place: &Pointer) -> Result<Shape, LeftOut> {
        let Some(properties) = schema.get("properties") else {
            let lost = "an object with keys that are not named";
            return Err(LeftOut {
                kind: LossKind::Map,
                lost,
            });
        };
        let required = schema.get("required");
        let required: Vec<_> = required
            .into_iter()
            .flat_map(Node::items)
            .filter_map(Node::as_str)
            .collect();
        let mut fields = BTreeMap::new();
        for (name, property) in properties.members() {
            let place = place.key("properties").key(&name);
            match self.read(property, &place) {
                Ok(Typed { shape, nullable }) => {
                    if nullable {
                        let (kind, lost) = (LossKind::Null, "the value null");
                        self.lose(&place, LeftOut { kind, lost }, "policies see no value");
                    }
                    let required = !nullable && required.contains(&name);
                    fields.insert(name.into_owned(), Field { shape, required });
                }
                Err(why) => self.lose(&place, why, LEFT_OUT),
            }
        }
        let named_by_rule = ["additionalProperties", "patternProperties"];
        let mut unnamed = named_by_rule.iter().filter_map(|key| schema.get(key));
        if unnamed.any(|rule| rule.kind() == Kind::Object) {
            let (kind, lost) = (LossKind::Map, "the keys that are not named");
            self.lose(place, LeftOut { kind, lost }, "policies see the named ones");
        }
        if schema.get("allOf").is_some() {
            let (kind, lost) = (LossKind::AllOf, "what `allOf` adds");
            self.lose(place, LeftOut { kind, lost }, "policies see the rest");
        }
        Ok(Shape::Record(fields))
    }

    /// Alternatives of one type, besides null, are of that type.
    fn of_parts(&mut self, key: &str, parts: Node<'a>, place: &Pointer) -> Read {
        let parts: Vec<Node<'a>> = parts.items().collect();
        let is_null = |part: &&Node<'a>| types_of(**part).is_some_and(|types| types == ["null"]);
        let nullable = key != "allOf" && parts.iter().any(|part| is_null(&part));
        let others: Vec<&Node<'a>> = parts.iter().filter(|part| !is_null(part)).collect();
        let (first, rest) = match &others[..] {
            [first, rest @ ..] if rest.is_empty() || key != "allOf" => (**first, rest),
            _ if key == "allOf" => {
                return left_out(LossKind::AllOf, "a value of several types at once");
            }
            _ => return left_out(LossKind::Null, "a value that is always null"),
        };
        let before = self.losses.len();
        let mut typed = self.read(first, place)?;
        for other in rest {
            let other = self.read(**other, place)?;
            if other.shape != typed.shape || matches!(other.shape, Shape::Record(_)) {
                self.losses.truncate(before);
                return left_out(LossKind::Union, "a value of one of several types");
            }
            typed.nullable |= other.nullable;
        }
        typed.nullable |= nullable;
        Ok(typed)
    }
}

/// What becomes of calls with values that Cedar cannot hold.
const UNREADABLE: &str = "a call with one is denied if a policy uses it";

fn left_out<T>(kind: LossKind, lost: &'static str) -> Result<T, LeftOut> {
    Err(LeftOut { kind, lost })
}

/// The types that a schema names, or those of its values, or what its other keywords are about.
fn types_of(schema: Node<'_>) -> Option<Vec<String>> {
    if let Some(types) = schema.get("type") {
        return Some(match types.as_str() {
            Some(one) => vec![one.into_owned()],
            None => { types.items().filter_map(Node::as_str) }
                .map(Into::into)
                .collect(),
        });
    }
    let values: Vec<Node<'_>> = match (schema.get("const"), schema.get("enum")) {
        (Some(value), _) => vec![value],
        (None, Some(values)) => values.items().collect(),
        (None, None) => Vec::new(),
    };
    let mut types: Vec<String> = values.into_iter().map(type_of).collect();
    types.sort_unstable();
    types.dedup();
    if types.is_empty() {
        let about = [("properties", "object"), ("items", "array")];
        let about = about.iter().find(|(key, _)| schema.get(key).is_some());
        types.extend(about.map(|(_, one)| (*one).to_owned()));
    }
    (!types.is_empty()).then_some(types)
}

fn type_of(value: Node<'_>) -> String {
    let name = match value.kind() {
        Kind::Null => "null",
        Kind::Bool => "boolean",
        Kind::Number
            if value
                .text()
                .bytes()
                .all(|b| b.is_ascii_digit() || b == b'-') =>
        {
            "integer"
        }
        Kind::Number => "number",
        Kind::String => "string",
        Kind::Array => "array",
        Kind::Object => "object",
    };
    name.to_owned()
}
