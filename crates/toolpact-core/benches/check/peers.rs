//! The libraries one would use instead. Everything that can be made ready once is.

use std::error::Error;
use std::hint::black_box;

use boon::{Compiler, Draft, Schemas};
use jsonschema::PatternOptions;
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::cases::{Case, Subject};
use crate::engines::Check;

pub(crate) fn serde_ignored(json: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(json).is_ok()
}

pub(crate) fn serde_value(json: &[u8]) -> bool {
    black_box(serde_json::from_slice::<Value>(json)).is_ok()
}

pub(crate) fn sonic_value(json: &[u8]) -> bool {
    black_box(sonic_rs::from_slice::<sonic_rs::Value>(json)).is_ok()
}

/// With the options that toolpact itself gives it.
pub(crate) fn jsonschema(case: &Case, formats: bool) -> Result<Check<'_>, Box<dyn Error>> {
    let validator = jsonschema::draft202012::options()
        .offline()
        .should_validate_formats(formats)
        .with_pattern_options(PatternOptions::regex())
        .build(&case.schema)?;
    Ok(parsed(case, move |value| validator.is_valid(value)))
}

pub(crate) fn boon(case: &Case) -> Result<Check<'_>, Box<dyn Error>> {
    let mut compiler = Compiler::new();
    compiler.set_default_draft(Draft::V2020_12);
    compiler.enable_format_assertions();
    compiler.add_resource("schema.json", case.schema.clone())?;
    let mut schemas = Schemas::new();
    let index = compiler.compile("schema.json", &mut schemas);
    // Its error borrows the schema.
    let index = index.map_err(|error| error.to_string())?;
    Ok(parsed(case, move |value| {
        schemas.validate(value, index).is_ok()
    }))
}

/// A validator needs a tree, and for a call someone has to look at the name.
fn parsed<'a>(case: &'a Case, validate: impl Fn(&Value) -> bool + 'a) -> Check<'a> {
    match &case.subject {
        Subject::Call { function, .. } => Box::new(move |json| {
            let Ok(call) = serde_json::from_slice::<Value>(json) else {
                return false;
            };
            call["name"] == **function && validate(&call["args"])
        }),
        Subject::Result(_) => Box::new(move |json| {
            serde_json::from_slice::<Value>(json).is_ok_and(|value| validate(&value))
        }),
    }
}
