mod corpus;
mod samples;
mod tools;

use proptest::prelude::*;

use super::{Confidence, MATRIX, for_sample, for_schema, for_tool, for_use_case};
use crate::json::Value;
use crate::returns::StandardType::{self, *};
use crate::schema::JsonSchema;
use Confidence::{Certain, Likely, Unsure};

#[test]
fn every_row_of_the_matrix() {
    for row in &MATRIX {
        let choice = for_use_case(row.use_case);
        assert_eq!(
            choice.standard(),
            row.recommended,
            "{}: {choice}",
            row.use_case
        );
        assert_eq!(choice.confidence(), Likely, "{}: {choice}", row.use_case);
        assert!(
            choice.alternatives().contains(&row.alternative),
            "{}: {choice}",
            row.use_case
        );
    }
}

#[test]
fn every_example_is_a_sample_of_its_type() {
    for standard in StandardType::all() {
        for example in standard.examples() {
            let choice = for_sample(&example);
            assert_eq!(
                (choice.standard(), choice.confidence()),
                (standard, Certain),
                "{example}"
            );
        }
        let choice = for_schema(&standard.schema());
        assert_eq!(
            (choice.standard(), choice.confidence()),
            (standard, Certain)
        );
        let choice = for_use_case(standard.name());
        assert_eq!(
            (choice.standard(), choice.confidence()),
            (standard, Certain)
        );
    }
}

proptest! {
    #[test]
    fn any_words_have_an_answer(name in ".*", description in ".*", old in "[a-z]{0,8}") {
        let choice = for_tool(&name, &description, &old, &description);
        prop_assert!(!choice.reasons().is_empty());
        prop_assert!(!choice.alternatives().contains(&choice.standard()));
        // By the words alone, nothing is certain.
        prop_assert!(choice.confidence() < Certain);
    }
}
