//! ALTAR Data Model: function declarations, without a word about results.

use crate::contract::Parameters;

use super::draft::{Log, Step, top_down};
use super::layout::{Layout, Parts, list_under};
use super::loss::{Effect, LossKind};
use super::profile::Profile;
use super::references::References;
use super::transform as step;
use super::tree::Tree;

pub(super) const LAYOUT: Layout = Layout {
    input: &PROFILE,
    output: None,
    effects: false,
    text: false,
    timeout: false,
    tool,
    list: |tools| list_under("function_declarations", tools),
};

const PROFILE: Profile = Profile {
    references: References::Inline,
    steps: &[
        WORDS,
        step::BOOLEANS,
        step::ALL_OF,
        step::UNEVALUATED,
        step::CONDITIONS,
        step::ONE_OF,
        step::OBJECT_ROOT,
        step::CONSTS,
        step::TUPLES,
        step::NULL_UNIONS,
        step::STRING_ENUMS,
        step::LIST_TYPES,
        step::DISTRIBUTE,
        step::FIRST_OF_UNION,
        step::STRING_ENUMS,
        step::ONE_TYPE,
        step::NO_EFFECT,
        step::REQUIRED_NAMED,
        step::ANY_VALUE,
        step::OPEN,
        step::SIEVE,
        step::UPPER_CASE,
    ],
    keywords: Some(&[
        "type",
        "description",
        "properties",
        "required",
        "items",
        "enum",
    ]),
    formats: None,
    keys: None,
    tells: true,
};

/// A contract in the words of JSON Schema is another one in the words of ADM.
const WORDS: Step = Step {
    name: "words",
    about: "writes JSON Schema in the words of ADM",
    apply: |tree, log| {
        if let Tree::Object(map) = tree {
            log.rewritten(
                map,
                "",
                "the words of JSON Schema",
                "written in those of ADM",
            );
        }
    },
};

fn tool(parts: Parts<'_>) -> Tree {
    let mut tool = parts.named();
    tool.set("parameters", parts.input);
    Tree::Object(tool)
}

/// The schema of ADM as it is, if that is what the contract has.
pub(super) fn verbatim(parameters: &Parameters) -> Option<Tree> {
    match parameters {
        Parameters::Adm(schema) => {
            let place = crate::Pointer::root().key("parameters");
            Some(Tree::of(schema.to_value().root(), &place))
        }
        Parameters::JsonSchema(_) => None,
    }
}

/// What comes of reading ADM as JSON Schema: a few words of it need not be told.
pub(super) fn to_json_schema(tree: &mut Tree, log: &mut Log) {
    let (least, most) = (i64::MIN.to_string(), i64::MAX.to_string());
    let is =
        |value: Option<&Tree>, text: &str| matches!(value, Some(Tree::Number(n)) if **n == *text);
    top_down(tree, &mut |map| {
        // That an INTEGER has 64 bits everybody takes for granted.
        if is(map.get("minimum"), &least) && is(map.get("maximum"), &most) {
            map.take("minimum");
            map.take("maximum");
        }
    });
    let what = (LossKind::Rewritten, Effect::Documentation);
    let place = log.place.clone();
    log.lose(
        &place,
        "",
        what,
        "the words of ADM",
        "written as JSON Schema",
    );
}
