use std::str::FromStr;

use jiff::Timestamp;
use toolpact::observe::LoggedCall;

use crate::Entry;

/// Which lines of an audit somebody wants to see.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Filter {
    /// Calls of this principal only: `ada`, `ada@acme`, or `anonymous`.
    pub principal: Option<String>,
    /// Calls by this name only, in which `*` stands for anything.
    pub tool: Option<String>,
    /// Only those that failed, as a whole or in part.
    pub failed: bool,
    /// Only what happened since then.
    pub since: Option<Since>,
}

/// A time: `2026-11-18T12:30:00Z`, a day of UTC such as `2026-11-18`, or how long ago, such as `90s`, `15m`, `2h` or
/// `7d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Since(Timestamp);

impl Filter {
    /// Whether a line is wanted. Events are, unless only some calls are.
    #[must_use]
    pub fn wants(&self, entry: &Entry) -> bool {
        let time = match entry {
            Entry::Call(call) => &call.time,
            Entry::Event { time, .. } => time,
        };
        let is_late = |since: Since| time.parse::<Timestamp>().is_ok_and(|time| time >= since.0);
        let wants_all = self.principal.is_none() && self.tool.is_none() && !self.failed;
        self.since.is_none_or(is_late)
            && match entry {
                Entry::Call(call) => self.wants_call(call),
                Entry::Event { .. } => wants_all,
            }
    }

    fn wants_call(&self, call: &LoggedCall) -> bool {
        let is_of = |wanted: &String| match &call.principal {
            Some(principal) => principal.name == *wanted || principal.to_string() == *wanted,
            None => wanted == "anonymous",
        };
        self.principal.as_ref().is_none_or(is_of)
            && self
                .tool
                .as_ref()
                .is_none_or(|tool| matches(tool, &call.tool))
            && (!self.failed || has_failed(call))
    }
}

/// Whether a call failed, as a whole or in part, or tells of work that did.
#[must_use]
pub fn has_failed(call: &LoggedCall) -> bool {
    !["SUCCESS", "PENDING", "ASKED"].contains(&&*call.outcome)
}

/// Whether a name is one that a pattern stands for.
fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(rest) = name.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    let rest = middle.iter().try_fold(rest, |rest, part| {
        rest.find(part).and_then(|at| rest.get(at + part.len()..))
    });
    rest.is_some_and(|rest| rest.ends_with(last))
}

impl FromStr for Since {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let day = || format!("{text}T00:00:00Z").parse();
        if let Ok(time) = text.parse().or_else(|_: jiff::Error| day()) {
            return Ok(Self(time));
        }
        let wrong = || {
            format!(
                "expected a time such as 2026-11-18T12:30:00Z, a day such as 2026-11-18, or how long ago, such as \
                 15m, 2h or 7d, found `{text}`"
            )
        };
        let units = [('s', 1), ('m', 60), ('h', 3600), ('d', 86_400)];
        let ago = units.into_iter().find_map(|(unit, seconds)| {
            let number: i64 = text.strip_suffix(unit)?.parse().ok()?;
            number.checked_mul(seconds).filter(|ago| *ago >= 0)
        });
        let now = Timestamp::now().as_second();
        let then = ago.and_then(|ago| Timestamp::from_second(now.checked_sub(ago)?).ok());
        then.map(Self).ok_or_else(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::{Since, matches};

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, name) in [
            ("echo", "echo"),
            ("*", "echo"),
            ("shop__*", "shop__get"),
            ("*get", "shop__get"),
            ("s*p__*t", "shop__get"),
            ("*__*", "shop__get"),
        ] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("echo", "echoes"),
            ("ech", "echo"),
            ("shop__*", "shop"),
            ("*get", "get_it"),
            ("a*a", "a"),
            ("", "echo"),
        ] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn times_as_people_write_them() {
        let second = |text: &str| text.parse::<Since>().map(|since| since.0.as_second());
        assert_eq!(second("2026-11-18T12:30:00Z"), Ok(1_795_005_000));
        assert_eq!(second("2026-11-18"), Ok(1_794_960_000));
        let now = second("0s").unwrap();
        assert!((second("2h").unwrap() - (now - 7200)).abs() <= 1);
        for wrong in [
            "",
            "h",
            "-1h",
            "2 weeks",
            "99999999999999999999d",
            "9223372036854775807d",
        ] {
            assert!(
                second(wrong).unwrap_err().contains("expected a time"),
                "{wrong}"
            );
        }
    }
}
