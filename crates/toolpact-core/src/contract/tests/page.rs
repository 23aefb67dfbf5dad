//! The examples of `docs/contract-document.md` and `examples/shop.yaml` are what they say.

use crate::contract::ContractDocument;
use crate::json::Format;

use super::fixtures::{self, Fixture};
use super::{check_yaml, codes, tool};

const PAGE: &str = include_str!("../../../../../docs/contract-document.md");

pub(super) struct Block {
    pub(super) fixture: Fixture,
    /// The code of the rule it breaks.
    wrong: Option<&'static str>,
}

/// The blocks of YAML and JSON. After the language, `tool` makes a block the fields of one tool,
/// and `wrong` names the rule it breaks.
pub(super) fn blocks() -> Vec<Block> {
    let mut pieces = PAGE.split("\n```");
    pieces.next();
    let mut blocks = Vec::new();
    while let (Some(block), _) = (pieces.next(), pieces.next()) {
        let (info, text) = block.split_once('\n').unwrap();
        let words: Vec<&str> = info.split(' ').collect();
        let format = match words[0] {
            "yaml" => Format::Yaml,
            "json" => Format::Json,
            _ => continue,
        };
        let wrong = words.iter().position(|word| *word == "wrong");
        let text = match words.get(1) {
            Some(&"tool") => tool(text),
            _ => text.to_owned(),
        };
        blocks.push(Block {
            fixture: Fixture {
                name: format!("{info}:\n{text}"),
                text,
                format,
            },
            wrong: wrong.map(|at| words[at + 1]),
        });
    }
    blocks
}

#[test]
fn every_block_is_right_or_breaks_the_rule_it_names() {
    let blocks = blocks();
    assert!(blocks.len() > 30, "{}", blocks.len());
    for Block { fixture, wrong } in &blocks {
        let checked = ContractDocument::check(&fixture.document());
        let expected: Vec<&str> = wrong.iter().copied().collect();
        assert_eq!(
            codes(&checked),
            expected,
            "{}\n{}",
            fixture.name,
            checked.violations
        );
    }
}

#[test]
fn every_field_is_on_the_page() {
    let schema: serde_json::Value = serde_json::from_str(crate::contract::json_schema()).unwrap();
    for properties in [
        &schema["properties"],
        &schema["$defs"]["Contract"]["properties"],
    ] {
        for field in properties.as_object().unwrap().keys() {
            assert!(PAGE.contains(&format!("\n## `{field}`\n")), "{field}");
        }
    }
}

#[test]
fn the_shop_is_clean() {
    let checked = check_yaml(fixtures::SHOP);
    assert!(checked.violations.is_empty(), "{}", checked.violations);
    assert_eq!(checked.value.unwrap().tools().len(), 6);
}
