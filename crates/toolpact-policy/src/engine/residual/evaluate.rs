//! Evaluates conditions as Cedar does. What fails is `None`, and then Cedar is asked, which says what is wrong.

use std::borrow::Cow;

use super::super::context::CedarValue;
use super::condition::{Calculation, Comparison, Condition, Pattern};

/// Sets are compared element by element as long as that is little work.
const MOST_COMPARISONS: usize = 1 << 12;

type Found<'v> = Option<Cow<'v, CedarValue<'v>>>;

impl Condition {
    /// Whether it holds for a call with this context.
    pub(super) fn holds(&self, context: &CedarValue<'_>) -> Option<bool> {
        Some(match self {
            Self::Not(inner) => !inner.holds(context)?,
            Self::And(both) => {
                let [left, right] = &**both;
                left.holds(context)? && right.holds(context)?
            }
            Self::Or(both) => {
                let [left, right] = &**both;
                left.holds(context)? || right.holds(context)?
            }
            Self::If(all) => branch(all, context)?.holds(context)?,
            Self::Compare(comparison, both) => {
                let [left, right] = &**both;
                let (left, right) = (left.value(context)?, right.value(context)?);
                comparison.holds(&left, &right)?
            }
            Self::IsEmpty(inner) => inner.value(context)?.as_set()?.is_empty(),
            Self::Like(inner, pattern) => match &*inner.value(context)? {
                CedarValue::Text(text) => pattern.matches(text),
                _ => return None,
            },
            Self::Has { places, known } => has(context, places, *known)?,
            Self::Lacks(places) => {
                at(context, places)?;
                false
            }
            Self::Constant(CedarValue::Bool(value)) => *value,
            Self::Attribute(places) => match at(context, places)? {
                CedarValue::Bool(value) => *value,
                _ => return None,
            },
            Self::Constant(_) | Self::Calculate(..) | Self::AskCedar => return None,
        })
    }

    fn value<'v>(&'v self, context: &'v CedarValue<'v>) -> Found<'v> {
        match self {
            Self::Constant(value) => Some(Cow::Borrowed(value)),
            Self::Attribute(places) => at(context, places).map(Cow::Borrowed),
            Self::If(all) => branch(all, context)?.value(context),
            Self::Calculate(calculation, both) => {
                let [left, right] = &**both;
                let (left, right) = (left.value(context)?, right.value(context)?);
                let (CedarValue::Long(left), CedarValue::Long(right)) = (&*left, &*right) else {
                    return None;
                };
                let result = match calculation {
                    Calculation::Add => left.checked_add(*right)?,
                    Calculation::Subtract => left.checked_sub(*right)?,
                    Calculation::Multiply => left.checked_mul(*right)?,
                };
                Some(Cow::Owned(CedarValue::Long(result)))
            }
            truth => Some(Cow::Owned(CedarValue::Bool(truth.holds(context)?))),
        }
    }
}

fn branch<'c>(
    [test, then, otherwise]: &'c [Condition; 3],
    context: &CedarValue<'_>,
) -> Option<&'c Condition> {
    Some(if test.holds(context)? {
        then
    } else {
        otherwise
    })
}

/// What is at these places.
fn at<'v>(context: &'v CedarValue<'v>, places: &[usize]) -> Option<&'v CedarValue<'v>> {
    let mut value = context;
    for place in places {
        let CedarValue::Record(members) = value else {
            return None;
        };
        value = members.get(*place)?.as_ref()?;
    }
    Some(value)
}

fn has(context: &CedarValue<'_>, places: &[usize], known: usize) -> Option<bool> {
    let (known, asked) = places.split_at_checked(known)?;
    let value = at(context, known)?;
    Some(at(value, asked).is_some())
}

impl Comparison {
    fn holds(self, left: &CedarValue<'_>, right: &CedarValue<'_>) -> Option<bool> {
        use CedarValue::{Decimal, Long, Time};
        Some(match (self, left, right) {
            (Self::Equal, left, right) => left.equals(right)?,
            (Self::Less, Long(left), Long(right))
            | (Self::Less, Time(left), Time(right))
            | (Self::DecimalLess, Decimal(left), Decimal(right)) => left < right,
            (Self::LessOrEqual, Long(left), Long(right))
            | (Self::LessOrEqual, Time(left), Time(right))
            | (Self::DecimalLessOrEqual, Decimal(left), Decimal(right)) => left <= right,
            (Self::Contains, left, right) => contains(left.as_set()?, right)?,
            (Self::ContainsAll, left, right) => includes(left.as_set()?, right.as_set()?)?,
            (Self::ContainsAny, left, right) => overlaps(left.as_set()?, right.as_set()?)?,
            _ => return None,
        })
    }
}

impl CedarValue<'_> {
    fn as_set(&self) -> Option<&[CedarValue<'_>]> {
        match self {
            CedarValue::Set(values) => Some(values),
            _ => None,
        }
    }

    /// Values of different types are not equal.
    fn equals(&self, other: &CedarValue<'_>) -> Option<bool> {
        use CedarValue::{Bool, Decimal, Long, Record, Set, Text, Time};
        Some(match (self, other) {
            (Bool(one), Bool(another)) => one == another,
            (Long(one), Long(another))
            | (Decimal(one), Decimal(another))
            | (Time(one), Time(another)) => one == another,
            (Text(one), Text(another)) => one == another,
            (Set(one), Set(another)) => includes(one, another)? && includes(another, one)?,
            // Which fields they have is not known here.
            (Record(_), _) | (_, Record(_)) => return None,
            _ => false,
        })
    }
}

fn contains(set: &[CedarValue<'_>], value: &CedarValue<'_>) -> Option<bool> {
    // Sets of sets could be much work.
    if matches!(value, CedarValue::Set(_) | CedarValue::Record(_)) {
        return None;
    }
    for one in set {
        if one.equals(value)? {
            return Some(true);
        }
    }
    Some(false)
}

fn includes(set: &[CedarValue<'_>], part: &[CedarValue<'_>]) -> Option<bool> {
    is_little(set, part)?;
    for one in part {
        if !contains(set, one)? {
            return Some(false);
        }
    }
    Some(true)
}

fn overlaps(set: &[CedarValue<'_>], other: &[CedarValue<'_>]) -> Option<bool> {
    is_little(set, other)?;
    for one in other {
        if contains(set, one)? {
            return Some(true);
        }
    }
    Some(false)
}

fn is_little(one: &[CedarValue<'_>], other: &[CedarValue<'_>]) -> Option<()> {
    (one.len().saturating_mul(other.len()) <= MOST_COMPARISONS).then_some(())
}

impl Pattern {
    fn matches(&self, text: &str) -> bool {
        let (first, middle, last) = match self.0.as_slice() {
            [] => return text.is_empty(),
            [only] => return text == only,
            [first, middle @ .., last] => (first, middle, last),
        };
        let rest = text.strip_prefix(first.as_str());
        let Some(mut rest) = rest.and_then(|rest| rest.strip_suffix(last.as_str())) else {
            return false;
        };
        // Each at the first place where it is: what comes later has the most room then.
        middle.iter().all(|part| {
            let found = rest.split_once(part.as_str());
            found.is_some_and(|(_, after)| {
                rest = after;
                true
            })
        })
    }
}
