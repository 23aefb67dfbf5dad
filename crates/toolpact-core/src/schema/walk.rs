//! Goes through a schema: every place where a subschema can be.

use crate::json::{Kind, Node};

/// Keywords whose value is data and not schemas.
const DATA: [&str; 5] = ["const", "default", "enum", "example", "examples"];
/// Keywords whose members are schemas by any name.
const NAMED: [&str; 6] = [
    "$defs",
    "definitions",
    "dependencies",
    "dependentSchemas",
    "patternProperties",
    "properties",
];

/// Every subschema of a schema, itself included, in document order.
pub(crate) fn subschemas(root: Node<'_>) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    let mut todo = vec![root];
    while let Some(node) = todo.pop() {
        if node.kind() == Kind::Object {
            found.push(node);
        }
        let waiting = todo.len();
        for (keyword, value) in node.members() {
            if DATA.contains(&&*keyword) {
                continue;
            }
            match value.kind() {
                Kind::Array => todo.extend(value.items().filter(|item| is_schema(*item))),
                Kind::Object if NAMED.contains(&&*keyword) => {
                    todo.extend(
                        value
                            .members()
                            .map(|(_, named)| named)
                            .filter(|n| is_schema(*n)),
                    );
                }
                Kind::Object => todo.push(value),
                _ => {}
            }
        }
        todo[waiting..].reverse();
    }
    found
}

fn is_schema(node: Node<'_>) -> bool {
    node.kind() == Kind::Object
}
