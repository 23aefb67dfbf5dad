//! The table of rules. Everything else that lists them (`docs/rules.md`, `toolpact explain`,
//! SARIF) is made from it.

use super::Rule;
use super::rule::Subject;

macro_rules! rules {
    ($($name:ident = $rule:expr;)*) => {
        $(pub(crate) static $name: Rule = $rule;)*
        pub(crate) static ALL: &[&Rule] = &[$(&$name),*];
    };
}

pub(crate) mod adl;
pub(crate) mod call;
pub(crate) mod contract;
pub(crate) mod declaration;
pub(crate) mod dialect;
pub(crate) mod json;
pub(crate) mod json_schema;
pub(crate) mod lint;
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
    /// When they are applied, where that is not always: a paragraph, or nothing.
    pub about: &'static str,
    /// The rules.
    pub rules: &'static [&'static Rule],
}

/// All rules by family.
pub static FAMILIES: &[Family] = &[
    Family {
        title: "JSON",
        about: "",
        rules: json::ALL,
    },
    Family {
        title: "YAML",
        about: "",
        rules: yaml::ALL,
    },
    Family {
        title: "Structures",
        about: "",
        rules: structure::ALL,
    },
    Family {
        title: "Tools and function declarations",
        about: "",
        rules: declaration::ALL,
    },
    Family {
        title: "Tools of providers",
        about: "",
        rules: dialect::ALL,
    },
    Family {
        title: "Schemas",
        about: "",
        rules: schema::ALL,
    },
    Family {
        title: "JSON Schemas",
        about: "",
        rules: json_schema::ALL,
    },
    Family {
        title: "Calls",
        about: "",
        rules: call::ALL,
    },
    Family {
        title: "Values",
        about: "",
        rules: value::ALL,
    },
    Family {
        title: "Results",
        about: "",
        rules: result::ALL,
    },
    Family {
        title: "ADL agent documents",
        about: "",
        rules: adl::ALL,
    },
    Family {
        title: "Return types",
        about: "",
        rules: returns::ALL,
    },
    Family {
        title: "Meaning of return types",
        about: "",
        rules: meaning::ALL,
    },
    Family {
        title: "Contract documents",
        about: "",
        rules: contract::ALL,
    },
    Family {
        title: "Locks",
        about: "",
        rules: lock::ALL,
    },
    Family {
        title: "Lint",
        about: "What the definitions of tools try to do to a model, and what they leave unsaid. These rules are applied \
                by `toolpact check --lint` and `toolpact serve --check` only. How often they are wrong about public tools \
                is on [the page about contracts over time](contracts-over-time.md#lint).",
        rules: lint::ALL,
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
