//! Checks a list of tools against its provider's rules; the provider would reject violations.
//!
//! The dialect's profile defines which schemas are supported: keywords, formats, keys, and the
//! export steps, which log what they have to change.

use std::collections::{HashMap, HashSet};

use crate::Pointer;
use crate::json::report::{Edit, Place, Report};
use crate::json::{Kind, Node, find_at};
use crate::text::{list, shorten};
use crate::violation::Rule;
use crate::violation::Token;
use crate::violation::rules::dialect as rules;

use super::dialects::Dialect;
use super::export::run;
use super::import::NotImported;
use super::loss::{Effect, Loss, LossKind};
use super::profile::{KeyRule, Profile};
use super::shape;
use super::spec::Limits;
use super::step::Log;
use super::tree::Tree;

/// Reports what providers refuse or ignore in a document's tools, in the given dialect or in the
/// one detected for each tool. What is wrong with the tools in `left_out` is reported elsewhere.
pub(crate) fn check(
    root: Node<'_>,
    dialect: Option<Dialect>,
    left_out: &[NotImported],
    report: &mut Report,
) {
    // OpenAPI and contract documents have their own checks.
    if shape::is_openapi(root) || root.get("toolpact").is_some() {
        return;
    }
    let tools = shape::tools(root, dialect, report).unwrap_or_default();
    let left_out = left_out.iter().map(|tool| (tool.place.to_string(), tool));
    let left_out: HashMap<String, &NotImported> = left_out.collect();
    let known = tools.iter();
    let known = known.filter_map(|(node, place, dialect)| Some((*node, place, (*dialect)?)));
    let mut count = 0;
    for (tool, place, dialect) in known {
        let spec = dialect.spec();
        let (Some(limits), Some(layout)) = (&spec.limits, spec.layout) else {
            continue;
        };
        count += 1;
        if limits.tools == Some(count - 1) {
            too_many(tool, dialect, count - 1, report);
        }
        let left_out = left_out.get(&place.to_string());
        let definition = shape::definition(tool);
        check_name(definition, dialect, limits, report);
        check_description(definition, dialect, limits, report);
        let place = shape::definition_place(tool, place);
        let mut keys = spec.input_keys.iter();
        let schema = keys.find_map(|key| Some((place.key(key), definition.get(key)?)));
        let schema = match dialect.schema_inside() {
            Some(inside) => schema.and_then(|(at, s)| Some((at.key(inside), s.get(inside)?))),
            None => schema,
        };
        if let Some((place, schema)) = schema.filter(|(_, schema)| is_readable(*schema)) {
            let mut check = SchemaCheck {
                root,
                dialect,
                limits,
                profile: layout.input,
                report,
                told: HashSet::new(),
            };
            check.words(schema);
            // What an export would change of an invalid schema follows from what is wrong with it.
            if !left_out.is_some_and(|tool| has_errors(&place, tool)) {
                check.losses(schema, &place);
            }
        }
    }
}

/// Schemas that are not objects or are nested too deeply have already been reported.
fn is_readable(schema: Node<'_>) -> bool {
    schema.kind() == Kind::Object && crate::schema::depth(schema) <= super::import::DEEPEST
}

fn has_errors(schema: &Pointer, tool: &NotImported) -> bool {
    let schema = schema.tokens();
    let mut violations = tool.violations.iter();
    violations.any(|violation| violation.pointer().tokens().starts_with(&schema))
}

fn too_many(tool: Node<'_>, dialect: Dialect, most: usize, report: &mut Report) {
    report.add(&rules::TOOL_COUNT, Place::Node(tool.id()), |finding| {
        finding.say(format!(
            "expected at most {most} tools, which is what `{dialect}` takes, found one more"
        ));
    });
}

fn check_name(definition: Node<'_>, dialect: Dialect, limits: &Limits, report: &mut Report) {
    let Some(node) = definition.get("name") else {
        return;
    };
    let Some(name) = node.as_str().filter(|name| !limits.name.allows(name)) else {
        return;
    };
    let rule = match limits.refuses_names {
        true => &rules::TOOL_NAME,
        false => &rules::TOOL_NAME_ADVICE,
    };
    report.add(rule, Place::Node(node.id()), |finding| {
        finding.say(format!(
            "expected a name of {} for `{dialect}`, found `{}`",
            describe(&limits.name),
            shorten(&name)
        ));
        let new = suggest(&name, &limits.name);
        if limits.name.allows(&new) {
            finding.advise(format!("for example `{}`", shorten(&new)));
        }
    });
}

/// "1 to 64 letters, digits, `_` and `-`"
fn describe(rule: &KeyRule) -> String {
    let others = [b"_", rule.others].concat();
    let others: Vec<String> = others
        .into_iter()
        .map(|b| char::from(b).to_string())
        .collect();
    let others = list(others.iter().map(String::as_str));
    let first = match rule.any_first {
        true => "",
        false => ", a letter or `_` first",
    };
    format!("1 to {} letters, digits, {others}{first}", rule.longest)
}

fn suggest(name: &str, rule: &KeyRule) -> String {
    let allowed = |c: char| {
        c.is_ascii_alphanumeric() || u8::try_from(c).is_ok_and(|b| rule.others.contains(&b))
    };
    let name = name.trim().chars();
    let name = name.map(|c| if allowed(c) { c } else { '_' });
    name.take(rule.longest).collect()
}

fn check_description(definition: Node<'_>, dialect: Dialect, limits: &Limits, report: &mut Report) {
    let Some(node) = definition.get("description") else {
        return;
    };
    let length = node.as_str().map_or(0, |text| text.chars().count());
    let Some(most) = limits.description.filter(|most| length > *most) else {
        return;
    };
    let place = Place::Node(node.id());
    report.add(&rules::TOOL_DESCRIPTION, place, |finding| {
        finding.say(format!(
            "expected a description of at most {most} characters for `{dialect}`, found {length}"
        ));
    });
}

/// Checks one input schema.
struct SchemaCheck<'a, 'r> {
    root: Node<'a>,
    dialect: Dialect,
    limits: &'static Limits,
    profile: &'static Profile,
    report: &'r mut Report,
    /// Nodes that already have a finding, so that none is reported twice.
    told: HashSet<u32>,
}

impl SchemaCheck<'_, '_> {
    /// Reports unknown keywords and formats.
    fn words(&mut self, schema: Node<'_>) {
        let own = self.limits.keywords;
        for schema in crate::schema::subschemas(schema) {
            for (key, value) in schema.entries() {
                let keyword = key.as_str().unwrap_or_default();
                let knows = |known: &[&str]| known.contains(&&*keyword) || own.contains(&&*keyword);
                if self.profile.keywords.is_some_and(|known| !knows(known)) {
                    self.told.insert(value.id());
                    let dialect = self.dialect;
                    let place = Place::Key(key.id());
                    self.report.add(&rules::KEYWORD, place, |finding| {
                        finding.say(format!(
                            "expected a keyword that `{dialect}` knows, found `{}`",
                            shorten(&keyword)
                        ));
                        let candidates = self.profile.keywords.unwrap_or_default();
                        finding.did_you_mean_one_of(&keyword, candidates.iter().copied());
                    });
                }
            }
            self.format(schema);
        }
    }

    fn format(&mut self, schema: Node<'_>) {
        let Some(node) = schema.get("format") else {
            return;
        };
        let (Some(known), Some(format)) = (self.profile.formats, node.as_str()) else {
            return;
        };
        if known.contains(&&*format) {
            return;
        }
        self.told.insert(node.id());
        let rule = match self.limits.refuses_formats {
            true => &rules::FORMAT,
            false => &rules::FORMAT_IGNORED,
        };
        let dialect = self.dialect;
        self.report.add(rule, Place::Node(node.id()), |finding| {
            finding.say(format!(
                "expected a format that `{dialect}` knows, one of {}, found `{}`",
                list(known.iter().copied()),
                shorten(&format)
            ));
        });
    }

    /// Reports what an export would have to change, other than keywords and formats.
    fn losses(&mut self, schema: Node<'_>, place: &Pointer) {
        let mut tree = Tree::of(schema, place);
        (self.limits.to_json_schema)(&mut tree);
        let mut log = Log::new(self.profile, place.clone());
        let refused = run(self.profile.steps, &mut tree, &mut log);
        for loss in &log.losses {
            self.loss(loss);
        }
        if let Err(reason) = refused {
            let dialect = self.dialect;
            let place = Place::Node(schema.id());
            self.report.add(&rules::SCHEMA, place, |finding| {
                finding.say(format!(
                    "expected a schema that `{dialect}` takes, found that {reason}"
                ));
            });
        }
    }

    fn loss(&mut self, loss: &Loss) {
        // Not in the source text: it comes from translating a keyword that the dialect supports.
        let Ok(node) = find_at(self.root, loss.pointer()) else {
            return;
        };
        let Some(rule) = self.rule_for(loss, node) else {
            return;
        };
        if !self.told.insert(node.id()) {
            return;
        }
        let dialect = self.dialect;
        let keys = self.profile.keys;
        self.report.add(rule, Place::Node(node.id()), |finding| match loss.kind() {
            LossKind::ClosedObject | LossKind::OpenByDefault if rule.code == rules::OPEN_OBJECT.code => {
                finding.say(format!(
                    "expected `additionalProperties: false` in every object for `{dialect}`, found none"
                ));
                if let Some(edit) = close(node) {
                    finding.fix("add `\"additionalProperties\": false`", edit);
                }
            }
            LossKind::AbsentAsNull => {
                finding
                    .say(format!(
                        "expected every key in `required` for `{dialect}`, found one that may be left out"
                    ))
                    .advise("name it in `required`, and let it be null where it may be left out");
            }
            LossKind::KeyName => {
                let rule = keys.map(|rule| describe(&rule)).unwrap_or_default();
                let what = loss.lost();
                finding.say(format!("expected a key of {rule} for `{dialect}`, found {what}"));
            }
            _ => {
                let what = loss.lost();
                finding.say(format!("expected a schema that `{dialect}` takes, found {what}"));
            }
        });
    }

    /// The rule that a schema breaks if an export would lose this; `None` if the provider accepts
    /// it unchanged.
    fn rule_for(&self, loss: &Loss, node: Node<'_>) -> Option<&'static Rule> {
        let is_schema = node.kind() == Kind::Object;
        let (is_list, knows_all) = (shape::is_list(node), self.profile.keywords.is_none());
        let translates = !self.limits.keywords.is_empty();
        let knows = |keyword: &str| {
            self.profile
                .keywords
                .is_some_and(|all| all.contains(&keyword))
        };
        match (loss.kind(), loss.effect()) {
            (LossKind::ClosedObject | LossKind::OpenByDefault, _)
                if knows("additionalProperties") =>
            {
                Some(&rules::OPEN_OBJECT)
            }
            (LossKind::AbsentAsNull, _) => Some(&rules::OPTIONAL_KEY),
            (LossKind::KeyName, _) => Some(&rules::KEY_NAME),
            // Either an implicit default of JSON Schema that the provider wants explicit, or a
            // union at the root where all keywords are known.
            (LossKind::Rewritten, _) if !translates && (is_schema || is_list && knows_all) => {
                Some(&rules::SCHEMA)
            }
            (_, Effect::Documentation) => None,
            _ if self.is_own(loss) => None,
            _ => Some(&rules::SCHEMA),
        }
    }

    /// Whether a keyword is specific to the dialect and not in its profile.
    fn is_own(&self, loss: &Loss) -> bool {
        let keyword = loss.pointer().tokens().pop();
        matches!(keyword, Some(Token::Key(key)) if self.limits.keywords.contains(&&**key))
    }
}

/// The edit that closes an object with `additionalProperties: false`.
fn close(object: Node<'_>) -> Option<Edit> {
    match object.get("additionalProperties") {
        Some(node) => Some(Edit::Replace(node.id(), "false".to_owned())),
        None => {
            let last = ["properties", "type"]
                .into_iter()
                .find_map(|key| object.get(key))?;
            Some(Edit::AddMember(
                last.id(),
                "additionalProperties",
                "false".to_owned(),
            ))
        }
    }
}
