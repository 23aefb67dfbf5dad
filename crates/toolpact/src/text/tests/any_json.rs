//! Whatever comes, within whatever budget.

use proptest::prelude::*;
use serde_json::{Value as Json, json};
use toolpact_core::json::Value;
use toolpact_core::returns::{Returns, StandardError, StandardType};

use super::super::{Budget, of_value};
use super::standard;

fn any_returns() -> impl Strategy<Value = Returns> {
    let others = [
        Returns::Opaque,
        Returns::Undeclared,
        Returns::Legacy {
            type_word: None,
            description: None,
        },
    ];
    let all: Vec<Returns> = StandardType::all().map(standard).chain(others).collect();
    prop::sample::select(all)
}

/// Keys that mean something to some type, and one that means nothing.
const KEYS: [&str; 40] = [
    "success",
    "data",
    "error",
    "metadata",
    "id",
    "type",
    "attributes",
    "relationships",
    "meta",
    "operation_id",
    "status",
    "progress",
    "percent",
    "current_step",
    "message",
    "result",
    "created_at",
    "value",
    "unit",
    "pagination",
    "page",
    "total",
    "total_pages",
    "has_next",
    "batch_id",
    "items",
    "errors",
    "count",
    "code",
    "details",
    "file",
    "name",
    "size",
    "media",
    "dimensions",
    "event",
    "chunk_id",
    "sequence",
    "total_chunks",
    "x|\n",
];

fn any_leaf() -> impl Strategy<Value = Json> + Clone {
    prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<f64>().prop_map(Json::from),
        "\\PC{0,20}".prop_map(Json::from),
        "(.|\n|\\||é){0,60}".prop_map(Json::from),
        Just(json!("long ".repeat(500))),
    ]
}

/// Strings of which it is seen whether they are whole.
fn marked() -> impl Strategy<Value = Json> + Clone {
    prop_oneof![
        Just(json!(true)),
        Just(json!(false)),
        any::<i8>().prop_map(Json::from),
        "[a-z|é\"]{0,30}".prop_map(|word| json!(format!("<{word}>"))),
        Just(json!(format!("<{}>", "x".repeat(700)))),
    ]
}

fn json_of(leaf: impl Strategy<Value = Json> + 'static) -> impl Strategy<Value = Json> {
    leaf.prop_recursive(5, 60, 8, |inner| {
        let key = prop::sample::select(KEYS.to_vec());
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Json::from),
            prop::collection::btree_map(key, inner, 0..8)
                .prop_map(|members| members.into_iter().collect()),
        ]
    })
}

/// The example of a type with something else grafted onto it in a few places, so that values come
/// near to what the types expect.
fn nearly(leaf: impl Strategy<Value = Json> + 'static) -> impl Strategy<Value = (Returns, Json)> {
    let types: Vec<StandardType> = StandardType::all().collect();
    let path = prop::collection::vec(0_usize..8, 1..5);
    let grafts = prop::collection::vec((path, json_of(leaf)), 0..5);
    (prop::sample::select(types), grafts).prop_map(|(of, grafts)| {
        let example = of.examples().pop();
        let mut json: Json = example.unwrap().deserialize().unwrap();
        for (path, new) in grafts {
            graft(&mut json, &path, new);
        }
        (standard(of), json)
    })
}

fn graft(onto: &mut Json, path: &[usize], new: Json) {
    match (onto, path.split_first()) {
        (Json::Array(items), Some((step, path))) if !items.is_empty() => {
            let at = step % items.len();
            graft(&mut items[at], path, new);
        }
        (Json::Object(members), Some((step, path))) if !members.is_empty() => {
            let at = step % members.len();
            graft(members.values_mut().nth(at).unwrap(), path, new);
        }
        (onto, _) => *onto = new,
    }
}

fn any_result(
    leaf: impl Strategy<Value = Json> + Clone + 'static,
) -> impl Strategy<Value = (Returns, Json)> {
    prop_oneof![nearly(leaf.clone()), (any_returns(), json_of(leaf))]
}

proptest! {
    #[test]
    fn budgets_are_kept((returns, json) in any_result(any_leaf()), chars in 0_usize..600) {
        let value = Value::try_from(&json).unwrap();
        let budget = Budget::new(chars).with_handle("result_1");
        let rendered = of_value(&returns, value.root(), &budget);
        let most = chars + Budget::CLOSING + "result_1".len();
        prop_assert!(rendered.text.chars().count() <= most, "{}", rendered.text);
        prop_assert_eq!(rendered.cut.is_some(), rendered.text.contains("`result_1`"));
        if let Some(cut) = rendered.cut {
            prop_assert!(cut.shown < cut.total, "{cut:?}");
        }
    }

    /// Wherever a string is, it is whole in the text, or not there at all.
    #[test]
    fn no_string_is_cut((returns, json) in any_result(marked()), chars in 0_usize..600) {
        let value = Value::try_from(&json).unwrap();
        let text = of_value(&returns, value.root(), &Budget::new(chars)).text;
        prop_assert_eq!(text.matches('<').count(), text.matches('>').count(), "{}", text);
    }

    /// Where there is room for everything, everything is there.
    #[test]
    fn nothing_is_lost_without_need(json in json_of(marked())) {
        let value = Value::try_from(&json).unwrap();
        prop_assume!(StandardError::of_failure(value.root()).is_none());
        let rendered = of_value(&Returns::Undeclared, value.root(), &Budget::new(1_000_000));
        prop_assert_eq!(rendered.cut, None, "{}", rendered.text);
        let given = value.text().matches('<').count();
        prop_assert_eq!(rendered.text.matches('<').count(), given, "{}", rendered.text);
    }

    /// Every item of a list is whole in the text, or not there at all.
    #[test]
    fn no_item_is_cut(
        words in prop::collection::vec("[a-z|é\n]{0,30}", 0..40),
        chars in 0_usize..800,
        as_rows: bool,
    ) {
        let items = words.iter().enumerate().map(|(i, word)| match as_rows {
            true => json!({"id": i, "word": format!("<{word}>"), "sum": 1}),
            false => json!(format!("<{i}{word}>")),
        });
        let json = json!({"success": true, "data": items.collect::<Json>()});
        let value = Value::try_from(&json).unwrap();
        let returns = standard(StandardType::ListResult);
        let rendered = of_value(&returns, value.root(), &Budget::new(chars));
        let shown = rendered.cut.map_or(words.len(), |cut| cut.shown);
        prop_assert_eq!(rendered.text.matches('<').count(), shown);
        prop_assert_eq!(rendered.text.matches('>').count(), shown);
    }

    /// Every field is whole, or replaced by its size, or counted.
    #[test]
    fn no_field_is_cut(words in prop::collection::vec("[a-z]{0,200}", 1..20), chars in 0_usize..2_000) {
        let members = words.iter().enumerate();
        let json: Json = members.map(|(i, word)| (format!("k{i}"), json!(format!("<{word}>")))).collect();
        let value = Value::try_from(&json).unwrap();
        let rendered = of_value(&Returns::Undeclared, value.root(), &Budget::new(chars));
        let shown = rendered.cut.map_or(words.len(), |cut| cut.shown);
        prop_assert_eq!(rendered.text.matches('<').count(), shown);
        prop_assert_eq!(rendered.text.matches('>').count(), shown);
    }
}
