use crate::json::Value;

use super::{Random, Sampler};

/// The most parts of a value that are considered.
const PARTS: usize = 200;

impl Sampler {
    /// A value that is refused: one that is accepted, with one part taken out or of another type. `None`
    /// where everything is accepted.
    ///
    /// ```
    /// use toolpact_core::json::Value;
    /// use toolpact_core::sample::Sampler;
    /// use toolpact_core::schema::JsonSchema;
    ///
    /// let schema = Value::from_json(r#"{"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}"#)?;
    /// let sampler = Sampler::of_schema(&JsonSchema::from_value(&schema)?);
    /// assert!(!sampler.accepts(&sampler.broken(1).unwrap()));
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    #[must_use]
    pub fn broken(&self, seed: u64) -> Option<Value> {
        let value = self.nth(seed).or_else(|| self.first())?;
        let value: serde_json::Value = value.deserialize().ok()?;
        let mut random = Random::new(seed);
        let mut changes: Vec<(String, Change)> = places(&value)
            .into_iter()
            .flat_map(|place| Change::ALL.map(|change| (place.clone(), change)))
            .collect();
        while !changes.is_empty() {
            let (place, change) = changes.swap_remove(random.below(changes.len()));
            let broken = change.apply(&value, &place);
            let broken = broken.and_then(|broken| Value::from_json(broken.to_string()).ok());
            if let Some(broken) = broken.filter(|broken| self.refuses(broken)) {
                return Some(broken);
            }
        }
        None
    }
}

/// What becomes of a part.
#[derive(Debug, Clone, Copy)]
enum Change {
    Removed,
    Null,
    Number,
    Text,
    List,
}

impl Change {
    const ALL: [Self; 5] = [
        Self::Removed,
        Self::Null,
        Self::Number,
        Self::Text,
        Self::List,
    ];

    fn apply(self, value: &serde_json::Value, place: &str) -> Option<serde_json::Value> {
        let mut value = value.clone();
        if matches!(self, Self::Removed) {
            let (parent, key) = place.rsplit_once('/')?;
            let key = key.replace("~1", "/").replace("~0", "~");
            value.pointer_mut(parent)?.as_object_mut()?.remove(&key)?;
            return Some(value);
        }
        *value.pointer_mut(place)? = match self {
            Self::Removed | Self::Null => serde_json::Value::Null,
            Self::Number => 5.into(),
            Self::Text => "text".into(),
            Self::List => Vec::<serde_json::Value>::new().into(),
        };
        Some(value)
    }
}

/// The parts of a value, as JSON Pointers.
fn places(value: &serde_json::Value) -> Vec<String> {
    let (mut places, mut todo) = (Vec::new(), vec![(String::new(), value)]);
    while let Some((place, value)) = todo.pop() {
        if places.len() >= PARTS {
            break;
        }
        match value {
            serde_json::Value::Object(members) => {
                todo.extend(members.iter().map(|(key, value)| {
                    let key = key.replace('~', "~0").replace('/', "~1");
                    (format!("{place}/{key}"), value)
                }));
            }
            serde_json::Value::Array(items) => {
                let items = items.iter().enumerate();
                todo.extend(items.map(|(at, value)| (format!("{place}/{at}"), value)));
            }
            _ => {}
        }
        places.push(place);
    }
    places
}
