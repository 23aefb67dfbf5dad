//! Checks a value against a JSON Schema. The `jsonschema` crate decides; the messages are ours.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::paths::{Location, LocationSegment};
use jsonschema::{ValidationError, Validator};
use serde_json::Value as Json;

use super::large;
use super::options::options;
use crate::json::report::{Finding, Place, Report};
use crate::json::{Kind, Node, NodeId, Value};
use crate::model::describe;
use crate::schema::{CostModel, Keyword};
use crate::text::{list, shorten};
use crate::violation::nearest::nearest;
use crate::violation::rules::{json as json_rules, value as rules};
use crate::violation::{Pointer, Rule};

/// The explain path: every violation of a value that was parsed into a tree.
#[derive(Debug)]
pub(super) struct Explain {
    validator: Validator,
    cost: CostModel,
    bundle: Value,
    formats: bool,
    /// Whether the schema has integers that floats cannot hold.
    is_large: bool,
    /// For values or schemas that have them.
    exact: OnceLock<Option<Validator>>,
}

impl Explain {
    pub(super) fn new(bundle: &Value, formats: bool) -> Self {
        let cost = CostModel::new(bundle, formats);
        let schema = bundle
            .deserialize()
            .unwrap_or(serde_json::Value::Bool(false));
        let validator = options(formats)
            .build(&schema)
            // A `JsonSchema` always compiles; if one ever did not, it would accept nothing.
            .or_else(|_| jsonschema::draft202012::new(&serde_json::Value::Bool(false)));
        match validator {
            Ok(validator) => Self {
                validator,
                cost,
                is_large: large::is_in_schema(bundle.root()),
                bundle: bundle.clone(),
                formats,
                exact: OnceLock::new(),
            },
            Err(error) => unreachable!("`false` is a schema: {error}"),
        }
    }

    /// Checks a part of a document. Returns whether it is valid. If even a verdict would cost too
    /// much here, the part is valid if `sure` returns true.
    pub(super) fn check_node(
        &self,
        node: Node<'_>,
        report: &mut Report,
        sure: impl FnOnce() -> bool,
    ) -> bool {
        let Some(instance) = tree(node, report) else {
            return false;
        };
        if let Some(exact) = self.exact_for(node) {
            return self.reasons_exactly(exact, node, &instance, report);
        }
        // Most values are valid; `is_valid` shows it without counting the cost first.
        let quick = !self.cost.is_small(node) && self.cost.is_bounded();
        quick && self.validator.is_valid(&instance)
            || self.reasons_within(node, &instance, report, sure)
    }

    /// Explains what is wrong with a value that was refused, without asking for a verdict first.
    pub(super) fn explain_node(&self, node: Node<'_>, report: &mut Report) -> bool {
        tree(node, report).is_some_and(|instance| match self.exact_for(node) {
            Some(exact) => self.reasons_exactly(exact, node, &instance, report),
            None => self.reasons_within(node, &instance, report, || false),
        })
    }

    /// The validator for integers beyond 64 bits, if there are any.
    fn exact_for(&self, node: Node<'_>) -> Option<&Validator> {
        if !self.is_large && !large::is_in(node) {
            return None;
        }
        let build = || large::validator(&self.bundle, self.formats);
        self.exact.get_or_init(build).as_ref()
    }

    fn reasons_exactly(
        &self,
        exact: &Validator,
        node: Node<'_>,
        instance: &Json,
        report: &mut Report,
    ) -> bool {
        if !self.cost.is_small(node) && !self.cost.allows(node) {
            too_much_work(node, false, report);
            return false;
        }
        large::exactly(node, instance, || reasons(exact, node, instance, report))
    }

    /// Reports the reasons, or that explaining would cost too much.
    fn reasons_within(
        &self,
        node: Node<'_>,
        instance: &serde_json::Value,
        report: &mut Report,
        sure: impl FnOnce() -> bool,
    ) -> bool {
        if self.cost.is_small(node) || self.cost.allows(node) {
            return reasons(&self.validator, node, instance, report);
        }
        let verdict = self.cost.verdict(&self.validator, node, instance);
        let valid = verdict.unwrap_or_else(sure);
        if !valid {
            too_much_work(node, verdict.is_some(), report);
        }
        valid
    }
}

fn reasons(validator: &Validator, node: Node<'_>, instance: &Json, report: &mut Report) -> bool {
    let mut valid = true;
    for error in validator.iter_errors(instance) {
        valid = false;
        if report.is_full() {
            report.count(rule(error.kind()), weight(error.kind()));
        } else {
            add(node, &error, report);
        }
    }
    valid
}

/// The validator needs a tree, and the depth of trees is bounded.
fn tree(node: Node<'_>, report: &mut Report) -> Option<serde_json::Value> {
    let tree = serde_json::from_str(node.text());
    tree.map_err(|_| too_deep(node, report)).ok()
}

/// The deepest nesting that `serde_json` reads.
const DEEPEST: usize = 127;

/// Every other reason why a text cannot be parsed into a tree was reported before.
fn too_deep(node: Node<'_>, report: &mut Report) {
    if crate::schema::depth(node) > DEEPEST {
        report.add(&json_rules::TOO_DEEP, Place::Node(node.id()), |finding| {
            finding.say(format!(
                "expected at most {DEEPEST} levels of nesting in a value under a JSON Schema, found more"
            ));
        });
    }
}

/// Reports that explaining costs too much. There may be a verdict (`is_invalid`) or not even that.
fn too_much_work(node: Node<'_>, is_invalid: bool, report: &mut Report) {
    report.add(&rules::WORK, Place::Node(node.id()), |finding| {
        let steps = CostModel::budget(node);
        finding.say(match is_invalid {
            true => format!("expected a value that satisfies its schema, found one that does not; to say why takes more than {steps} steps, or too many at once"),
            false => format!("expected a value that is checked in at most {steps} steps, found one that takes more"),
        });
        finding.advise("nest it less deep, or let the schema lead to each part of a value on fewer ways");
    });
}

/// How many violations one error counts as.
fn weight(kind: &ValidationErrorKind) -> usize {
    match kind {
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => unexpected.len(),
        _ => 1,
    }
}

fn add(root: Node<'_>, error: &ValidationError<'_>, report: &mut Report) {
    if let Some(errors) = meant(error) {
        return errors.iter().for_each(|error| add(root, error, report));
    }
    let node = locate(root, error.instance_path());
    let say = |finding: &mut Finding| {
        finding
            .say(explain(error, root))
            .schema(pointer(error.schema_path()));
        advise(error, node, finding);
    };
    match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            let entries = node.entries();
            let keys: HashMap<Cow<'_, str>, NodeId> = entries
                .filter_map(|(key, _)| Some((key.as_str()?, key.id())))
                .collect();
            for name in unexpected {
                let key = keys.get(name.as_str());
                let place = key.map_or(Place::Node(node.id()), |key| Place::Key(*key));
                report.add(rule(error.kind()), place, |finding| {
                    let found = shorten(name);
                    finding
                        .say(format!(
                            "expected no keys but those of the schema, found `{found}`"
                        ))
                        .schema(pointer(error.schema_path()));
                });
            }
        }
        kind => report.add(rule(kind), Place::Node(node.id()), say),
    }
}

/// The part of a value that an error refers to.
pub(crate) fn locate<'a>(root: Node<'a>, path: &Location) -> Node<'a> {
    path.segments().fold(root, |node, segment| {
        let child = match segment {
            LocationSegment::Property(name) => node.get(&name),
            LocationSegment::Index(index) => node.items().nth(index),
        };
        child.unwrap_or(node)
    })
}

fn pointer(path: &Location) -> Pointer {
    path.segments()
        .fold(Pointer::root(), |pointer, segment| match segment {
            LocationSegment::Property(name) => pointer.key(&name),
            LocationSegment::Index(index) => pointer.index(index),
        })
}

/// A one-line message for an error in the value at `root`.
pub(crate) fn explain(error: &ValidationError<'_>, root: Node<'_>) -> String {
    use ValidationErrorKind as K;
    let node = locate(root, error.instance_path());
    let found = || describe(node);
    match error.kind() {
        K::Type { kind } => format!("expected {}, found {}", types(kind), found()),
        K::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            format!("expected the required key `{}`, found none", shorten(name))
        }
        K::Enum { options } => {
            let options: Vec<&Json> = options.as_array().into_iter().flatten().collect();
            format!(
                "expected one of {}, found {}",
                one_of(&options, node),
                found()
            )
        }
        K::Constant { expected_value } => {
            format!(
                "expected {}, found {}",
                shorten(&expected_value.to_string()),
                found()
            )
        }
        K::Minimum { limit } => format!("expected at least {limit}, found {}", found()),
        K::Maximum { limit } => format!("expected at most {limit}, found {}", found()),
        K::ExclusiveMinimum { limit } => format!("expected more than {limit}, found {}", found()),
        K::ExclusiveMaximum { limit } => format!("expected less than {limit}, found {}", found()),
        K::MultipleOf { multiple_of } => {
            format!("expected a multiple of {multiple_of}, found {}", found())
        }
        K::MinLength { limit } => {
            format!("expected at least {limit} characters, found {}", found())
        }
        K::MaxLength { limit } => format!("expected at most {limit} characters, found {}", found()),
        K::MinItems { limit } => {
            format!(
                "expected at least {limit} elements, found {}",
                node.items().count()
            )
        }
        K::MaxItems { limit } => {
            format!(
                "expected at most {limit} elements, found {}",
                node.items().count()
            )
        }
        K::MinProperties { limit } => {
            format!(
                "expected at least {limit} keys, found {}",
                node.members().count()
            )
        }
        K::MaxProperties { limit } => {
            format!(
                "expected at most {limit} keys, found {}",
                node.members().count()
            )
        }
        K::Pattern { pattern } => {
            format!(
                "expected text that matches `{}`, found {}",
                shorten(pattern),
                found()
            )
        }
        K::Format { format } if format == "regex" => {
            let pattern = node.as_str().unwrap_or_default();
            let expected = crate::schema::expected_pattern(&pattern);
            format!("expected {expected}, found {}", found())
        }
        K::Format { format } => format!("expected the format `{format}`, found {}", found()),
        K::AnyOf { context } | K::OneOfNotValid { context } => none_of(error, context, root),
        K::OneOfMultipleValid { .. } => {
            format!(
                "expected exactly one alternative to match, found that several match {}",
                found()
            )
        }
        K::UniqueItems => "expected different elements, found some that are equal".to_owned(),
        K::FalseSchema => format!("expected nothing here, found {}", found()),
        K::Not { .. } => format!(
            "expected something that the schema does not exclude, found {}",
            found()
        ),
        K::AdditionalProperties { unexpected } | K::UnevaluatedProperties { unexpected } => {
            let names = list(unexpected.iter().map(String::as_str));
            format!("expected no keys but those of the schema, found {names}")
        }
        K::Custom { message, .. } => message.clone(),
        _ => shorten(&error.to_string()),
    }
}

/// The errors of the one alternative that was intended: the only one whose errors are all deeper
/// inside, so that the value itself has the right type.
fn meant<'e>(error: &'e ValidationError<'_>) -> Option<&'e [ValidationError<'static>]> {
    use ValidationErrorKind as K;
    let (K::AnyOf { context } | K::OneOfNotValid { context }) = error.kind() else {
        return None;
    };
    let here = error.instance_path().segments().count();
    let is_inside = |e: &ValidationError<'_>| e.instance_path().segments().count() > here;
    let mut meant = context
        .iter()
        .filter(|errors| !errors.is_empty() && errors.iter().all(is_inside));
    let only = meant.next()?;
    meant.next().is_none().then_some(&**only)
}

/// All allowed values, if every alternative lists its own.
fn listed<'c>(
    context: &'c [Vec<ValidationError<'static>>],
    here: &Location,
) -> Option<Vec<&'c Json>> {
    use ValidationErrorKind as K;
    let mut all = Vec::new();
    for errors in context {
        let own = errors.iter().find_map(|error| match error.kind() {
            _ if error.instance_path() != here => None,
            K::Enum { options } => Some(options.as_array()?.iter().collect::<Vec<&Json>>()),
            K::Constant { expected_value } => Some(vec![&**expected_value]),
            _ => None,
        });
        let own: Vec<&Json> = own?;
        all.extend(own);
    }
    Some(all)
}

/// Formats values as a list. A string gets no quotes of its own beside those of the list, unless it
/// could be mistaken for another value.
fn one_of(options: &[&Json], found: Node<'_>) -> String {
    let only_texts =
        found.kind() == Kind::String && options.iter().all(|option| option.is_string());
    let is_plain = |text: &&str| only_texts || serde_json::from_str::<Json>(text).is_err();
    let words = options
        .iter()
        .map(|option| match option.as_str().filter(is_plain) {
            Some(text) => text.to_owned(),
            None => option.to_string(),
        });
    let words: Vec<String> = words.collect();
    list(words.iter().map(|word| &**word))
}

/// Explains that no alternative matches, by the one that comes closest.
fn none_of(
    error: &ValidationError<'_>,
    context: &[Vec<ValidationError<'static>>],
    root: Node<'_>,
) -> String {
    let node = locate(root, error.instance_path());
    if let Some(options) = listed(context, error.instance_path()) {
        let options = one_of(&options, node);
        return format!("expected one of {options}, found {}", describe(node));
    }
    let depth = |errors: &[ValidationError<'_>]| {
        errors
            .iter()
            .map(|e| e.instance_path().segments().count())
            .max()
            .unwrap_or(0)
    };
    let is_type = |errors: &[ValidationError<'_>]| {
        errors.iter().any(|e| {
            matches!(e.kind(), ValidationErrorKind::Type { .. }) && e.instance_path().is_empty()
        })
    };
    let nearest = context
        .iter()
        .filter(|errors| !errors.is_empty())
        .min_by_key(|errors| {
            (
                is_type(errors),
                std::cmp::Reverse(depth(errors)),
                errors.len(),
            )
        });
    let why = nearest.and_then(|errors| errors.first()).map(|error| {
        let path = pointer(error.instance_path());
        let place = if path.is_root() {
            String::new()
        } else {
            format!("at {path} ")
        };
        format!("; the nearest says: {place}{}", explain(error, root))
    });
    format!(
        "expected one of {} alternatives, found {}, which matches none{}",
        context.len(),
        describe(node),
        why.unwrap_or_default()
    )
}

fn types(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(one) => format!("the type {one}"),
        TypeKind::Multiple(several) => {
            let names: Vec<String> = several.iter().map(|t| t.to_string()).collect();
            format!("one of the types {}", list(names.iter().map(|n| &**n)))
        }
    }
}

fn advise(error: &ValidationError<'_>, node: Node<'_>, finding: &mut Finding) {
    if let (ValidationErrorKind::Enum { options }, Some(found)) = (error.kind(), node.as_str()) {
        let options = options
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|o| o.as_str());
        finding.did_you_mean(nearest(&found, options));
    }
}

fn rule(kind: &ValidationErrorKind) -> &'static Rule {
    use ValidationErrorKind as K;
    match kind {
        K::Type { .. } => &rules::TYPE,
        K::Required { .. } => &rules::MISSING_KEY,
        K::AdditionalProperties { .. } | K::UnevaluatedProperties { .. } => &rules::UNKNOWN_KEY,
        K::Enum { .. } | K::Constant { .. } => &rules::ENUM,
        K::Minimum { .. }
        | K::Maximum { .. }
        | K::ExclusiveMinimum { .. }
        | K::ExclusiveMaximum { .. }
        | K::MultipleOf { .. } => &rules::RANGE,
        K::MinLength { .. }
        | K::MaxLength { .. }
        | K::MinItems { .. }
        | K::MaxItems { .. }
        | K::MinProperties { .. }
        | K::MaxProperties { .. } => &rules::SIZE,
        K::Pattern { .. } | K::Format { .. } => &rules::FORMAT,
        K::AnyOf { .. } | K::OneOfNotValid { .. } | K::OneOfMultipleValid { .. } => {
            &rules::ALTERNATIVES
        }
        K::Custom { keyword, .. } => match large::stands_for(keyword) {
            Some(Keyword::Const | Keyword::Enum) => &rules::ENUM,
            Some(_) => &rules::RANGE,
            None => &rules::OTHER,
        },
        _ => &rules::OTHER,
    }
}
