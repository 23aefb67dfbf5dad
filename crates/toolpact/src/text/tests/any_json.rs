//! Whatever comes, within whatever budget.

use proptest::prelude::*;
use serde_json::{Value as Json, json};
use toolpact_core::json::Value;
use toolpact_core::returns::{Returns, StandardType};

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

fn any_json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<f64>().prop_map(Json::from),
        "\\PC{0,20}".prop_map(Json::from),
        "(.|\n|\\||é){0,60}".prop_map(Json::from),
        Just(json!("long ".repeat(500))),
    ];
    leaf.prop_recursive(5, 60, 8, |inner| {
        let key = prop::sample::select(KEYS.to_vec());
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Json::from),
            prop::collection::btree_map(key, inner, 0..8)
                .prop_map(|members| members.into_iter().collect()),
        ]
    })
}

proptest! {
    #[test]
    fn budgets_are_kept(returns in any_returns(), json in any_json(), chars in 0_usize..600) {
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
