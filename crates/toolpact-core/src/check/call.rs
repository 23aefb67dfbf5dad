//! The parameters of all functions of a set, compiled together to check a call in one pass.

use super::fast::{CallProgram, Program};
use crate::model::Schema;

/// The program for calls of these functions. For those without ADM parameters only the name is
/// checked, and their arguments are left to the caller.
pub(crate) fn calls<'a>(
    functions: impl Iterator<Item = (&'a str, Option<&'a Schema>)>,
) -> Option<CallProgram> {
    let (names, schemas): (Vec<_>, Vec<_>) = functions.unzip();
    let names = names.into_iter().map(Box::from).collect();
    CallProgram::new(names, |program| {
        let node = |schema: Option<&Schema>| program.add_arguments(schema?);
        schemas.into_iter().map(node).collect()
    })
}

/// Whether the fast path can check arguments against an ADM schema.
pub(crate) fn covers(schema: &Schema) -> bool {
    Program::default().add_arguments(schema).is_some()
}
