//! The table of rules. Everything else that lists them (`docs/rules.md`, `toolpact explain`,
//! SARIF) is made from it.

use super::Rule;
use super::rule::Subject;

macro_rules! rules {
    ($($name:ident = $rule:expr;)*) => {
        $(pub(crate) static $name: Rule = $rule;)*
        pub(super) static ALL: &[&Rule] = &[$(&$name),*];
    };
}

pub(crate) mod adl;
pub(crate) mod call;
pub(crate) mod contract;
pub(crate) mod declaration;
pub(crate) mod dialect;
pub(crate) mod json;
pub(crate) mod json_schema;
pub(crate) mod lock;
pub(crate) mod meaning;
pub(crate) mod result;
pub(crate) mod returns;
pub(crate) mod schema;
pub(crate) mod structure;
pub(crate) mod value;
pub(crate) mod yaml;

/// A family of rules, in the order of the reference page.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Family {
    /// What the rules are about.
    pub title: &'static str,
    /// The rules.
    pub rules: &'static [&'static Rule],
}

/// All rules by family.
pub static FAMILIES: &[Family] = &[
    Family {
        title: "JSON",
        rules: json::ALL,
    },
    Family {
        title: "YAML",
        rules: yaml::ALL,
    },
    Family {
        title: "Structures",
        rules: structure::ALL,
    },
    Family {
        title: "Tools and function declarations",
        rules: declaration::ALL,
    },
    Family {
        title: "Tools of providers",
        rules: dialect::ALL,
    },
    Family {
        title: "Schemas",
        rules: schema::ALL,
    },
    Family {
        title: "JSON Schemas",
        rules: json_schema::ALL,
    },
    Family {
        title: "Calls",
        rules: call::ALL,
    },
    Family {
        title: "Values",
        rules: value::ALL,
    },
    Family {
        title: "Results",
        rules: result::ALL,
    },
    Family {
        title: "ADL agent documents",
        rules: adl::ALL,
    },
    Family {
        title: "Return types",
        rules: returns::ALL,
    },
    Family {
        title: "Meaning of return types",
        rules: meaning::ALL,
    },
    Family {
        title: "Contract documents",
        rules: contract::ALL,
    },
    Family {
        title: "Locks",
        rules: lock::ALL,
    },
];

/// All rules.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    FAMILIES
        .iter()
        .flat_map(|family| family.rules.iter().copied())
}

/// The rule with this code.
///
/// ```
/// let rule = toolpact_core::violation::rules::find("json-duplicate-key").unwrap();
/// assert_eq!(rule.title, "A key may be in an object only once.");
/// ```
#[must_use]
pub fn find(code: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.code == code)
}

/// The code most like `code`, for a suggestion.
#[must_use]
pub fn nearest(code: &str) -> Option<&'static str> {
    super::nearest::nearest(code, all().map(|rule| rule.code))
}
