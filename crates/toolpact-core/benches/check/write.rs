//! The inputs as files, for other languages.

use std::error::Error;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::cases::{Case, Subject};

pub(crate) fn inputs(folder: &Path, cases: &[&Case]) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for case in cases {
        let file = |suffix: &str| folder.join(format!("{}.{suffix}", case.name));
        fs::write(file("json"), &case.valid)?;
        fs::write(file("invalid.json"), &case.invalid)?;
        fs::write(file("schema.json"), schema(case).to_string())?;
    }
    Ok(())
}

/// Of the whole text, so that a validator needs to know nothing of calls.
fn schema(case: &Case) -> Value {
    match &case.subject {
        Subject::Result(_) => case.schema.clone(),
        Subject::Call { function, .. } => json!({
            "type": "object",
            "properties": {"name": {"const": function}, "args": case.schema},
            "required": ["name", "args"],
            "additionalProperties": false,
        }),
    }
}
