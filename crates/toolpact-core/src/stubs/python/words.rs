//! Words that already have a meaning in Python.

use crate::text::words;

pub(super) fn is_keyword(name: &str) -> bool {
    const KEYWORDS: [&str; 35] = [
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class",
        "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global",
        "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return",
        "try", "while", "with", "yield",
    ];
    KEYWORDS.contains(&name)
}

/// A function of such a name would hide it from scripts, or from the declarations.
pub(super) fn is_reserved(name: &str) -> bool {
    is_keyword(name) || DECLARED.contains(&name) || is_builtin(name)
}

/// Names that the declarations use or declare, and names provided to scripts.
pub(super) const DECLARED: &[&str] = words!(
    "Any Literal Never NotRequired ToolError ToolFailure TypeAlias TypedDict RuntimeError \
     tool_error tool_task"
);

/// Names of types in the declarations: a key of that name would hide the type inside its class.
pub(super) fn is_type_word(name: &str) -> bool {
    const WORDS: [&str; 6] = ["bool", "dict", "float", "int", "list", "str"];
    WORDS.contains(&name) || DECLARED.contains(&name)
}

fn is_builtin(name: &str) -> bool {
    const FUNCTIONS: &[&str] = words!(
        "abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr \
         classmethod compile complex copyright credits delattr dict dir divmod enumerate eval exec \
         exit filter float format frozenset getattr globals hasattr hash help hex id input int \
         isinstance issubclass iter len license list locals map max memoryview min next object oct \
         open ord pow print property quit range repr reversed round set setattr slice sorted \
         staticmethod str sum super tuple"
    );
    const OTHERS: [&str; 5] = ["Ellipsis", "NotImplemented", "type", "vars", "zip"];
    const GROUPS: &[&str] = words!("BaseException ExceptionGroup BaseExceptionGroup Exception");
    const STOPS: &[&str] =
        words!("GeneratorExit KeyboardInterrupt StopAsyncIteration StopIteration SystemExit");
    let is_exception = name.ends_with("Error") || name.ends_with("Warning");
    FUNCTIONS.contains(&name)
        || OTHERS.contains(&name)
        || GROUPS.contains(&name)
        || STOPS.contains(&name)
        || is_exception && EXCEPTIONS.contains(&name)
}

const EXCEPTIONS: &[&str] = words!(
    "ArithmeticError AssertionError AttributeError BlockingIOError BrokenPipeError BufferError \
     BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError \
     ConnectionResetError DeprecationWarning EOFError EncodingWarning EnvironmentError \
     FileExistsError FileNotFoundError FloatingPointError FutureWarning IOError ImportError \
     ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError \
     LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplementedError \
     OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError \
     PythonFinalizationError RecursionError ReferenceError ResourceWarning RuntimeError \
     RuntimeWarning SyntaxError SyntaxWarning SystemError TabError TimeoutError TypeError \
     UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError \
     UnicodeWarning UserWarning ValueError ZeroDivisionError"
);
