//! Documents that other tests go through: of the rules, of the page, and the examples.

use crate::json::{Document, Format, Limits};
use crate::violation::Subject;
use crate::violation::rules;

use super::{page, tool};

pub(super) struct Fixture {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) format: Format,
}

impl Fixture {
    pub(super) fn document(&self) -> Document {
        Document::parse(self.text.as_bytes(), self.format, &Limits::default())
    }
}

pub(super) const SHOP: &str = include_str!("../../../../../examples/shop.yaml");

pub(super) fn all() -> Vec<Fixture> {
    let yaml = |name: &str, text: String| Fixture {
        name: name.to_owned(),
        text,
        format: Format::Yaml,
    };
    let mut list = vec![yaml("shop.yaml", SHOP.to_owned())];
    list.extend(page::blocks().into_iter().map(|block| block.fixture));
    for rule in rules::all().filter(|rule| rule.wrong.subject == Subject::Contract) {
        for (side, example) in [("wrong", &rule.wrong), ("right", &rule.right)] {
            list.push(Fixture {
                name: format!("{} {side}", rule.code),
                text: String::from_utf8(example.text.to_vec()).unwrap(),
                format: Format::Json,
            });
        }
    }
    let cases = super::fields::CASES.iter().chain(super::returns::CASES);
    list.extend(cases.map(|(fields, _)| yaml(fields, tool(fields))));
    list
}
