//! Errors in messages: nothing but a message and a type.

use crate::json::{Kind, Node, Writer};
use crate::model::{ErrorObject, Form, Model};
use crate::returns::{ErrorKind, StandardError};

/// The member that says that it is an error.
pub(super) const ERROR: &str = "error";

/// `{"error": {"message": …, "type": …}}`. A text, if there is one, is the message: it was made for
/// the model.
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

/// The same as a text.
pub(super) fn to_text(error: &ErrorObject, text: Option<&str>) -> String {
    let mut writer = Writer::default();
    write(error, text, &mut writer);
    writer.finish()
}

/// The error of a value that is one by its form: the member `error` with a message, and no other.
pub(super) fn marked(node: Node<'_>) -> Option<ErrorObject> {
    let mut members = node.members();
    let (key, error) = members.next()?;
    if key != ERROR || members.next().is_some() {
        return None;
    }
    ErrorObject::from_value(&error.to_value()).ok()
}

/// The error that someone else wrote, as far as it can be understood.
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

/// The error that a text tells of.
pub(super) fn of_text(text: &str) -> ErrorObject {
    ErrorObject::new(text)
        .unwrap_or_else(|_| ErrorObject::from(&StandardError::new(ErrorKind::Internal, "")))
}
