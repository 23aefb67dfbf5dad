//! All constraints of a set of subschemas, keyword by keyword.

use std::borrow::Cow;
use std::collections::HashSet;

use indexmap::IndexMap;

use super::super::program::types;
use super::alternatives::Keys;
use super::budget::{MOST_GROUPS, cost};
use super::delegated_whole::DelegatedWhole;
use super::{Compiler, SubschemaId, SubschemaSet, Supported, unsupported};
use crate::json::{Node as Json, Whole};
use crate::schema::{JsonType, Keyword, Role};

/// The constraints on a value.
#[derive(Debug)]
pub(super) struct Constraints<'a> {
    pub(super) types: u8,
    /// Lists of allowed values; a value must be in all of them.
    pub(super) values: Vec<(SubschemaId, Vec<Json<'a>>)>,
    pub(super) length: Size,
    pub(super) patterns: Vec<Json<'a>>,
    /// How many states these patterns have.
    pub(super) states: u64,
    pub(super) formats: Vec<Cow<'a, str>>,
    /// The keywords about numbers, with their values.
    pub(super) numbers: Vec<(Keyword, Json<'a>)>,
    pub(super) items: Size,
    pub(super) arrays: Vec<Elements>,
    pub(super) members: Size,
    pub(super) objects: Vec<Properties<'a>>,
    pub(super) required: Vec<Cow<'a, str>>,
    /// Keys that require others.
    pub(super) dependent: Vec<(Cow<'a, str>, Vec<Cow<'a, str>>)>,
    pub(super) groups: Vec<Group>,
    /// Keywords about an array or an object as a whole.
    pub(super) whole_array: DelegatedWhole,
    pub(super) whole_object: DelegatedWhole,
    /// Groups that only require keys.
    pub(super) keys: Vec<Keys<'a>>,
}

/// A minimum and a maximum.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    pub(super) min: u32,
    pub(super) max: u32,
}

/// The constraints of one subschema on the elements of an array.
#[derive(Debug, Default)]
pub(super) struct Elements {
    pub(super) prefix: Vec<SubschemaId>,
    pub(super) rest: Option<SubschemaId>,
}

/// The constraints of one subschema on the members of an object.
#[derive(Debug, Default)]
pub(super) struct Properties<'a> {
    pub(super) named: IndexMap<Cow<'a, str>, SubschemaId>,
    pub(super) others: Option<SubschemaId>,
}

/// Subschemas that are not simply a conjunction.
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

    fn at_least(&mut self, count: u32) {
        self.min = self.min.max(count);
    }

    fn at_most(&mut self, count: u32) {
        self.max = self.max.min(count);
    }

    pub(super) fn is_free(self) -> bool {
        self.min == 0 && self.max == u32::MAX
    }
}

impl<'a> Compiler<'_, 'a> {
    /// Collects the constraints of the subschemas of a set and of their `$ref` targets.
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

    /// Collects one subschema. Its in-place subschemas go to `todo`.
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
        for (name, value) in schema.members() {
            let (keyword, at) = (Keyword::named(&name), within(subschema, value));
            self.charge(at, cost(keyword, value))?;
            let Some(keyword) = keyword else { continue };
            match keyword {
                Keyword::Type => constraints.types &= type_mask(value),
                Keyword::Const => constraints.values.push((at, vec![value])),
                Keyword::Enum => constraints.values.push((at, value.items().collect())),
                Keyword::Minimum
                | Keyword::Maximum
                | Keyword::ExclusiveMinimum
                | Keyword::ExclusiveMaximum
                | Keyword::MultipleOf => constraints.numbers.push((keyword, value)),
                Keyword::MinLength => constraints.length.at_least(count(value, at)?),
                Keyword::MaxLength => constraints.length.at_most(count(value, at)?),
                Keyword::MinItems => constraints.items.at_least(count(value, at)?),
                Keyword::MaxItems => constraints.items.at_most(count(value, at)?),
                Keyword::MinProperties => constraints.members.at_least(count(value, at)?),
                Keyword::MaxProperties => constraints.members.at_most(count(value, at)?),
                Keyword::Pattern => {
                    constraints.states = self.states(constraints.states, value, at)?;
                    constraints.patterns.push(value);
                }
                Keyword::Format => {
                    if self.sources[usize::from(subschema.source)].formats {
                        constraints.formats.extend(value.as_str());
                    }
                }
                Keyword::PrefixItems => {
                    let elements = elements.get_or_insert_with(Elements::default);
                    elements.prefix = all_within(subschema, value);
                }
                Keyword::Items => elements.get_or_insert_with(Elements::default).rest = Some(at),
                Keyword::Properties => {
                    let properties = properties.get_or_insert_with(Properties::default);
                    let named = value
                        .members()
                        .map(|(key, value)| (key, within(subschema, value)));
                    properties.named = named.collect();
                }
                Keyword::AdditionalProperties => {
                    properties.get_or_insert_with(Properties::default).others = Some(at);
                }
                Keyword::Required => constraints
                    .required
                    .extend(value.items().filter_map(Json::as_str)),
                Keyword::DependentRequired => {
                    let names =
                        |list: Json<'a>| list.items().filter_map(Json::as_str).collect::<Vec<_>>();
                    let dependent = value.members().map(|(key, list)| (key, names(list)));
                    constraints.dependent.extend(dependent);
                }
                Keyword::AllOf => todo.extend(all_within(subschema, value)),
                Keyword::Ref => todo.push(self.target(subschema, value)?),
                Keyword::AnyOf | Keyword::OneOf | Keyword::Not | Keyword::If => {
                    if !set.decided.contains(&at) {
                        self.group(keyword, subschema, value, constraints, todo)?;
                    }
                }
                Keyword::UniqueItems => whole |= value.as_bool() != Some(false),
                Keyword::Contains
                | Keyword::MinContains
                | Keyword::MaxContains
                | Keyword::PropertyNames => whole = true,
                // `true` and an empty object have no effect.
                Keyword::UnevaluatedItems | Keyword::UnevaluatedProperties
                    if value.as_bool() == Some(true) => {}
                Keyword::PatternProperties | Keyword::DependentSchemas | Keyword::Dependencies
                    if value.members().next().is_none() => {}
                // Handled with `if`.
                Keyword::Then | Keyword::Else => {}
                _ => match keyword.role() {
                    Role::Annotation | Role::Content | Role::Definition => {}
                    _ => {
                        let why = format!("the keyword `{}`", keyword.name());
                        return Err(unsupported(at, why));
                    }
                },
            }
        }
        if whole {
            self.whole(subschema, constraints)?;
        }
        constraints.arrays.extend(elements);
        constraints.objects.extend(properties);
        Ok(())
    }

    /// The alternatives of one subschema. A single alternative is no choice.
    fn group(
        &mut self,
        keyword: Keyword,
        subschema: SubschemaId,
        value: Json<'a>,
        constraints: &mut Constraints<'a>,
        todo: &mut Vec<SubschemaId>,
    ) -> Supported<()> {
        let at = within(subschema, value);
        let kind = match keyword {
            Keyword::AnyOf | Keyword::OneOf => {
                let all = all_within(subschema, value);
                self.charge(at, all.len() * size_of::<SubschemaId>())?;
                match (all.as_slice(), keyword) {
                    ([only], _) => {
                        todo.push(*only);
                        return Ok(());
                    }
                    (_, Keyword::AnyOf) => GroupKind::Any(all),
                    _ => GroupKind::One(all),
                }
            }
            Keyword::Not => GroupKind::Not(at),
            _ => {
                let schema = self.json(subschema);
                let branch =
                    |keyword: Keyword| keyword.get(schema).map(|node| within(subschema, node));
                GroupKind::If(at, branch(Keyword::Then), branch(Keyword::Else))
            }
        };
        constraints.groups.push(Group { at, kind });
        Ok(())
    }
}

fn all_within(subschema: SubschemaId, list: Json<'_>) -> Vec<SubschemaId> {
    list.items().map(|item| within(subschema, item)).collect()
}

pub(super) fn within(subschema: SubschemaId, node: Json<'_>) -> SubschemaId {
    SubschemaId {
        source: subschema.source,
        node: node.id(),
    }
}

fn type_mask(value: Json<'_>) -> u8 {
    let bits = JsonType::listed(value).map(|one| match one {
        JsonType::Null => types::NULL,
        JsonType::Boolean => types::BOOLEAN,
        JsonType::Integer => types::WHOLE,
        JsonType::Number => types::NUMBER,
        JsonType::String => types::STRING,
        JsonType::Array => types::ARRAY,
        JsonType::Object => types::OBJECT,
    });
    bits.fold(0, |mask, bits| mask | bits)
}

/// A count, saturated to 32 bits.
fn count(value: Json<'_>, at: SubschemaId) -> Supported<u32> {
    match value.as_number().map(crate::json::Number::whole) {
        Some(Whole::Integer(count)) => Ok(u32::try_from(count.max(0)).unwrap_or(u32::MAX)),
        Some(Whole::TooLarge) => Ok(u32::MAX),
        _ => Err(unsupported(at, "a size that is no whole number")),
    }
}
