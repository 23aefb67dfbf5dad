//! The place of a pointer in a document.

use serde_json::{Value as Json, json};
use toolpact::core::Pointer;
use toolpact::core::json::{Document, Value};
use toolpact::core::returns::{Level, Returns};
use toolpact::core::schema::JsonSchema;
use toolpact::core::violation::Token;

/// Line and column of what a pointer leads to. The core tells places of what breaks a schema, so it
/// is asked with a schema that nothing but this place breaks.
pub(crate) fn locate(document: &Document, pointer: &Pointer) -> Option<(usize, usize)> {
    let tokens = pointer.tokens();
    let schema = tokens
        .into_iter()
        .rev()
        .fold(json!({"not": {}}), |inner, token| match token {
            Token::Key(key) => json!({"properties": {(&**key): inner}}),
            Token::Index(index) => {
                let mut items = vec![Json::Bool(true); *index];
                items.push(inner);
                json!({"prefixItems": items})
            }
        });
    let schema = Value::try_from(&schema).ok()?;
    let schema = JsonSchema::from_value(&schema).ok()?;
    let checked = Returns::Custom(schema)
        .enforcer(Level::Shape)
        .check_document(document);
    let violation = checked.violations.iter().next()?;
    let place = violation.location()?;
    Some((place.line, place.column))
}
