use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::index::{Entry, Index, Shape};
use super::pretty::pretty;
use super::read::read_owned;
use super::to_yaml::to_yaml;
use super::{Document, Kind, Limits, Node, Number, Whole, Writer, canonical};
use crate::Violations;

/// One JSON value, valid and exact. Cloning is cheap.
///
/// ```
/// use toolpact_core::json::Value;
///
/// let value = Value::from_json(r#"{"id": 9007199254740993, "tags": ["a", "b"]}"#)?;
/// assert_eq!(value.root().get("id").unwrap().text(), "9007199254740993");
/// assert_eq!(value, Value::from_json(r#"{"tags":["a","b"],"id":9007199254740993.0}"#)?);
///
/// let refused = Value::from_json(r#"{"a": 1, "a": 2}"#).unwrap_err();
/// assert_eq!(refused.iter().next().unwrap().code(), "json-duplicate-key");
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[derive(Clone)]
pub struct Value(pub(crate) Arc<Index>);

impl Value {
    /// Reads one JSON value from bytes or text, within the default [`Limits`].
    pub fn from_json(text: impl AsRef<[u8]>) -> Result<Self, Violations> {
        Self::from_json_within(text, &Limits::default())
    }

    /// Reads one JSON value within limits of your own.
    pub fn from_json_within(text: impl AsRef<[u8]>, limits: &Limits) -> Result<Self, Violations> {
        Document::json(text.as_ref(), limits).into_value()
    }

    /// Reads one JSON value, and keeps its text without copying it.
    pub fn from_text(text: String) -> Result<Self, Violations> {
        read_owned(text, &Limits::default()).into_value()
    }

    /// The root node of the value.
    #[must_use]
    pub fn root(&self) -> Node<'_> {
        Node::new(&self.0, 0)
    }

    /// What kind of value this is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.root().kind()
    }

    /// The JSON text, as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        self.root().text()
    }

    /// How many bytes of memory the value takes: its text, and an entry for each value and key.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.0.text.len() + size_of_val(&*self.0.entries)
    }

    /// The value pretty-printed over several lines. Numbers stay as they were written.
    ///
    /// ```
    /// use toolpact_core::json::Value;
    ///
    /// let value = Value::from_json(r#"{"tags":["a","b"],"page":{"size":1.50,"next":{}}}"#)?;
    /// assert_eq!(value.to_pretty(), r#"{
    ///   "tags": ["a", "b"],
    ///   "page": {
    ///     "size": 1.50,
    ///     "next": {}
    ///   }
    /// }"#);
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    #[must_use]
    pub fn to_pretty(&self) -> String {
        pretty(self)
    }

    /// The value as YAML, over several lines, for people to read and edit. Numbers stay as they were written.
    ///
    /// ```
    /// use toolpact_core::json::Value;
    ///
    /// let value = Value::from_json(r#"{"name":"find","tags":["a","no"],"page":{"size":1.50,"next":{}}}"#)?;
    /// assert_eq!(value.to_yaml(), "name: find\ntags: [a, \"no\"]\npage: { size: 1.50, next: {} }\n");
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    #[must_use]
    pub fn to_yaml(&self) -> String {
        to_yaml(self)
    }

    /// The canonical text, which is the same for all spellings of this value: RFC 8785, except that
    /// integers within 64 bits keep all their digits.
    #[must_use]
    pub fn to_canonical(&self) -> String {
        canonical(self.root())
    }

    /// Deserializes the value into any serde type.
    pub fn deserialize<T: serde::de::DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.text())
    }

    /// The same value with every number that is whole and within 64 bits spelled as an integer, for
    /// readers that do not accept `3.0` as one.
    ///
    /// ```
    /// use toolpact_core::json::Value;
    ///
    /// let value = Value::from_json(r#"{"a": [3.0, 1e3, 0.5]}"#)?;
    /// assert_eq!(value.with_integers().text(), r#"{"a": [3, 1000, 0.5]}"#);
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    #[must_use]
    pub fn with_integers(&self) -> Self {
        let (text, mut out, mut at) = (&*self.0.text, String::new(), 0);
        for entry in self.0.entries.iter().filter(|e| e.shape == Shape::Number) {
            let (start, end) = (entry.start as usize, entry.end as usize);
            if let Whole::Integer(integer) = Number::new(&text[start..end]).whole() {
                out.push_str(&text[at..start]);
                out.push_str(&integer.to_string());
                at = end;
            }
        }
        if at == 0 {
            return self.clone();
        }
        out.push_str(&text[at..]);
        Self::embedded(&out)
    }

    /// The value of JSON that was indexed while it was written.
    pub(crate) fn indexed(text: Box<str>, entries: Vec<Entry>) -> Self {
        Self(Arc::new(Index { text, entries }))
    }

    /// The value of JSON that this crate wrote itself, so no limits on depth or size apply.
    pub(crate) fn trusted(writer: Writer) -> Self {
        let limits = Limits::default().depth(usize::MAX).bytes(usize::MAX);
        // Valid by construction; if it ever were not, the index would be empty and read as `null`.
        Self(Document::json(writer.finish().as_bytes(), &limits).index)
    }

    /// The value of JSON that is embedded in this crate.
    pub(crate) fn embedded(json: &str) -> Self {
        let mut writer = Writer::default();
        writer.raw(json);
        Self::trusted(writer)
    }

    pub(super) fn copy_of(node: Node<'_>) -> Self {
        let entry = node.entry();
        let moved = node.index().entries[node.id() as usize..entry.next as usize].iter();
        let entries = moved
            .map(|e| Entry {
                start: e.start - entry.start,
                end: e.end - entry.start,
                next: e.next - node.id(),
                shape: e.shape,
            })
            .collect();
        Self(Arc::new(Index {
            text: node.text().into(),
            entries,
        }))
    }
}

/// Equality of JSON values: neither the order of members nor the spelling of numbers matters.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || self.text() == other.text()
            || self.to_canonical() == other.to_canonical()
    }
}

impl Eq for Value {}

impl FromStr for Value {
    type Err = Violations;

    fn from_str(text: &str) -> Result<Self, Violations> {
        Self::from_json(text)
    }
}

crate::text::display!(Value: text);

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}
