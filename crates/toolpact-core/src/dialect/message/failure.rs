//! Errors in messages: only a message and a type.

use crate::json::{Kind, Node, Writer};
use crate::model::{ErrorObject, Form, Model};
use crate::returns::{ErrorKind, StandardError};

/// The member that marks an error.
pub(super) const ERROR: &str = "error";

/// `{"error": {"message": …, "type": …}}`. The text for the model, if there is one, is the message.
pub(super) fn write(error: &ErrorObject, text: Option<&str>, writer: &mut Writer) {
    let told = text.and_then(|text| ErrorObject::new(text).ok());
    let told = told.map(|told| match error.error_type() {
        Some(error_type) => told.with_type(error_type.clone()),
        None => told,
    });
    writer.begin_object().key(ERROR);
    told.as_ref().unwrap_or(error).write(writer, Form::Faithful);
    writer.end_object();
}

/// The same, serialised.
pub(super) fn to_text(error: &ErrorObject, text: Option<&str>) -> String {
    let mut writer = Writer::default();
    write(error, text, &mut writer);
    writer.finish()
}

/// The error in a value of the form `{"error": {"message": …}}` with no other members.
pub(super) fn marked(node: Node<'_>) -> Option<ErrorObject> {
    let mut members = node.members();
    let (key, error) = members.next()?;
    if key != ERROR || members.next().is_some() {
        return None;
    }
    ErrorObject::from_value(&error.to_value()).ok()
}

/// Reads an error in an unknown format, as far as possible.
pub(super) fn of_node(node: Node<'_>) -> ErrorObject {
    if let Ok(ours) = ErrorObject::from_value(&node.to_value()) {
        return ours;
    }
    let text = |key: &str| node.get(key).and_then(Node::as_str);
    let message = match node.kind() {
        Kind::String => node.as_str(),
        Kind::Object => text("message").filter(|text| !text.trim().is_empty()),
        Kind::Null => Some("".into()),
        _ => None,
    };
    let error = of_text(&message.unwrap_or_else(|| node.text().into()));
    match text("type").filter(|word| !word.is_empty()) {
        Some(word) => error.with_type(&*word),
        None => error,
    }
}

/// An error with this text as its message.
pub(super) fn of_text(text: &str) -> ErrorObject {
    ErrorObject::new(text)
        .unwrap_or_else(|_| ErrorObject::from(&StandardError::new(ErrorKind::Internal, "")))
}
