//! ALTAR Data Model: function declarations, which do not describe results.

use crate::contract::{Contract, Parameters};
use crate::json::Node;
use crate::model::FunctionDeclaration;
use crate::schema::keyword_names;

use super::layout::{Layout, Parts};
use super::loss::{Effect, LossKind};
use super::profile::Profile;
use super::references::References;
use super::shape::Spelling;
use super::spec::{Candidate, Claim, Evidence, List, Spec};
use super::step::Log;
use super::transform::steps;
use super::tree::Tree;
use super::walk::top_down;

pub(super) const SPEC: Spec = Spec {
    layout: Some(&LAYOUT),
    list: List::Between(r#"{"function_declarations":["#, "]}"),
    read: |node, _, _| FunctionDeclaration::from_value(&node.to_value()).map(Contract::from),
    claims,
    list_keys: &["function_declarations"],
    input_keys: &["parameters"],
    output_keys: &[],
    messages: None,
    any_name: false,
    limits: None,
};

const LAYOUT: Layout = Layout {
    input: &PROFILE,
    output: None,
    effects: false,
    text: false,
    timeout: false,
    tool,
};

const PROFILE: Profile = Profile {
    references: References::Inline,
    steps: steps![
        ADM_WORDS BOOLEANS ALL_OF UNEVALUATED CONDITIONS ONE_OF OBJECT_ROOT CONSTS TUPLES NULL_UNIONS
        STRING_ENUMS LIST_TYPES DISTRIBUTE FIRST_OF_UNION STRING_ENUMS ONE_TYPE NO_EFFECT
        REQUIRED_NAMED ANY_VALUE OPEN UNSUPPORTED UPPER_CASE
    ],
    keywords: Some(KEYWORDS),
    formats: None,
    keys: None,
    tells: true,
};

const KEYWORDS: &[&str] = keyword_names!("type description properties required items enum");

/// Claims upper-case types with no keywords other than those of ADM.
pub(super) fn claims(one: Candidate<'_>) -> Option<Claim> {
    let parameters = one.tool.get("parameters")?;
    let is_adm = Spelling::of(parameters).upper && uses_only_words_of_adm(parameters);
    let is_gemini = one.has("response") || one.list == Some("functionDeclarations");
    (is_adm && !is_gemini).then_some(Claim {
        by: Evidence::Parameters,
        is_certain: true,
    })
}

fn uses_only_words_of_adm(schema: Node<'_>) -> bool {
    let mut schemas = crate::schema::subschemas(schema).into_iter();
    schemas.all(|schema| schema.members().all(|(key, _)| KEYWORDS.contains(&&*key)))
}

fn tool(parts: Parts<'_>) -> Tree {
    let mut tool = parts.named();
    tool.set("parameters", parts.input);
    Tree::Object(tool)
}

/// The ADM schema unchanged, if the contract's parameters are one.
pub(super) fn verbatim(parameters: &Parameters) -> Option<Tree> {
    match parameters {
        Parameters::Adm(schema) => {
            let place = crate::Pointer::root().key("parameters");
            Some(Tree::of(schema.to_value().root(), &place))
        }
        Parameters::JsonSchema(_) => None,
    }
}

/// Cleans up ADM that was converted to JSON Schema: drops the bounds implied by `INTEGER`.
pub(super) fn to_json_schema(tree: &mut Tree, log: &mut Log) {
    let (least, most) = (i64::MIN.to_string(), i64::MAX.to_string());
    let is =
        |value: Option<&Tree>, text: &str| matches!(value, Some(Tree::Number(n)) if **n == *text);
    top_down(tree, &mut |map| {
        // Every reader assumes that an integer has 64 bits.
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
