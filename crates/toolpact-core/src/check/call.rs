//! What the functions of a set take, compiled together so that a call is checked in one pass.

use super::fast::{CallProgram, Program};
use crate::model::Schema;

/// The program for calls of these functions. Those without parameters in the words of ADM are known
/// by their names only, and their arguments are left to others.
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

/// Whether the fast path can hold arguments to a schema of ADM.
pub(crate) fn covers(schema: &Schema) -> bool {
    Program::default().add_arguments(schema).is_some()
}
