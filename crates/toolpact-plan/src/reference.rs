use std::fmt;

use toolpact_core::json::{Kind, Node};

use super::words::{count, did_you_mean, list, shorten};

/// What is read from the result of a step: `s1.data[0].id`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepReference {
    pub(super) step: Box<str>,
    pub(super) path: Vec<PathSegment>,
}

/// One segment of a path into a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PathSegment {
    /// `.name` or `["name"]`.
    Member(Box<str>),
    /// `[0]`.
    Element(usize),
    /// `.0`, which is an element of an array and a member of an object.
    Either(Box<str>, usize),
}

/// Where a path into a value ended, and why.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Missing {
    pub(super) expected: String,
    pub(super) found: String,
    pub(super) suggestion: Option<String>,
}

impl StepReference {
    /// The id of the step whose result is read.
    #[must_use]
    pub fn step(&self) -> &str {
        &self.step
    }

    /// Whether all of the result is read.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.path.is_empty()
    }

    /// What it leads to in the result of the step.
    pub(super) fn find<'v>(&self, result: Node<'v>) -> Result<Node<'v>, Missing> {
        let mut node = result;
        for (at, part) in self.path.iter().enumerate() {
            node = part.of(node).ok_or_else(|| {
                let mut missing = part.missing(node, &self.before(at));
                missing.suggestion = missing.suggestion.or_else(|| self.itself(at));
                missing
            })?;
        }
        Ok(node)
    }

    /// What to say if part number `at` is a word that models put between a step and its result.
    pub(super) fn itself(&self, at: usize) -> Option<String> {
        let word = self.path.get(at).filter(|_| at == 0)?.key()?;
        let is_between = matches!(word, "output" | "response" | "result" | "results" | "value");
        is_between.then(|| format!("`{{{{{}}}}}` is the result itself", self.step))
    }

    /// The reference up to its part number `at`: `s1.data`.
    pub(super) fn before(&self, at: usize) -> String {
        let mut out = self.step.to_string();
        for part in self.path.iter().take(at) {
            out.push_str(&part.to_string());
        }
        shorten(&out)
    }
}

impl PathSegment {
    fn of<'v>(&self, node: Node<'v>) -> Option<Node<'v>> {
        match (self, node.kind()) {
            (PathSegment::Member(key) | PathSegment::Either(key, _), Kind::Object) => node.get(key),
            (PathSegment::Element(index) | PathSegment::Either(_, index), Kind::Array) => {
                node.items().nth(*index)
            }
            _ => None,
        }
    }

    /// What to say where `node`, which is called `name`, has no such part.
    fn missing(&self, node: Node<'_>, name: &str) -> Missing {
        let mut suggestion = None;
        let found = match node.kind() {
            Kind::Object => {
                let keys: Vec<_> = node.members().map(|(key, _)| key).collect();
                let keys = || keys.iter().map(|key| &**key);
                suggestion = self.key().and_then(|key| did_you_mean(key, keys()));
                match keys().next() {
                    None => "an empty object".to_owned(),
                    Some(_) => format!("an object with {}", list(keys())),
                }
            }
            Kind::Array => {
                let found = node.items().count();
                if let (PathSegment::Member(_), 1..) = (self, found) {
                    suggestion = Some(format!("its first element is `{name}[0]`"));
                }
                format!("an array of {}", count(found, "element", "elements"))
            }
            kind => kind.to_string(),
        };
        Missing {
            expected: format!("{} in `{name}`", self.noun()),
            found,
            suggestion,
        }
    }

    /// The part in words: "the field `id`".
    pub(super) fn noun(&self) -> String {
        match self {
            PathSegment::Member(key) => format!("the field `{}`", shorten(key)),
            PathSegment::Element(index) | PathSegment::Either(_, index) => {
                format!("the element {index}")
            }
        }
    }

    pub(super) fn key(&self) -> Option<&str> {
        match self {
            PathSegment::Member(key) => Some(key),
            PathSegment::Element(_) | PathSegment::Either(..) => None,
        }
    }
}

/// As it is written: `.id`, `[0]`, `["odd key"]`.
impl fmt::Display for PathSegment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathSegment::Member(key) if is_dotted(key) => write!(f, ".{key}"),
            PathSegment::Member(key) => {
                let escaped = key.replace('\\', "\\\\").replace('"', "\\\"");
                write!(f, "[\"{escaped}\"]")
            }
            PathSegment::Element(index) => write!(f, "[{index}]"),
            PathSegment::Either(key, _) => write!(f, ".{key}"),
        }
    }
}

/// `{{s1.data[0].id}}`
impl fmt::Display for StepReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{{{}", self.step)?;
        for part in &self.path {
            part.fmt(f)?;
        }
        f.write_str("}}")
    }
}

/// "expected the field `x` in `s1`, found an object with `y`"
impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found {}", self.expected, self.found)?;
        match &self.suggestion {
            Some(suggestion) => write!(f, "; {suggestion}"),
            None => Ok(()),
        }
    }
}

/// Whether a key after a dot means that key and nothing else.
fn is_dotted(key: &str) -> bool {
    !key.is_empty() && key.chars().all(is_plain) && plain_index(key).is_none()
}

/// What the id of a step is made of.
pub(super) fn is_id(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

/// What a key after a dot is made of. Others are written in brackets and quotes.
pub(super) fn is_plain(c: char) -> bool {
    is_id(c) || matches!(c, '$' | '@' | ':' | '/')
}

/// A number as an index is written: no sign, no zeros before it.
pub(super) fn plain_index(word: &str) -> Option<usize> {
    let digits = word.bytes().all(|b| b.is_ascii_digit());
    let plain = digits && (word == "0" || !word.starts_with('0'));
    word.parse().ok().filter(|_| plain)
}
