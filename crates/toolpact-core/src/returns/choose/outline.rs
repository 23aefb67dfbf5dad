use crate::json::{Kind, Node};

/// What a value looks like from outside: the same for a sample and for a schema.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// `None` if a schema does not say.
    pub(super) kind: Option<Kind>,
    /// For an object: its keys, and what they hold.
    pub(super) keys: Vec<Key>,
    /// For an array: what all its elements are, if they are the same.
    pub(super) items: Option<Kind>,
}

#[derive(Debug)]
pub(super) struct Key {
    pub(super) name: String,
    pub(super) kind: Option<Kind>,
    /// Always there.
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
            // An empty list says nothing against objects.
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
