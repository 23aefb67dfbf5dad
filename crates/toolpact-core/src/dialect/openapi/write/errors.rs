//! The responses of failed calls, from the table of error kinds.

use std::collections::BTreeMap;

use crate::returns::{ErrorKind, Retry};

use super::super::super::tree::{Map, Tree};
use super::object;

/// The name of the error schema.
pub(super) const ERROR: &str = "Error";

/// References to the error responses of every operation, by status.
pub(super) fn references() -> impl Iterator<Item = (String, Tree)> {
    by_status().into_keys().map(|status| {
        let reference = format!("#/components/responses/{}", name(status));
        (
            status.to_string(),
            object([("$ref", Tree::string(reference))]),
        )
    })
}

/// The responses themselves.
pub(super) fn responses() -> Map {
    let mut map = Map::default();
    for (status, kinds) in by_status() {
        let texts = kinds
            .into_iter()
            .map(|kind| format!("{}: {}", kind.code(), kind.text()));
        let texts: Vec<String> = texts.collect();
        let reference = Tree::string(format!("#{}{ERROR}", super::super::COMPONENTS));
        let schema = object([("schema", object([("$ref", reference)]))]);
        let response = object([
            ("description", Tree::string(texts.join("\n"))),
            ("content", object([("application/json", schema)])),
        ]);
        map.set(&name(status), response);
    }
    map
}

/// The schema of an error.
pub(super) fn schema() -> Tree {
    let text = |description: &str| {
        object([
            ("type", Tree::string("string")),
            ("description", Tree::string(description)),
        ])
    };
    let mut code = text("What went wrong, for programs. A tool may have codes of its own.");
    let mut error_type = text("What went wrong, in the words of the ALTAR Data Model.");
    let mut codes = Vec::new();
    let mut types: Vec<String> = Vec::new();
    for kind in ErrorKind::all() {
        codes.push(kind.code().to_owned());
        types.push(kind.error_type().as_str().to_owned());
    }
    types.dedup();
    examples(&mut code, &codes);
    examples(&mut error_type, &types);
    let retries = [Retry::Never, Retry::Yes, Retry::IfIdempotent].map(retry);
    let retry = object([
        ("enum", Tree::strings(retries)),
        ("description", Tree::string("Whether to try again.")),
    ]);
    let properties = object([
        ("code", code),
        ("type", error_type),
        ("message", text("What went wrong, for people and models.")),
        ("retry", retry),
        ("details", object([("type", Tree::string("object"))])),
    ]);
    object([
        ("type", Tree::string("object")),
        ("description", Tree::string("Why a call failed.")),
        ("properties", properties),
        (
            "required",
            Tree::strings(["code", "type", "message", "retry"]),
        ),
    ])
}

fn examples(schema: &mut Tree, texts: &[String]) {
    if let Tree::Object(map) = schema {
        map.set("examples", Tree::strings(texts.iter().map(String::as_str)));
    }
}

fn retry(retry: Retry) -> &'static str {
    match retry {
        Retry::Never => "never",
        Retry::Yes => "yes",
        Retry::IfIdempotent => "if_idempotent",
    }
}

fn by_status() -> BTreeMap<u16, Vec<ErrorKind>> {
    let mut found: BTreeMap<u16, Vec<ErrorKind>> = BTreeMap::new();
    for kind in ErrorKind::all() {
        found.entry(kind.http_status()).or_default().push(kind);
    }
    found
}

fn name(status: u16) -> String {
    format!("Error{status}")
}
