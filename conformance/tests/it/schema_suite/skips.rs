//! Where we do not follow the suite, and why. A line that is not needed any more fails the test.

/// Why a schema is refused. Every violation must be of this rule.
#[derive(Clone, Copy)]
pub(crate) struct Refusal {
    pub(crate) rule: &'static str,
    pub(crate) why: &'static str,
}

const REMOTE: Refusal = Refusal {
    rule: "json-schema-reference",
    why: "a reference to another document: nothing is ever fetched",
};
const META: Refusal = Refusal {
    rule: "json-schema-reference",
    why: "a reference to the meta-schema, which is another document: nothing is ever fetched",
};
const BY_ID: Refusal = Refusal {
    rule: "json-schema-reference",
    why: "a reference to an `$id` of the schema itself: only those that begin with `#` are known",
};

const DIALECT: Refusal = Refusal {
    rule: "json-schema-dialect",
    why: "a dialect of one's own: its meta-schema is another document, and nothing is ever fetched",
};

/// Groups whose schema is refused: file, name, reason.
#[rustfmt::skip]
pub(crate) const REFUSED: &[(&str, &str, Refusal)] = &[
    ("anchor", "Location-independent identifier with absolute URI", BY_ID),
    ("anchor", "Location-independent identifier with base URI change in subschema", BY_ID),
    ("anchor", "same $anchor with different base uri", BY_ID),
    ("defs", "validate definition against metaschema", META),
    ("dynamicRef", "A $dynamicRef resolves to the first $dynamicAnchor still in scope that is encountered when the schema is evaluated", BY_ID),
    ("dynamicRef", "A $dynamicRef without anchor in fragment behaves identical to $ref", BY_ID),
    ("dynamicRef", "A $dynamicRef with intermediate scopes that don't include a matching $dynamicAnchor does not affect dynamic scope resolution", BY_ID),
    ("dynamicRef", "An $anchor with the same name as a $dynamicAnchor is not used for dynamic scope resolution", BY_ID),
    ("dynamicRef", "A $dynamicRef without a matching $dynamicAnchor in the same schema resource behaves like a normal $ref to $anchor", BY_ID),
    ("dynamicRef", "A $dynamicRef with a non-matching $dynamicAnchor in the same schema resource behaves like a normal $ref to $anchor", BY_ID),
    ("dynamicRef", "A $dynamicRef that initially resolves to a schema with a matching $dynamicAnchor resolves to the first $dynamicAnchor in the dynamic scope", BY_ID),
    ("dynamicRef", "A $dynamicRef that initially resolves to a schema without a matching $dynamicAnchor behaves like a normal $ref to $anchor", BY_ID),
    ("dynamicRef", "multiple dynamic paths to the $dynamicRef keyword", BY_ID),
    ("dynamicRef", "after leaving a dynamic scope, it is not used by a $dynamicRef", BY_ID),
    ("dynamicRef", "strict-tree schema, guards against misspelled properties", REMOTE),
    ("dynamicRef", "tests for implementation dynamic anchor and reference link", REMOTE),
    ("dynamicRef", "$ref and $dynamicAnchor are independent of order - $defs first", REMOTE),
    ("dynamicRef", "$ref and $dynamicAnchor are independent of order - $ref first", REMOTE),
    ("dynamicRef", "$ref to $dynamicRef finds detached $dynamicAnchor", REMOTE),
    ("dynamicRef", "$dynamicRef skips over intermediate resources - direct reference", BY_ID),
    ("optional/cross-draft", "refs to historic drafts are processed as historic drafts", REMOTE),
    ("optional/dynamicRef", "$dynamicRef skips over intermediate resources - pointer reference across resource boundary", BY_ID),
    ("optional/id", "$id inside an enum is not a real identifier", BY_ID),
    ("optional/unknownKeyword", "$id inside an unknown keyword is not a real identifier", BY_ID),
    ("ref", "remote ref, containing refs itself", META),
    ("ref", "Recursive references between schemas", BY_ID),
    ("ref", "refs with relative uris and defs", BY_ID),
    ("ref", "relative refs with absolute uris and defs", BY_ID),
    ("ref", "$id must be resolved against nearest parent, not just immediate parent", BY_ID),
    ("ref", "order of evaluation: $id and $ref", BY_ID),
    ("ref", "simple URN base URI with $ref via the URN", BY_ID),
    ("ref", "URN base URI with URN and JSON pointer ref", BY_ID),
    ("ref", "URN base URI with URN and anchor ref", BY_ID),
    ("ref", "URN ref with nested pointer ref", BY_ID),
    ("ref", "ref to if", BY_ID),
    ("ref", "ref to then", BY_ID),
    ("ref", "ref to else", BY_ID),
    ("ref", "ref with absolute-path-reference", BY_ID),
    ("refRemote", "remote ref", REMOTE),
    ("refRemote", "fragment within remote ref", REMOTE),
    ("refRemote", "anchor within remote ref", REMOTE),
    ("refRemote", "ref within remote ref", REMOTE),
    ("refRemote", "base URI change", REMOTE),
    ("refRemote", "base URI change - change folder", REMOTE),
    ("refRemote", "base URI change - change folder in subschema", REMOTE),
    ("refRemote", "root ref in remote ref", REMOTE),
    ("refRemote", "remote ref with ref to defs", REMOTE),
    ("refRemote", "Location-independent identifier in remote ref", REMOTE),
    ("refRemote", "retrieved nested refs resolve relative to their URI not $id", REMOTE),
    ("refRemote", "remote HTTP ref with different $id", REMOTE),
    ("refRemote", "remote HTTP ref with different URN $id", REMOTE),
    ("refRemote", "remote HTTP ref with nested absolute ref", REMOTE),
    ("refRemote", "$ref to $ref finds detached $anchor", REMOTE),
    ("unevaluatedItems", "unevaluatedItems with $dynamicRef", BY_ID),
    ("unevaluatedProperties", "unevaluatedProperties with $dynamicRef", BY_ID),
    ("optional/format-assertion", "schema that uses custom metaschema with format-assertion: false", DIALECT),
    ("optional/format-assertion", "schema that uses custom metaschema with format-assertion: true", DIALECT),
    ("vocabulary", "schema that uses custom metaschema with with no validation vocabulary", DIALECT),
    ("vocabulary", "ignore unrecognized optional vocabulary", DIALECT),
];

const IDN: &str =
    "internationalized names are not looked at: it takes tables of Unicode to judge them";

/// Groups in which both our verdicts differ from the suite's: file, name, in how many cases, reason.
#[rustfmt::skip]
pub(crate) const DIFFERENT: &[(&str, &str, usize, &str)] = &[
    ("optional/format/idn-email", "validation of an internationalized e-mail addresses", 2, IDN),
    ("optional/format/idn-hostname", "validation of internationalized host names", 30, IDN),
    ("optional/format/idn-hostname", "validation of separators in internationalized host names", 4, IDN),
];
