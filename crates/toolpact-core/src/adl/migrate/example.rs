use crate::json::{Value, Writer};
use crate::returns::StandardType;

/// An example that is valid under a type, in shape and meaning.
pub(super) fn of(standard: StandardType, tool: &str) -> Value {
    match standard {
        StandardType::EntityResult => entity(noun(tool)),
        // The specification's own is cut off in print.
        StandardType::ChunkedData => Value::embedded(
            r#"{"chunk_id": "transfer_1", "sequence": 0, "total_chunks": 2, "data": "SGVsbG8sIA==", "is_last": false}"#,
        ),
        // Where a bare value and an envelope are shown, the envelope comes last.
        _ => standard.examples().pop().unwrap_or_else(|| Value::from(())),
    }
}

fn entity(noun: &str) -> Value {
    let mut writer = Writer::default();
    writer.begin_object();
    writer.key("id").string(&format!("{noun}_123"));
    writer.key("type").string(noun);
    writer.key("attributes").begin_object().end_object();
    writer.end_object();
    Value::trusted(writer)
}

/// `get_user_profile` is about a `user_profile`.
fn noun(tool: &str) -> &str {
    let verbs = [
        "get_",
        "fetch_",
        "read_",
        "load_",
        "find_",
        "lookup_",
        "retrieve_",
        "show_",
    ];
    let noun = verbs
        .iter()
        .find_map(|verb| tool.strip_prefix(verb))
        .unwrap_or(tool);
    if noun.is_empty() { "entity" } else { noun }
}
