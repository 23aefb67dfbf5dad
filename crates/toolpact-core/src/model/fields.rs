//! Reads the fields of a structure: the rules that are the same for all of them.

use std::borrow::Cow;
use std::fmt;

use crate::json::report::{Edit, Place, Removal, Report};
use crate::json::{Kind, Node};
use crate::text::{list, shorten};
use crate::violation::rules::structure as rules;

/// What a structure may contain.
pub(crate) struct Structure {
    /// With its article: `a function call`.
    pub(crate) name: &'static str,
    pub(crate) required: &'static [&'static str],
    pub(crate) optional: &'static [&'static str],
    /// What to do about fields of other formats.
    pub(crate) foreign: &'static [(&'static str, &'static str)],
}

/// The fields that are there, by name.
pub(crate) struct Fields<'a> {
    node: Node<'a>,
    structure: &'static Structure,
    found: Vec<(&'static str, Field<'a>)>,
}

#[derive(Clone, Copy)]
pub(crate) struct Field<'a> {
    pub(crate) key: Node<'a>,
    pub(crate) value: Node<'a>,
}

impl<'a> Fields<'a> {
    /// Reports unknown fields, missing required ones, and a node that is no object.
    pub(crate) fn read(
        node: Node<'a>,
        structure: &'static Structure,
        report: &mut Report,
    ) -> Option<Self> {
        if node.kind() != Kind::Object {
            report.add(&rules::WRONG_TYPE, Place::Node(node.id()), |finding| {
                finding.say(format!(
                    "expected {}, which is an object, found {}",
                    structure.name,
                    describe(node)
                ));
            });
            return None;
        }
        let mut fields = Self {
            node,
            structure,
            found: Vec::new(),
        };
        for (key, value) in node.entries() {
            let name = key.as_str().unwrap_or_default();
            match structure.names().find(|known| *known == name) {
                Some(known) => fields.found.push((known, Field { key, value })),
                None => unknown_field(key, &name, structure, report),
            }
        }
        fields.report_missing(report);
        Some(fields)
    }

    /// A field, null or not.
    pub(crate) fn get(&self, name: &str) -> Option<Field<'a>> {
        self.found
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, field)| *field)
    }

    /// An optional field; null is reported, because it should be left out.
    pub(crate) fn optional(&self, name: &str, report: &mut Report) -> Option<Node<'a>> {
        let field = self.get(name)?;
        if field.value.kind() != Kind::Null {
            return Some(field.value);
        }
        report.add(&rules::NULL_FIELD, Place::Key(field.key.id()), |finding| {
            finding
                .say(format!(
                    "expected `{name}` to be left out or to have a value, found null"
                ))
                .fix("leave it out", Edit::Remove(self.removal_of(field)));
        });
        None
    }

    /// A required string.
    pub(crate) fn string(&self, name: &str, report: &mut Report) -> Option<Cow<'a, str>> {
        string(self.get(name)?.value, name, report)
    }

    /// An optional string.
    pub(crate) fn optional_string(&self, name: &str, report: &mut Report) -> Option<Cow<'a, str>> {
        string(self.optional(name, report)?, name, report)
    }

    fn removal_of(&self, field: Field<'a>) -> Removal {
        let before = self
            .node
            .entries()
            .take_while(|(key, _)| key.id() < field.key.id());
        Removal {
            first: field.key.id(),
            last: field.value.id(),
            previous: before.last().map(|(_, value)| value.id()),
        }
    }

    fn report_missing(&self, report: &mut Report) {
        for name in self.structure.required {
            if self.get(name).is_none() {
                report.add(
                    &rules::MISSING_FIELD,
                    Place::Node(self.node.id()),
                    |finding| {
                        finding.say(format!(
                            "expected the field `{name}` in {}, found none",
                            self.structure.name
                        ));
                    },
                );
            }
        }
    }
}

impl Structure {
    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.required.iter().chain(self.optional).copied()
    }
}

/// The string, or a report that it is none.
pub(crate) fn string<'a>(node: Node<'a>, name: &str, report: &mut Report) -> Option<Cow<'a, str>> {
    expect(node, Kind::String, name, report)?.as_str()
}

/// The node if it is of this kind, or a report that it is not.
pub(crate) fn expect<'a>(
    node: Node<'a>,
    kind: Kind,
    name: &str,
    report: &mut Report,
) -> Option<Node<'a>> {
    if node.kind() == kind {
        return Some(node);
    }
    report_wrong_type(node, kind, format_args!("`{name}`"), report);
    None
}

pub(crate) fn report_wrong_type(
    node: Node<'_>,
    kind: Kind,
    what: fmt::Arguments<'_>,
    report: &mut Report,
) {
    report.add(&rules::WRONG_TYPE, Place::Node(node.id()), |finding| {
        finding.say(format!(
            "expected {what} to be {kind}, found {}",
            describe(node)
        ));
    });
}

/// A value for a message: `the string "abc"`, `the number 5`, `an object`.
pub(crate) fn describe(node: Node<'_>) -> String {
    match node.kind() {
        Kind::Null => "null".to_owned(),
        Kind::Bool => node.text().to_owned(),
        Kind::Number => format!("the number {}", shorten(node.text())),
        Kind::String => format!(
            "the string \"{}\"",
            shorten(&node.as_str().unwrap_or_default())
        ),
        kind @ (Kind::Array | Kind::Object) => kind.to_string(),
    }
}

fn unknown_field(key: Node<'_>, name: &str, structure: &Structure, report: &mut Report) {
    report.add(&rules::UNKNOWN_FIELD, Place::Key(key.id()), |finding| {
        let names: Vec<&str> = structure.names().collect();
        finding
            .say(format!(
                "expected only {} in {}, found `{}`",
                list(names.iter().copied()),
                structure.name,
                shorten(name)
            ))
            .did_you_mean_one_of(name, names);
        if let Some((_, advice)) = structure
            .foreign
            .iter()
            .find(|(foreign, _)| *foreign == name)
        {
            finding.advise(*advice);
        }
    });
}
