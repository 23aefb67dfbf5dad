//! Conditions from policies that Cedar has evaluated as far as it could without a call.

use std::borrow::Cow;

use cedar_policy::Policy;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::Value as Json;

use super::super::context::{CedarValue, TIME};
use super::super::number;
use super::condition::{Calculation, Comparison, Condition, Pattern};
use crate::shape::Shape;

/// Deeper expressions are left to Cedar, so that nothing here can exhaust the stack.
const DEEPEST: usize = 50;

/// The condition of what is left of a policy.
pub(super) fn condition(policy: &Policy, context: &Shape) -> Condition {
    let Ok(policy) = policy.to_json() else {
        return Condition::AskCedar;
    };
    let compiler = Compiler { context };
    let clauses = policy.get("conditions").and_then(Json::as_array);
    let conditions = clauses.into_iter().flatten().map(|clause| {
        let body = clause.get("body");
        let condition = body.map(|body| compiler.compile(body, DEEPEST));
        match (clause.get("kind").and_then(Json::as_str), condition) {
            (Some("when"), Some(condition)) => condition,
            (Some("unless"), Some(condition)) => Condition::Not(Box::new(condition)),
            _ => Condition::AskCedar,
        }
    });
    let all = conditions.reduce(|left, right| Condition::And(Box::new([left, right])));
    all.unwrap_or(Condition::AskCedar)
}

struct Compiler<'s> {
    context: &'s Shape,
}

/// A part of the context.
struct Part<'s> {
    places: Vec<usize>,
    shape: &'s Shape,
}

impl<'s> Compiler<'s> {
    /// An expression as Cedar writes it in JSON: an object with one member, which is named after what it does.
    fn compile(&self, expression: &Json, depth: usize) -> Condition {
        let depth = depth.checked_sub(1);
        let made = depth.and_then(|depth| self.of_kind(expression, depth));
        made.unwrap_or(Condition::AskCedar)
    }

    fn of_kind(&self, expression: &Json, depth: usize) -> Option<Condition> {
        let (kind, inside) = expression.as_object()?.iter().next()?;
        let arg = |name| inside.get(name).map(|arg| self.compile(arg, depth));
        let boxed = |name| arg(name).map(Box::new);
        let both = || Some(Box::new([arg("left")?, arg("right")?]));
        Some(match kind.as_str() {
            "Value" => Condition::Constant(constant(inside)?),
            "." => Condition::Attribute(self.part(expression)?.places.into()),
            "has" => self.has(inside)?,
            "!" => Condition::Not(boxed("arg")?),
            "neg" => {
                let zero = Condition::Constant(CedarValue::Long(0));
                Condition::Calculate(Calculation::Subtract, Box::new([zero, arg("arg")?]))
            }
            "isEmpty" => Condition::IsEmpty(boxed("arg")?),
            "&&" => Condition::And(both()?),
            "||" => Condition::Or(both()?),
            "!=" => Condition::Not(Box::new(Condition::Compare(Comparison::Equal, both()?))),
            "if-then-else" => Condition::If(Box::new([arg("if")?, arg("then")?, arg("else")?])),
            "like" => Condition::Like(boxed("left")?, Pattern::of(inside.get("pattern")?)?),
            "Set" => {
                let values = inside.as_array()?.iter();
                let values = values.map(|value| match self.compile(value, depth) {
                    Condition::Constant(value) => Some(value),
                    _ => None,
                });
                Condition::Constant(CedarValue::Set(values.collect::<Option<_>>()?))
            }
            "decimal" => {
                let literal = literal(inside).and_then(number::decimal_literal)?;
                Condition::Constant(CedarValue::Decimal(literal))
            }
            "datetime" => Condition::Constant(CedarValue::Time(literal(inside).and_then(time)?)),
            _ => match (calculation(kind), comparison(kind)) {
                (Some(calculation), _) => Condition::Calculate(calculation, both()?),
                (None, Some((comparison, is_swapped))) => {
                    let [left, right] = match inside.as_array().map(Vec::as_slice) {
                        // A method of a decimal.
                        Some([left, right]) => [left, right].map(|arg| self.compile(arg, depth)),
                        _ => *both()?,
                    };
                    let both = match is_swapped {
                        true => [right, left],
                        false => [left, right],
                    };
                    Condition::Compare(comparison, Box::new(both))
                }
                (None, None) => return None,
            },
        })
    }

    /// Whether a record has an attribute, or one in one in one.
    fn has(&self, test: &Json) -> Option<Condition> {
        let mut part = self.part(test.get("left")?)?;
        let known = part.places.len();
        let names: Option<Vec<&str>> = match test.get("attr")? {
            Json::Array(names) => names.iter().map(Json::as_str).collect(),
            name => name.as_str().map(|name| vec![name]),
        };
        for name in names? {
            let Shape::Record(_) = part.shape else {
                return None;
            };
            // What policies use is in the shape, or in no call.
            let Some(member) = part.member(name) else {
                part.places.truncate(known);
                return Some(Condition::Lacks(part.places.into()));
            };
            part = member;
        }
        Some(Condition::Has {
            places: part.places.into(),
            known,
        })
    }

    fn part(&self, expression: &Json) -> Option<Part<'s>> {
        let (kind, inside) = expression.as_object()?.iter().next()?;
        match kind.as_str() {
            "Var" if inside == "context" => Some(self.whole()),
            // What Cedar leaves of it if there is no call.
            "unknown" if literal(inside) == Some("context") => Some(self.whole()),
            "." => self
                .part(inside.get("left")?)?
                .member(inside.get("attr")?.as_str()?),
            _ => None,
        }
    }

    fn whole(&self) -> Part<'s> {
        Part {
            places: Vec::new(),
            shape: self.context,
        }
    }
}

impl<'s> Part<'s> {
    fn member(&self, name: &str) -> Option<Part<'s>> {
        let Shape::Record(fields) = self.shape else {
            return None;
        };
        let mut members = fields.iter().enumerate();
        let (place, (_, field)) = members.find(|(_, (field, _))| *field == name)?;
        let mut places = self.places.clone();
        places.push(place);
        Some(Part {
            places,
            shape: &field.shape,
        })
    }
}

fn calculation(operator: &str) -> Option<Calculation> {
    Some(match operator {
        "+" => Calculation::Add,
        "-" => Calculation::Subtract,
        "*" => Calculation::Multiply,
        _ => return None,
    })
}

/// The comparison of an operator, and whether its sides are swapped.
fn comparison(operator: &str) -> Option<(Comparison, bool)> {
    Some(match operator {
        "==" => (Comparison::Equal, false),
        "<" => (Comparison::Less, false),
        "<=" => (Comparison::LessOrEqual, false),
        ">" => (Comparison::Less, true),
        ">=" => (Comparison::LessOrEqual, true),
        "lessThan" => (Comparison::DecimalLess, false),
        "lessThanOrEqual" => (Comparison::DecimalLessOrEqual, false),
        "greaterThan" => (Comparison::DecimalLess, true),
        "greaterThanOrEqual" => (Comparison::DecimalLessOrEqual, true),
        "contains" => (Comparison::Contains, false),
        "containsAll" => (Comparison::ContainsAll, false),
        "containsAny" => (Comparison::ContainsAny, false),
        _ => return None,
    })
}

fn constant(value: &Json) -> Option<CedarValue<'static>> {
    Some(match value {
        Json::Bool(value) => CedarValue::Bool(*value),
        Json::Number(value) => CedarValue::Long(value.as_i64()?),
        Json::String(text) => CedarValue::Text(Cow::Owned(text.clone())),
        Json::Array(values) => {
            let values = values.iter().map(constant);
            CedarValue::Set(values.collect::<Option<_>>()?)
        }
        // Entities, records and the like.
        _ => return None,
    })
}

/// The text that a function of Cedar is called with, if it is one text.
fn literal(args: &Json) -> Option<&str> {
    match args.as_array()?.as_slice() {
        [arg] => arg.get("Value")?.as_str(),
        _ => None,
    }
}

/// A day, or a time in UTC, as Cedar writes them. Other spellings are left to Cedar.
fn time(text: &str) -> Option<i64> {
    if let Ok(date) = text.parse::<Date>() {
        let start = date.to_zoned(TimeZone::UTC).ok()?.timestamp();
        return (date.to_string() == text).then(|| start.as_millisecond());
    }
    let time: Timestamp = text.parse().ok()?;
    let is_written = |format| time.strftime(format).to_string() == text;
    (is_written(TIME) || is_written("%Y-%m-%dT%H:%M:%SZ")).then(|| time.as_millisecond())
}

impl Pattern {
    fn of(elements: &Json) -> Option<Self> {
        let mut texts = vec![String::new()];
        for element in elements.as_array()? {
            match (element.as_str(), texts.last_mut()) {
                (Some("Wildcard"), _) => texts.push(String::new()),
                (_, Some(text)) => text.push_str(element.get("Literal")?.as_str()?),
                (_, None) => return None,
            }
        }
        Some(Self(texts))
    }
}
