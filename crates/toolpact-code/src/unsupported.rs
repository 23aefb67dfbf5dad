//! Python that scripts cannot use, in words for those who write scripts.

/// How the interpreter begins, which is no name that its users know.
const PREFIX: &str = "The monty syntax parser does not yet support ";

/// What to write instead, by how the interpreter names what it does not support.
const INSTEAD: [(&str, &str); 16] = [
    (
        "the 'del' statement",
        "use `.pop()` for parts, and leave names alone",
    ),
    ("type aliases", "write the type where it is used"),
    (
        "async for loops",
        "use a plain `for` over `await asyncio.gather(…)`",
    ),
    (
        "async comprehensions",
        "use a plain one over `await asyncio.gather(…)`",
    ),
    ("async context managers", "use a plain `with`, or `try`"),
    ("pattern matching", "use `if` and `elif`"),
    ("exception groups", "use `except`"),
    (
        "class inheritance",
        "use classes without bases, or functions",
    ),
    ("method decorators", "use plain methods, or functions"),
    ("complex class variable", "assign in `__init__`"),
    ("class bodies", "assign in `__init__`"),
    ("assignment expressions", "assign in `__init__`"),
    ("yield", "return a list"),
    ("template strings", "use an f-string"),
    (
        "starred expressions",
        "add lists with `+`, or name the elements",
    ),
    ("multiple **kwargs", "merge the dicts first"),
];

/// The message of the interpreter about syntax, without its name.
pub(crate) fn in_words(message: &str) -> String {
    let Some(what) = message.strip_prefix(PREFIX) else {
        return message.to_owned();
    };
    let advice = INSTEAD.iter().find(|(name, _)| what.starts_with(name));
    let advice = advice.map_or("write it without", |(_, advice)| advice);
    format!("scripts do not support {what}; {advice}")
}
