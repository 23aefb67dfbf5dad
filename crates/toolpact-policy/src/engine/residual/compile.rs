//! Conditions from policies that Cedar has evaluated as far as it could without a call.

use std::borrow::Cow;

use cedar_policy::Policy;
use cedar_policy::pst::{BinaryOp, Clause, Expr, Literal, PatternElem, UnaryOp, Var};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::super::context::{CedarValue, TIME};
use super::super::number;
use super::condition::{Calculation, Comparison, Condition, Pattern};
use crate::shape::Shape;

/// Deeper expressions are left to Cedar, so that nothing here can exhaust the stack.
const DEEPEST: usize = 100;

/// The condition of what is left of a policy.
pub(super) fn condition(policy: &Policy, context: &Shape) -> Condition {
    let Ok(policy) = policy.to_pst() else {
        return Condition::AskCedar;
    };
    let compiler = Compiler { context };
    let clauses = policy.body().clauses().iter();
    let conditions = clauses.map(|clause| match clause {
        Clause::When(condition) => compiler.compile(condition, DEEPEST),
        Clause::Unless(condition) => Condition::Not(Box::new(compiler.compile(condition, DEEPEST))),
    });
    let all = conditions.reduce(|left, right| Condition::And(Box::new([left, right])));
    all.unwrap_or(Condition::ALWAYS)
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
    fn compile(&self, expression: &Expr, depth: usize) -> Condition {
        let Some(depth) = depth.checked_sub(1) else {
            return Condition::AskCedar;
        };
        match expression {
            Expr::Literal(literal) => constant(literal),
            Expr::GetAttr { .. } => self.attribute(expression),
            Expr::HasAttr { expr, attrs } => self.has(expr, attrs.iter().map(|attr| attr.as_str())),
            Expr::UnaryOp { op, expr } => self.unary(*op, expr, depth),
            Expr::BinaryOp { op, left, right } => {
                let both = Box::new([self.compile(left, depth), self.compile(right, depth)]);
                binary(*op, both)
            }
            Expr::Like { expr, pattern } => {
                Condition::Like(Box::new(self.compile(expr, depth)), Pattern::new(pattern))
            }
            Expr::IfThenElse {
                cond,
                then_expr,
                else_expr,
            } => {
                let all = [cond, then_expr, else_expr];
                Condition::If(Box::new(all.map(|one| self.compile(one, depth))))
            }
            Expr::Set(values) => {
                let values = values.iter().map(|value| self.constant(value, depth));
                let values: Option<Vec<_>> = values.collect();
                values.map_or(Condition::AskCedar, |values| {
                    Condition::Constant(CedarValue::Set(values))
                })
            }
            _ => Condition::AskCedar,
        }
    }

    fn constant(&self, expression: &Expr, depth: usize) -> Option<CedarValue<'static>> {
        match self.compile(expression, depth) {
            Condition::Constant(value) => Some(value),
            _ => None,
        }
    }

    fn unary(&self, op: UnaryOp, inner: &Expr, depth: usize) -> Condition {
        let literal = match inner {
            Expr::Literal(Literal::String(text)) => Some(text.as_str()),
            _ => None,
        };
        let inner = || Box::new(self.compile(inner, depth));
        let value = match op {
            UnaryOp::Not => return Condition::Not(inner()),
            UnaryOp::IsEmpty => return Condition::IsEmpty(inner()),
            UnaryOp::Neg => {
                let zero = Condition::Constant(CedarValue::Long(0));
                let both = Box::new([zero, *inner()]);
                return Condition::Calculate(Calculation::Subtract, both);
            }
            UnaryOp::Decimal => literal
                .and_then(number::decimal_literal)
                .map(CedarValue::Decimal),
            UnaryOp::Datetime => literal.and_then(time).map(CedarValue::Time),
            _ => None,
        };
        value.map_or(Condition::AskCedar, Condition::Constant)
    }

    fn attribute(&self, expression: &Expr) -> Condition {
        let part = self.part(expression);
        part.map_or(Condition::AskCedar, |part| {
            Condition::Attribute(part.places.into())
        })
    }

    fn has<'a>(&self, record: &Expr, names: impl Iterator<Item = &'a str>) -> Condition {
        let Some(mut part) = self.part(record) else {
            return Condition::AskCedar;
        };
        let known = part.places.len();
        for name in names {
            let Shape::Record(_) = part.shape else {
                return Condition::AskCedar;
            };
            // What policies use is in the shape, or in no call.
            let Some(member) = part.member(name) else {
                part.places.truncate(known);
                return Condition::Lacks(part.places.into());
            };
            part = member;
        }
        Condition::Has {
            places: part.places.into(),
            known,
        }
    }

    fn part(&self, expression: &Expr) -> Option<Part<'s>> {
        match expression {
            Expr::Var(Var::Context) => Some(self.whole()),
            Expr::Unknown { name } if name == "context" => Some(self.whole()),
            Expr::GetAttr { expr, attr } => self.part(expr)?.member(attr),
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

fn binary(op: BinaryOp, both: Box<[Condition; 2]>) -> Condition {
    let swapped = |both: Box<[Condition; 2]>| {
        let [left, right] = *both;
        Box::new([right, left])
    };
    let compare = |comparison| move |both| Condition::Compare(comparison, both);
    match op {
        BinaryOp::And => Condition::And(both),
        BinaryOp::Or => Condition::Or(both),
        BinaryOp::Eq => compare(Comparison::Equal)(both),
        BinaryOp::NotEq => Condition::Not(Box::new(compare(Comparison::Equal)(both))),
        BinaryOp::Less => compare(Comparison::Less)(both),
        BinaryOp::LessEq => compare(Comparison::LessOrEqual)(both),
        BinaryOp::Greater => compare(Comparison::Less)(swapped(both)),
        BinaryOp::GreaterEq => compare(Comparison::LessOrEqual)(swapped(both)),
        BinaryOp::DecimalLessThan => compare(Comparison::DecimalLess)(both),
        BinaryOp::DecimalLessEq => compare(Comparison::DecimalLessOrEqual)(both),
        BinaryOp::DecimalGreater => compare(Comparison::DecimalLess)(swapped(both)),
        BinaryOp::DecimalGreaterEq => compare(Comparison::DecimalLessOrEqual)(swapped(both)),
        BinaryOp::Contains => compare(Comparison::Contains)(both),
        BinaryOp::ContainsAll => compare(Comparison::ContainsAll)(both),
        BinaryOp::ContainsAny => compare(Comparison::ContainsAny)(both),
        BinaryOp::Add => Condition::Calculate(Calculation::Add, both),
        BinaryOp::Sub => Condition::Calculate(Calculation::Subtract, both),
        BinaryOp::Mul => Condition::Calculate(Calculation::Multiply, both),
        _ => Condition::AskCedar,
    }
}

fn constant(literal: &Literal) -> Condition {
    Condition::Constant(match literal {
        Literal::Bool(value) => CedarValue::Bool(*value),
        Literal::Long(value) => CedarValue::Long(*value),
        Literal::String(text) => CedarValue::Text(Cow::Owned(text.to_string())),
        _ => return Condition::AskCedar,
    })
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
    fn new(elements: &[PatternElem]) -> Self {
        let texts = elements.split(|element| *element == PatternElem::Wildcard);
        let chars = |text: &[PatternElem]| {
            text.iter()
                .filter_map(|element| match element {
                    PatternElem::Char(c) => Some(*c),
                    PatternElem::Wildcard => None,
                })
                .collect()
        };
        Self(texts.map(chars).collect())
    }
}
