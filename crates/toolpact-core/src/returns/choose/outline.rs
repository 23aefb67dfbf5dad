use crate::json::{Kind, Node};

/// The outer structure of a value, from a sample or a schema.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// `None` if a schema does not say.
    pub(super) kind: Option<Kind>,
    /// For an object: its keys and the kinds of their values.
    pub(super) keys: Vec<Key>,
    /// For an array: the kind of its elements, if they all have the same.
    pub(super) items: Option<Kind>,
}

#[derive(Debug)]
pub(super) struct Key {
    pub(super) name: String,
    pub(super) kind: Option<Kind>,
    /// Whether the key is always present.
    pub(super) required: bool,
}

impl Outline {
    pub(super) fn of_sample(sample: Node<'_>) -> Self {
        let keys = sample.members().map(|(name, value)| Key {
            name: name.into_owned(),
            kind: Some(value.kind()),
            required: true,
        });
        let mut kinds = sample.items().map(Node::kind);
        let first = kinds.next();
        Self {
            kind: Some(sample.kind()),
            keys: keys.collect(),
            // An empty list may be a list of objects.
            items: match first {
                None => Some(Kind::Object),
                Some(first) => kinds.all(|kind| kind == first).then_some(first),
            },
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.key(name).is_some()
    }

    pub(super) fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}
