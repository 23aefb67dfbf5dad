//! How many schemas are checked on the fast path, and why the others are not.

use std::collections::BTreeMap;
use toolpact_core::Pointer;
use toolpact_core::check::Checker;
use toolpact_core::violation::Token;

/// Counts schemas.
#[derive(Default)]
pub(crate) struct Coverage {
    schemas: usize,
    uncovered: Vec<Reason>,
}

/// Why a schema is not checked on the fast path.
struct Reason {
    name: String,
    pointer: Pointer,
    why: String,
}

impl Coverage {
    /// Counts a schema, which a reader of the report can find by its name.
    pub(crate) fn count(&mut self, name: &str, checker: &Checker) {
        self.schemas += 1;
        let reason = checker.uncovered().map(|uncovered| Reason {
            name: name.to_owned(),
            pointer: uncovered.pointer.clone(),
            why: uncovered.why.clone(),
        });
        self.uncovered.extend(reason);
    }

    /// How many of a hundred schemas are on the fast path, rounded down.
    pub(crate) fn percent(&self) -> usize {
        100 * (self.schemas - self.uncovered.len()) / self.schemas.max(1)
    }

    /// The numbers, with the reasons by keyword, the most frequent first.
    pub(crate) fn summary(&self) -> String {
        let (all, percent) = (self.schemas, self.percent());
        let covered = all - self.uncovered.len();
        let mut text = format!("fast path: {covered} of {all} schemas, {percent} %\n");
        let mut keywords: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for Reason { pointer, why, .. } in &self.uncovered {
            keywords.entry(keyword(pointer)).or_default().push(why);
        }
        let mut keywords: Vec<_> = keywords.into_iter().collect();
        keywords.sort_by_key(|(_, found)| std::cmp::Reverse(found.len()));
        for (keyword, found) in keywords {
            let (count, example) = (found.len(), found[0]);
            text += &format!("{count:>6}  {keyword}: {example}\n");
        }
        text
    }

    /// The reason for each schema that is not on the fast path.
    pub(crate) fn reasons(&self) -> String {
        let line = |reason: &Reason| {
            let Reason { name, pointer, why } = reason;
            format!("  {name} at {pointer}: {why}\n")
        };
        self.uncovered.iter().map(line).collect()
    }
}

/// Keywords whose members have names of their own.
const NAMED: [&str; 6] = [
    "$defs",
    "definitions",
    "dependencies",
    "dependentSchemas",
    "patternProperties",
    "properties",
];

/// The last keyword on the way to a place in a schema.
fn keyword(pointer: &Pointer) -> &str {
    let (mut last, mut is_name) = ("the schema itself", false);
    for token in pointer.tokens() {
        let Token::Key(key) = token else { continue };
        if !is_name {
            last = key;
        }
        is_name = !is_name && NAMED.contains(&&**key);
    }
    last
}

#[test]
fn a_property_by_the_name_of_a_keyword_is_none() {
    let subschema = Pointer::root().key("properties").key("items");
    assert_eq!(keyword(&subschema), "properties");
    assert_eq!(keyword(&subschema.key("anyOf").index(1)), "anyOf");
    assert_eq!(keyword(&Pointer::root()), "the schema itself");
}

#[test]
fn reasons_come_by_keyword_and_the_most_frequent_first() {
    let root = Pointer::root();
    let reason = |name: &str, pointer: Pointer| Reason {
        name: name.to_owned(),
        why: "not known".to_owned(),
        pointer,
    };
    let coverage = Coverage {
        schemas: 12,
        uncovered: vec![
            reason("a", root.key("$dynamicRef")),
            reason("b", root.key("properties").key("x").key("not")),
            reason("c", root.key("not")),
        ],
    };
    assert_eq!(
        coverage.summary(),
        "fast path: 9 of 12 schemas, 75 %\n     2  not: not known\n     1  $dynamicRef: not known\n"
    );
    assert!(
        coverage
            .reasons()
            .contains("  b at /properties/x/not: not known\n")
    );
}
