//! Which version of ADL a document is written in.

use crate::json::{Kind, Node};

/// The version of ADL that a document is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum AdlVersion {
    /// Returns are a word and a description.
    V1_0,
    /// Returns are typed.
    V1_5,
    /// Fields may be in groups, and there are many more. Of these documents, the tools are checked.
    V2,
    /// The same, with workflows and policies.
    V3,
}

/// A field that only documents of a later version have, and that version.
pub(super) struct Later<'a> {
    pub(super) version: AdlVersion,
    pub(super) field: &'static str,
    pub(super) node: Node<'a>,
}

/// The group that has the tools in documents with groups.
pub(crate) const CAPABILITIES: &str = "capabilities";

/// Fields of 3.
const THIRD: [&str; 2] = ["workflow", "policy"];

/// Fields of 2, which 3 has, too.
const SECOND: [&str; 13] = [
    "identity",
    CAPABILITIES,
    "orchestration",
    "governance",
    "agent_roles",
    "execution_constraints",
    "events",
    "rag_extensions",
    "memory_extensions",
    "llm_extensions",
    "permissions",
    "dependencies",
    "schema_version",
];

/// Fields of 2 within fields that 1.5 has.
const WITHIN: [(&str, &[&str]); 3] = [
    ("llm_settings", &["model_routing", "model_constraints"]),
    (
        "memory",
        &[
            "lifecycle_management",
            "eviction_policy",
            "storage_strategy",
        ],
    ),
    (
        "rag",
        &[
            "hierarchical_config",
            "search_config",
            "cross_file_references",
        ],
    ),
];

/// What shows that a document is of a version after 1.5.
pub(super) fn later(agent: Node<'_>) -> Option<Later<'_>> {
    third(agent)
        .or_else(|| first_of(agent, &SECOND, AdlVersion::V2))
        .or_else(|| within(agent))
}

fn third(agent: Node<'_>) -> Option<Later<'_>> {
    let named = agent.get("schema_version").filter(|version| {
        let text = version.as_str();
        text.is_some_and(|text| text.starts_with("3."))
    });
    let named = named.map(|node| Later {
        version: AdlVersion::V3,
        field: "schema_version",
        node,
    });
    let orchestration = agent.get("orchestration");
    named
        .or_else(|| first_of(agent, &THIRD, AdlVersion::V3))
        .or_else(|| first_of(orchestration?, &THIRD, AdlVersion::V3))
}

fn within(agent: Node<'_>) -> Option<Later<'_>> {
    WITHIN.iter().find_map(|(field, fields)| {
        let node = agent.get(field)?;
        match node.kind() {
            Kind::Array => node
                .items()
                .find_map(|item| first_of(item, fields, AdlVersion::V2)),
            _ => first_of(node, fields, AdlVersion::V2),
        }
    })
}

fn first_of<'a>(
    object: Node<'a>,
    fields: &[&'static str],
    version: AdlVersion,
) -> Option<Later<'a>> {
    fields.iter().find_map(|field| {
        let node = object.get(field)?;
        Some(Later {
            version,
            field,
            node,
        })
    })
}

impl std::fmt::Display for AdlVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::V1_0 => "1.0",
            Self::V1_5 => "1.5",
            Self::V2 => "2",
            Self::V3 => "3",
        })
    }
}
