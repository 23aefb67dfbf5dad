use std::borrow::Borrow;
use std::fmt;

use crate::Violations;
use crate::json::report::{Finding, Place, Report};
use crate::json::{Node, Value};
use crate::text::shorten;
use crate::violation::Pointer;
use crate::violation::rules::declaration as rules;

/// The name of a function: `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`, to the last byte.
///
/// ```
/// use toolpact_core::model::ToolName;
///
/// assert!(ToolName::new("get_weather").is_ok());
/// assert!(ToolName::new("get weather").is_err());
/// assert!(ToolName::new("get_weather\n").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ToolName(Box<str>);

const LONGEST: usize = 64;

impl ToolName {
    /// The name, if it is one.
    pub fn new(name: &str) -> Result<Self, Violations> {
        if problem(name).is_none() {
            return Ok(Self(name.into()));
        }
        let value = Value::from(name);
        let mut report = Report::new(1);
        Self::read(value.root(), &mut report)
            .ok_or_else(|| report.finish_value(&value, &Pointer::root()))
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Reads a name from the value of the field `name`.
    pub(crate) fn read(node: Node<'_>, report: &mut Report) -> Option<Self> {
        Self::read_or(node, report, suggest)
    }

    /// The same for the name of one of these functions: no other is suggested.
    pub(crate) fn read_one_of<'a>(
        node: Node<'_>,
        names: impl Iterator<Item = &'a str>,
        report: &mut Report,
    ) -> Option<Self> {
        Self::read_or(node, report, |finding, name| {
            finding.did_you_mean_one_of(name, names);
        })
    }

    fn read_or(
        node: Node<'_>,
        report: &mut Report,
        suggest: impl FnOnce(&mut Finding, &str),
    ) -> Option<Self> {
        let name = super::fields::string(node, "name", report)?;
        let Some(problem) = problem(&name) else {
            return Some(Self(name.into()));
        };
        report.add(&rules::NAME_PATTERN, Place::Node(node.id()), |finding| {
            finding.say(format!(
                "expected a function name of letters, digits, `_` and `-`, found `{}`, which {problem}",
                shorten(&name)
            ));
            suggest(finding, &name);
        });
        None
    }
}

/// What is wrong with a name.
fn problem(name: &str) -> Option<String> {
    let Some(first) = name.chars().next() else {
        return Some("is empty".to_owned());
    };
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if let Some(bad) = name.chars().find(|c| !allowed(*c)) {
        return Some(format!("contains {}", name_of(bad)));
    }
    if first.is_ascii_digit() || first == '-' {
        return Some(format!("begins with {}", name_of(first)));
    }
    let length = name.len();
    (length > LONGEST).then(|| format!("has {length} characters, more than {LONGEST}"))
}

fn name_of(c: char) -> String {
    match c {
        ' ' => "a space".to_owned(),
        '\n' => "a line break".to_owned(),
        c if c.is_control() => format!("the control character U+{:04X}", u32::from(c)),
        c => format!("`{c}`"),
    }
}

/// A name near to it that is allowed. Not a certain fix: callers use the name.
fn suggest(finding: &mut Finding, name: &str) {
    let safe = |c: char| {
        if c.is_ascii_alphanumeric() || c == '-' {
            c
        } else {
            '_'
        }
    };
    let mut better: String = name.trim().chars().take(LONGEST).map(safe).collect();
    if better.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        better.insert(0, '_');
        better.truncate(LONGEST);
    }
    if better.contains(|c: char| c.is_ascii_alphanumeric()) {
        finding.advise(format!("for example `{better}`"));
    }
}

impl AsRef<str> for ToolName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for ToolName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl PartialEq<str> for ToolName {
    fn eq(&self, other: &str) -> bool {
        &*self.0 == other
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::str::FromStr for ToolName {
    type Err = Violations;

    fn from_str(name: &str) -> Result<Self, Violations> {
        Self::new(name)
    }
}

impl TryFrom<String> for ToolName {
    type Error = Violations;

    fn try_from(name: String) -> Result<Self, Violations> {
        Self::new(&name)
    }
}

impl serde::Serialize for ToolName {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> serde::Deserialize<'de> for ToolName {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::new(&name).map_err(serde::de::Error::custom)
    }
}
