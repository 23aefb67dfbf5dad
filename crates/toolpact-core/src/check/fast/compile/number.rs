use std::collections::BTreeSet;

use super::super::delegated::Delegated;
use super::super::number::{Floats, NumberRules, Unusual};
use super::constraints::Constraints;
use crate::json::Node as Json;
use crate::schema::Keyword;

/// Integers up to this are exact as 64-bit floats.
const EXACT: i64 = 1 << 53;
const EXACT_FLOAT: f64 = 9_007_199_254_740_992.0;

fn is_exact(integer: i64) -> bool {
    integer.unsigned_abs() <= EXACT.unsigned_abs()
}

/// The rules for a number; `None` if there are no constraints.
pub(super) fn rules(constraints: &Constraints<'_>) -> Option<NumberRules> {
    if constraints.numbers.is_empty() && constraints.values.is_empty() {
        return None;
    }
    let mut rules = NumberRules {
        min: i64::MIN,
        max: i64::MAX,
        step: None,
        values: allowed(constraints),
        floats: constraints.values.is_empty().then_some(Floats {
            min: (f64::NEG_INFINITY, false),
            max: (f64::INFINITY, false),
        }),
        only_delegated: false,
        unusual: Unusual::Delegated(Box::new(Delegated::new(&delegated(constraints)))),
    };
    for (keyword, value) in &constraints.numbers {
        // Other cases are left to the validator.
        if limit(&mut rules, *keyword, *value).is_none() {
            rules.only_delegated = true;
        }
    }
    rules.only_delegated |= rules.values.is_none() && !constraints.values.is_empty();
    Some(rules)
}

fn delegated(constraints: &Constraints<'_>) -> Vec<String> {
    let keywords = (constraints.numbers.iter())
        .map(|(keyword, value)| format!(r#"{{"{}":{}}}"#, keyword.name(), value.text()));
    let lists = constraints.values.iter().map(|(_, values)| {
        let texts: Vec<&str> = values.iter().map(|value| value.text()).collect();
        format!(r#"{{"enum":[{}]}}"#, texts.join(","))
    });
    keywords.chain(lists).collect()
}

/// The integers that are in all lists; `None` if there is no list, or if one has a number that is
/// not a plain integer.
fn allowed(constraints: &Constraints<'_>) -> Option<Box<[i64]>> {
    let mut lists = constraints.values.iter().map(|(_, values)| {
        let numbers = values.iter().filter_map(|value| value.as_number());
        let plain = |number: crate::json::Number<'_>| {
            let integer: i64 = number.text().parse().ok()?;
            is_exact(integer).then_some(integer)
        };
        numbers.map(plain).collect::<Option<BTreeSet<i64>>>()
    });
    let mut first = lists.next()??;
    for list in lists {
        let list = list?;
        first.retain(|value| list.contains(value));
    }
    Some(first.into_iter().collect())
}

/// Adds a keyword; `None` if its value is not simple.
fn limit(rules: &mut NumberRules, keyword: Keyword, value: Json<'_>) -> Option<()> {
    if keyword == Keyword::MultipleOf {
        let step = value
            .text()
            .parse()
            .ok()
            .filter(|step| (1..=EXACT).contains(step))?;
        // Numbers other than integers are rare here.
        rules.floats = None;
        return rules.step.replace(step).is_none().then_some(());
    }
    let (low, high, float) = bounds(value)?;
    if let Some(floats) = &mut rules.floats {
        match keyword {
            Keyword::Minimum => floats.raise(float, true),
            Keyword::ExclusiveMinimum => floats.raise(float, false),
            Keyword::Maximum => floats.lower(float, true),
            _ => floats.lower(float, false),
        }
    }
    match keyword {
        Keyword::Minimum => rules.min = rules.min.max(high),
        Keyword::ExclusiveMinimum => rules.min = rules.min.max(low.checked_add(1)?),
        Keyword::Maximum => rules.max = rules.max.min(low),
        _ => rules.max = rules.max.min(high.checked_sub(1)?),
    }
    Some(())
}

/// The nearest integers and the limit itself; `None` if they are not exact.
fn bounds(value: Json<'_>) -> Option<(i64, i64, f64)> {
    let number: serde_json::Number = serde_json::from_str(value.text()).ok()?;
    if let Some(integer) = number.as_i64().filter(|integer| is_exact(*integer)) {
        #[expect(clippy::cast_precision_loss, reason = "up to 2^53 there is none")]
        return Some((integer, integer, integer as f64));
    }
    // A larger integer would be a different number as a float.
    let float = number.as_f64().filter(|_| number.is_f64())?;
    if float.abs() > EXACT_FLOAT {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "both are whole and small")]
    Some((float.floor() as i64, float.ceil() as i64, float))
}

#[expect(clippy::float_cmp, reason = "limits are the same exactly or not")]
impl Floats {
    fn raise(&mut self, limit: f64, inclusive: bool) {
        if limit > self.min.0 {
            self.min = (limit, inclusive);
        } else if limit == self.min.0 {
            self.min.1 &= inclusive;
        }
    }

    fn lower(&mut self, limit: f64, inclusive: bool) {
        if limit < self.max.0 {
            self.max = (limit, inclusive);
        } else if limit == self.max.0 {
            self.max.1 &= inclusive;
        }
    }
}
