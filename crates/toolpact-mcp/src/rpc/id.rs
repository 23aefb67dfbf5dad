use toolpact::core::json::{self, Node};

/// The identifier of a request: the JSON text of a string or an integer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Id(Box<str>);

impl Id {
    /// `None` for what is no identifier.
    pub(crate) fn read(node: Node<'_>) -> Option<Self> {
        let text = node.text();
        match node.kind() {
            // Two spellings of one identifier are the same.
            json::Kind::String if text.contains('\\') => {
                let text = serde_json::to_string(&node.as_str()?).ok()?;
                Some(Self(text.into()))
            }
            json::Kind::String => Some(Self(text.into())),
            json::Kind::Number => text.parse::<i64>().ok().map(|_| Self(text.into())),
            _ => None,
        }
    }

    /// As JSON.
    pub(crate) fn json(&self) -> &str {
        &self.0
    }

    /// Without the quotes of JSON, for logs and tools.
    pub(crate) fn text(&self) -> &str {
        self.0.trim_matches('"')
    }
}

impl From<u64> for Id {
    fn from(number: u64) -> Self {
        Self(number.to_string().into())
    }
}
