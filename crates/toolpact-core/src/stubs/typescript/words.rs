//! Words that already have a meaning in TypeScript.

use crate::text::words;

/// Names that the declarations use or declare.
pub(super) const DECLARED: &[&str] = &["Error", "Promise", "Record", "ToolError"];

/// A function of such a name is not allowed, or would hide another name.
pub(super) fn is_reserved(name: &str) -> bool {
    const WORDS: &[&str] = words!(
        "arguments async await break case catch class const continue debugger declare default \
         delete do else enum eval export exports extends false finally for function if implements \
         import in instanceof interface let module new null package private protected public \
         require return static super switch this throw true try typeof undefined var void while \
         with yield"
    );
    WORDS.contains(&name) || DECLARED.contains(&name)
}
