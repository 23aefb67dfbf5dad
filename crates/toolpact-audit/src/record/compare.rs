//! Two results of the same call, compared by value.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use toolpact::core::Pointer;
use toolpact::core::json::{Kind, Node, Value};
use toolpact::observe::is_redacted;

/// Most differences that are told; the others are counted.
const MOST: usize = 100;

/// Which differences do not matter.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    ignored: Vec<Pointer>,
    found: BTreeSet<String>,
    is_exact: bool,
}

/// Where two results differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// A JSON Pointer.
    pub place: String,
    /// What was there, if something was.
    pub before: Option<Value>,
    /// What is there now, if something is.
    pub now: Option<Value>,
}

/// What a comparison has found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Compared {
    /// Where the results differ. Nothing says that it had to be so.
    pub changed: Vec<Difference>,
    /// How many more there are.
    pub more: usize,
    /// Where they differ as had to be expected.
    pub volatile: BTreeSet<String>,
    /// What could not be compared, because it was not recorded.
    pub redacted: BTreeSet<String>,
}

impl Comparison {
    /// Without what is at these places, or below them. `*` stands for any key or index.
    #[must_use]
    pub fn ignoring(ignored: impl IntoIterator<Item = Pointer>) -> Self {
        Self {
            ignored: ignored.into_iter().collect(),
            ..Self::default()
        }
    }

    /// The same; times and UUIDs that differ count, too.
    #[must_use]
    pub fn exact(mut self) -> Self {
        self.is_exact = true;
        self
    }

    /// The same without the places where the results of two calls differ that were made one after the other.
    #[must_use]
    pub fn also_ignoring(&self, one: &Value, other: &Value) -> Self {
        let mut found = self.found.clone();
        walk(one.root(), other.root(), |place, _, _| {
            found.insert(place.to_string());
        });
        let (ignored, is_exact) = (self.ignored.clone(), self.is_exact);
        Self {
            ignored,
            found,
            is_exact,
        }
    }

    /// Compares a result with the one before.
    #[must_use]
    pub fn compare(&self, before: &Value, now: &Value) -> Compared {
        let mut compared = Compared::default();
        walk(before.root(), now.root(), |place, before, now| {
            if before.is_some_and(is_redacted) {
                compared.redacted.insert(place.to_string());
                return;
            }
            if self.is_volatile(place, before, now) {
                compared.volatile.insert(place.to_string());
                return;
            }
            if compared.changed.len() >= MOST {
                compared.more += 1;
                return;
            }
            compared.changed.push(Difference {
                place: place.to_string(),
                before: before.map(Node::to_value),
                now: now.map(Node::to_value),
            });
        });
        compared
            .changed
            .sort_by(|one, other| one.place.cmp(&other.place));
        compared
    }

    fn is_volatile(
        &self,
        place: &Pointer,
        before: Option<Node<'_>>,
        now: Option<Node<'_>>,
    ) -> bool {
        let changes = || {
            before
                .zip(now)
                .is_some_and(|(one, other)| is_of_the_moment(one, other))
        };
        self.is_found(place)
            || self.ignored.iter().any(|pattern| covers(pattern, place))
            || !self.is_exact && changes()
    }

    /// Whether this place, or one that it is in, differs from call to call.
    fn is_found(&self, place: &Pointer) -> bool {
        if self.found.is_empty() {
            return false;
        }
        let mut place = place.to_string();
        loop {
            if self.found.contains(&place) {
                return true;
            }
            match place.rfind('/') {
                Some(end) => place.truncate(end),
                None => return false,
            }
        }
    }
}

impl Compared {
    /// Whether nothing has changed.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.changed.is_empty()
    }
}

/// Tells every place where two values differ. Lists of different lengths differ as a whole.
pub(super) fn walk<'v>(
    before: Node<'v>,
    now: Node<'v>,
    mut differs: impl FnMut(&Pointer, Option<Node<'v>>, Option<Node<'v>>),
) {
    // What was read is bounded in depth and length.
    let mut open = vec![(Pointer::root(), Some(before), Some(now))];
    while let Some((place, one, other)) = open.pop() {
        let (Some(before), Some(now)) = (one, other) else {
            differs(&place, one, other);
            continue;
        };
        if before.text() == now.text() {
            continue;
        }
        match (before.kind(), now.kind()) {
            (Kind::Object, Kind::Object) => {
                let mut members: BTreeMap<_, (Option<Node<'v>>, Option<Node<'v>>)> =
                    BTreeMap::new();
                for (key, value) in before.members() {
                    members.entry(key).or_default().0 = Some(value);
                }
                for (key, value) in now.members() {
                    members.entry(key).or_default().1 = Some(value);
                }
                let members = members.into_iter();
                open.extend(members.map(|(key, (one, other))| (place.key(&key), one, other)));
            }
            (Kind::Array, Kind::Array) if before.items().count() == now.items().count() => {
                let items = before.items().zip(now.items()).enumerate();
                open.extend(
                    items.map(|(at, (one, other))| (place.index(at), Some(one), Some(other))),
                );
            }
            (Kind::Array, Kind::Array) => differs(&place, one, other),
            _ if is_equal(before, now) => {}
            _ => differs(&place, one, other),
        }
    }
}

/// Neither the spelling of a number nor that of a text matters.
fn is_equal(one: Node<'_>, other: Node<'_>) -> bool {
    one.kind() == other.kind() && one.to_value() == other.to_value()
}

/// Two times, or two UUIDs: of those, another one is usual.
fn is_of_the_moment(one: Node<'_>, other: Node<'_>) -> bool {
    let (Some(one), Some(other)) = (one.as_str(), other.as_str()) else {
        return false;
    };
    let is_time = |text: &str| text.parse::<Timestamp>().is_ok();
    is_time(&one) && is_time(&other) || is_uuid(&one) && is_uuid(&other)
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Whether a pattern means this place, or one that it is in.
fn covers(pattern: &Pointer, place: &Pointer) -> bool {
    let (pattern, place) = (pattern.tokens(), place.tokens());
    let text = |token: &toolpact::core::violation::Token| match token {
        toolpact::core::violation::Token::Key(key) => key.to_string(),
        toolpact::core::violation::Token::Index(index) => index.to_string(),
    };
    pattern.len() <= place.len()
        && pattern.iter().zip(&place).all(|(wanted, found)| {
            let wanted = text(wanted);
            wanted == "*" || wanted == text(found)
        })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use toolpact::core::Pointer;
    use toolpact::core::json::Value;

    use super::{Compared, Comparison};

    fn value(json: &str) -> Value {
        Value::from_json(json).unwrap()
    }

    fn compared(comparison: &Comparison, before: &str, now: &str) -> Compared {
        comparison.compare(&value(before), &value(now))
    }

    fn places(before: &str, now: &str) -> Vec<String> {
        let compared = compared(&Comparison::default(), before, now);
        compared.changed.into_iter().map(|one| one.place).collect()
    }

    #[test]
    fn differences_have_places() {
        assert_eq!(
            places(r#"{"a":1,"b":[1,2]}"#, r#"{"b":[1.0,2e0],"a":1}"#),
            [""; 0]
        );
        assert_eq!(
            places(r#"{"a":1,"b":[1,2]}"#, r#"{"a":2,"b":[1,3]}"#),
            ["/a", "/b/1"]
        );
        assert_eq!(places(r#"{"a":1}"#, r#"{"b":1}"#), ["/a", "/b"]);
        assert_eq!(places(r#"{"a":[1]}"#, r#"{"a":[1,2]}"#), ["/a"]);
        assert_eq!(places("1", "\"1\""), [""]);
        assert_eq!(places(r#"{"a/b":null}"#, r#"{"a/b":false}"#), ["/a~1b"]);
    }

    #[test]
    fn times_and_uuids_are_volatile_unless_all_counts() {
        let before = r#"{"at":"2026-11-19T03:00:00Z","id":"5f0c4e9a-71b2-d386-1111-000000000001","day":"2026-11-19"}"#;
        let now = r#"{"at":"2026-11-19T04:00:00+01:00","id":"5f0c4e9a-71b2-d386-1111-000000000002","day":"2026-11-20"}"#;
        let found = compared(&Comparison::default(), before, now);
        assert_eq!(found.changed[0].place, "/day");
        assert_eq!((found.changed.len(), found.volatile.len()), (1, 2));
        assert_eq!(
            compared(&Comparison::default().exact(), before, now)
                .changed
                .len(),
            3
        );
        let no_time = compared(
            &Comparison::default(),
            before,
            r#"{"at":"soon","id":1,"day":"2026-11-19"}"#,
        );
        assert_eq!(no_time.changed.len(), 2);
    }

    #[test]
    fn what_is_told_or_differs_now_is_ignored() {
        let told = ["/data/*/n", "/x"].map(|text| Pointer::parse(text).unwrap());
        let told = Comparison::ignoring(told);
        let (before, now) = (
            r#"{"data":[{"n":1},{"n":2}],"x":{"y":1}}"#,
            r#"{"data":[{"n":8},{"n":9}],"x":{"y":2}}"#,
        );
        assert!(compared(&told, before, now).is_same());
        assert_eq!(compared(&told, before, now).volatile.len(), 3);
        let found = Comparison::default().also_ignoring(
            &value(r#"{"x":1,"y":{"z":1}}"#),
            &value(r#"{"x":2,"y":{"z":1}}"#),
        );
        let found = compared(&found, r#"{"x":5,"y":{"z":1}}"#, r#"{"x":1,"y":{"z":2}}"#);
        assert_eq!(found.changed[0].place, "/y/z");
        assert_eq!((found.changed.len(), found.volatile.len()), (1, 1));
    }

    #[test]
    fn what_was_left_out_is_not_compared() {
        let found = compared(
            &Comparison::default(),
            r#"{"pin":"[redacted]","a":1}"#,
            r#"{"pin":4711,"a":1}"#,
        );
        assert!(found.is_same());
        assert_eq!(found.redacted.len(), 1);
    }

    fn json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            (-3i64..3).prop_map(Into::into),
            "[a-c/~]{0,2}".prop_map(Into::into),
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
                prop::collection::btree_map("[a-c/~*]{1,2}", inner, 0..4)
                    .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        /// The judge is `serde_json`: equal if and only if there is no difference, and every place that is told
        /// really differs.
        #[test]
        fn places_are_those_that_differ(before in json(), now in json()) {
            let found = Comparison::default().exact();
            let found = found.compare(&value(&before.to_string()), &value(&now.to_string()));
            prop_assert_eq!(found.is_same(), before == now);
            for difference in found.changed {
                let at = |whole: &serde_json::Value| whole.pointer(&difference.place).cloned();
                prop_assert_ne!(at(&before), at(&now));
                let told = difference.now.map(|value| value.deserialize::<serde_json::Value>().unwrap());
                prop_assert_eq!(told, at(&now));
            }
        }
    }
}
