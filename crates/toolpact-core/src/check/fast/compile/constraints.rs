//! Everything that a set of subschemas asks for, keyword by keyword.

use std::borrow::Cow;
use std::collections::HashSet;

use indexmap::IndexMap;

use super::super::program::types;
use super::alternatives::Keys;
use super::budget::{MOST_GROUPS, cost};
use super::delegated_whole::DelegatedWhole;
use super::{Compiler, SubschemaId, SubschemaSet, Supported, unsupported};
use crate::json::{Kind, Node as Json, Whole};

/// What is asked of a value.
#[derive(Debug)]
pub(super) struct Constraints<'a> {
    pub(super) types: u8,
    /// Lists of allowed values; one value must be in all of them.
    pub(super) values: Vec<(SubschemaId, Vec<Json<'a>>)>,
    pub(super) length: Size,
    pub(super) patterns: Vec<Json<'a>>,
    /// How many states these have.
    pub(super) states: u64,
    pub(super) formats: Vec<Cow<'a, str>>,
    /// The keywords about numbers: name and value.
    pub(super) numbers: Vec<(Cow<'a, str>, Json<'a>)>,
    pub(super) items: Size,
    pub(super) arrays: Vec<Elements>,
    pub(super) members: Size,
    pub(super) objects: Vec<Properties<'a>>,
    pub(super) required: Vec<Cow<'a, str>>,
    /// Keys that ask for others.
    pub(super) dependent: Vec<(Cow<'a, str>, Vec<Cow<'a, str>>)>,
    pub(super) groups: Vec<Group>,
    /// Keywords that look at an array or at an object as a whole.
    pub(super) whole_array: DelegatedWhole,
    pub(super) whole_object: DelegatedWhole,
    /// Groups that only ask for keys.
    pub(super) keys: Vec<Keys<'a>>,
}

/// At least and at most how many.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    pub(super) min: u32,
    pub(super) max: u32,
}

/// What one subschema asks of the elements of an array.
#[derive(Debug, Default)]
pub(super) struct Elements {
    pub(super) prefix: Vec<SubschemaId>,
    pub(super) rest: Option<SubschemaId>,
}

/// What one subschema asks of the members of an object.
#[derive(Debug, Default)]
pub(super) struct Properties<'a> {
    pub(super) named: IndexMap<Cow<'a, str>, SubschemaId>,
    pub(super) others: Option<SubschemaId>,
}

/// Subschemas that are not simply all to be satisfied.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) at: SubschemaId,
    pub(super) kind: GroupKind,
}

#[derive(Debug)]
pub(super) enum GroupKind {
    Any(Vec<SubschemaId>),
    One(Vec<SubschemaId>),
    Not(SubschemaId),
    If(SubschemaId, Option<SubschemaId>, Option<SubschemaId>),
}

impl Size {
    pub(super) const ALL: Size = Size {
        min: 0,
        max: u32::MAX,
    };

    pub(super) fn is_free(self) -> bool {
        self.min == 0 && self.max == u32::MAX
    }
}

impl<'a> Compiler<'_, 'a> {
    /// Gathers what the subschemas of a set ask for, those they refer to included.
    pub(super) fn constraints(&mut self, set: &SubschemaSet) -> Supported<Constraints<'a>> {
        let mut constraints = Constraints {
            types: types::ALL,
            values: Vec::new(),
            length: Size::ALL,
            patterns: Vec::new(),
            states: 0,
            formats: Vec::new(),
            numbers: Vec::new(),
            items: Size::ALL,
            arrays: Vec::new(),
            members: Size::ALL,
            objects: Vec::new(),
            required: Vec::new(),
            dependent: Vec::new(),
            groups: Vec::new(),
            whole_array: DelegatedWhole::default(),
            whole_object: DelegatedWhole::default(),
            keys: Vec::new(),
        };
        let mut todo: Vec<SubschemaId> = set.subschemas.iter().rev().copied().collect();
        let mut seen: HashSet<SubschemaId> = HashSet::new();
        while let Some(subschema) = todo.pop() {
            if seen.insert(subschema) {
                self.gather(subschema, set, &mut constraints, &mut todo)?;
            }
        }
        match constraints
            .groups
            .get(MOST_GROUPS.saturating_sub(set.decided.len()))
        {
            Some(group) => Err(unsupported(
                group.at,
                "many alternatives to be decided at one place",
            )),
            None => Ok(constraints),
        }
    }

    /// One subschema. What it applies to the same value goes to `todo`.
    fn gather(
        &mut self,
        subschema: SubschemaId,
        set: &SubschemaSet,
        constraints: &mut Constraints<'a>,
        todo: &mut Vec<SubschemaId>,
    ) -> Supported<()> {
        let schema = self.json(subschema);
        if schema.as_bool() == Some(false) {
            constraints.types = 0;
        }
        let (mut elements, mut properties, mut whole) = (None, None, false);
        for (keyword, value) in schema.members() {
            let at = within(subschema, value);
            self.charge(at, cost(&keyword, value))?;
            match &*keyword {
                "type" => constraints.types &= type_mask(value),
                "const" => constraints.values.push((at, vec![value])),
                "enum" => constraints.values.push((at, value.items().collect())),
                "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
                    constraints.numbers.push((keyword, value));
                }
                "minLength" => {
                    constraints.length.min = constraints.length.min.max(count(value, at)?)
                }
                "maxLength" => {
                    constraints.length.max = constraints.length.max.min(count(value, at)?)
                }
                "minItems" => constraints.items.min = constraints.items.min.max(count(value, at)?),
                "maxItems" => constraints.items.max = constraints.items.max.min(count(value, at)?),
                "minProperties" => {
                    constraints.members.min = constraints.members.min.max(count(value, at)?)
                }
                "maxProperties" => {
                    constraints.members.max = constraints.members.max.min(count(value, at)?)
                }
                "pattern" => {
                    constraints.states = self.states(constraints.states, value, at)?;
                    constraints.patterns.push(value);
                }
                "format" if self.sources[usize::from(subschema.source)].formats => {
                    constraints.formats.extend(value.as_str());
                }
                "prefixItems" => {
                    let elements = elements.get_or_insert_with(Elements::default);
                    elements.prefix = value.items().map(|item| within(subschema, item)).collect();
                }
                "items" => elements.get_or_insert_with(Elements::default).rest = Some(at),
                "properties" => {
                    let properties = properties.get_or_insert_with(Properties::default);
                    let named = value
                        .members()
                        .map(|(key, value)| (key, within(subschema, value)));
                    properties.named = named.collect();
                }
                "additionalProperties" => {
                    properties.get_or_insert_with(Properties::default).others = Some(at);
                }
                "required" => constraints
                    .required
                    .extend(value.items().filter_map(Json::as_str)),
                "dependentRequired" => {
                    constraints
                        .dependent
                        .extend(value.members().map(|(key, names)| {
                            (key, names.items().filter_map(Json::as_str).collect())
                        }));
                }
                "allOf" => todo.extend(value.items().map(|item| within(subschema, item))),
                "$ref" => todo.push(self.target(subschema, value)?),
                "anyOf" | "oneOf" if set.decided.contains(&at) => {}
                "anyOf" | "oneOf" => {
                    let all: Vec<SubschemaId> =
                        value.items().map(|item| within(subschema, item)).collect();
                    self.charge(at, all.len() * size_of::<SubschemaId>())?;
                    match all.as_slice() {
                        [only] => todo.push(*only),
                        _ => constraints.groups.push(Group {
                            at,
                            kind: match &*keyword {
                                "anyOf" => GroupKind::Any(all),
                                _ => GroupKind::One(all),
                            },
                        }),
                    }
                }
                "not" if !set.decided.contains(&at) => constraints.groups.push(Group {
                    at,
                    kind: GroupKind::Not(at),
                }),
                "if" if !set.decided.contains(&at) => {
                    let branch = |name: &str| schema.get(name).map(|node| within(subschema, node));
                    constraints.groups.push(Group {
                        at,
                        kind: GroupKind::If(at, branch("then"), branch("else")),
                    });
                }
                "uniqueItems" if value.as_bool() == Some(false) => {}
                "uniqueItems" | "contains" | "minContains" | "maxContains" | "propertyNames" => {
                    whole = true;
                }
                _ => refuse(&keyword, value, at)?,
            }
        }
        if whole {
            self.whole(subschema, constraints)?;
        }
        constraints.arrays.extend(elements);
        constraints.objects.extend(properties);
        Ok(())
    }
}

/// Keywords that constrain and are not covered. All others that are not known are annotations.
fn refuse(keyword: &str, value: Json<'_>, at: SubschemaId) -> Supported<()> {
    let is_true = value.as_bool() == Some(true);
    let covered = match keyword {
        "unevaluatedItems" | "unevaluatedProperties" => is_true,
        "patternProperties" | "dependentSchemas" | "dependencies" => {
            value.members().next().is_none()
        }
        "$dynamicRef" | "$recursiveRef" | "additionalItems" => false,
        _ => true,
    };
    match covered {
        true => Ok(()),
        false => Err(unsupported(at, format!("the keyword `{keyword}`"))),
    }
}

pub(super) fn within(subschema: SubschemaId, node: Json<'_>) -> SubschemaId {
    SubschemaId {
        source: subschema.source,
        node: node.id(),
    }
}

fn type_mask(value: Json<'_>) -> u8 {
    let one = |name: &str| match name {
        "null" => types::NULL,
        "boolean" => types::BOOLEAN,
        "integer" => types::WHOLE,
        "number" => types::NUMBER,
        "string" => types::STRING,
        "array" => types::ARRAY,
        "object" => types::OBJECT,
        _ => 0,
    };
    match value.kind() {
        Kind::Array => {
            (value.items().filter_map(Json::as_str)).fold(0, |mask, name| mask | one(&name))
        }
        _ => value.as_str().map_or(0, |name| one(&name)),
    }
}

/// A number of things, as far as it can matter.
fn count(value: Json<'_>, at: SubschemaId) -> Supported<u32> {
    match value.as_number().map(crate::json::Number::whole) {
        Some(Whole::Integer(count)) => Ok(u32::try_from(count.max(0)).unwrap_or(u32::MAX)),
        Some(Whole::TooLarge) => Ok(u32::MAX),
        _ => Err(unsupported(at, "a size that is no whole number")),
    }
}
