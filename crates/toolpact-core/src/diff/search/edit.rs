//! Changes of JSON values.

use crate::json::{Kind, Value, Writer};

/// The object with this member, set or added; anything else becomes an object with this member alone.
pub(super) fn with_member(object: &Value, key: &str, json: &str) -> Value {
    let mut writer = Writer::default();
    writer.begin_object();
    let mut is_set = false;
    for (name, value) in object.root().members() {
        let is_it = name == key;
        is_set |= is_it;
        writer
            .key(&name)
            .raw(if is_it { json } else { value.text() });
    }
    if !is_set {
        writer.key(key).raw(json);
    }
    writer.end_object();
    Value::trusted(writer)
}

/// The object without this member.
pub(super) fn without_member(object: &Value, key: &str) -> Value {
    let mut writer = Writer::default();
    writer.begin_object();
    for (name, value) in object.root().members().filter(|(name, _)| name != key) {
        writer.key(&name).raw(value.text());
    }
    writer.end_object();
    Value::trusted(writer)
}

/// The object with so many members: further ones have names of their own.
pub(super) fn with_count(object: &Value, count: usize) -> Value {
    let mut writer = Writer::default();
    writer.begin_object();
    let members: Vec<_> = object.root().members().collect();
    for (name, value) in members.iter().take(count) {
        writer.key(name).raw(value.text());
    }
    for number in members.len()..count {
        writer.key(&format!("key_{number}")).raw("1");
    }
    writer.end_object();
    Value::trusted(writer)
}

/// The array with this element at a place, which is at most its end; `None` if it is shorter.
pub(super) fn with_element(array: &Value, place: usize, json: &str) -> Option<Value> {
    let elements: Vec<&str> = array.root().items().map(crate::json::Node::text).collect();
    if array.kind() == Kind::Array && place > elements.len()
        || place > 0 && array.kind() != Kind::Array
    {
        return None;
    }
    let mut elements = elements;
    match elements.get_mut(place) {
        Some(element) => *element = json,
        None => elements.push(json),
    }
    Some(array_of(&elements))
}

/// The array with so many elements: further ones repeat the first.
pub(super) fn with_length(array: &Value, length: usize) -> Value {
    let elements: Vec<&str> = array.root().items().map(crate::json::Node::text).collect();
    let more = elements.first().copied().unwrap_or("1");
    let repeated = std::iter::repeat_n(more, length.saturating_sub(elements.len()));
    let elements: Vec<&str> = elements
        .iter()
        .copied()
        .take(length)
        .chain(repeated)
        .collect();
    array_of(&elements)
}

fn array_of(elements: &[&str]) -> Value {
    let mut writer = Writer::default();
    writer.begin_array();
    for element in elements {
        writer.raw(element);
    }
    writer.end_array();
    Value::trusted(writer)
}
