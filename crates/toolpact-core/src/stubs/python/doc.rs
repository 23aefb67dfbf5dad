//! Descriptions as docstrings.

use crate::stubs::text::lines;

/// A docstring with these paragraphs, or nothing if they are blank.
///
/// Lines after the first are always indented, because mypy interprets `# mypy:` at the beginning of
/// a line, even in a string.
pub(super) fn docstring(paragraphs: &[String], indent: &str) -> String {
    let text = escape(&lines(&paragraphs.join("\n\n")).join("\n"));
    let lines: Vec<&str> = text.split('\n').collect();
    let inside = if indent.is_empty() { "    " } else { indent };
    match lines.as_slice() {
        [] | [""] => String::new(),
        [one] => format!("{indent}\"\"\"{one}\"\"\"\n"),
        [first, others @ ..] => {
            let mut out = format!("{indent}\"\"\"{first}\n");
            for line in others {
                if line.is_empty() {
                    out.push('\n');
                } else {
                    out.push_str(&format!("{inside}{line}\n"));
                }
            }
            out + indent + "\"\"\"\n"
        }
    }
}

/// `Args:` and the like, with a description for each name.
pub(super) fn section<'a>(
    title: &str,
    entries: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Option<String> {
    let mut out = String::new();
    for (name, about) in entries {
        let lines = lines(about);
        let Some((first, others)) = lines.split_first() else {
            continue;
        };
        out.push_str(&match name {
            "" => format!("\n    {first}"),
            name => format!("\n    {name}: {first}"),
        });
        for line in others {
            out.push_str(&format!("\n        {line}"));
        }
    }
    (!out.is_empty()).then(|| format!("{title}:{out}"))
}

/// No quotes beside each other or at the end, which could end the docstring, and no backslash that
/// starts an escape.
fn escape(text: &str) -> String {
    let text = text.trim();
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        if c == '\\' || c == '"' && (before == '"' || chars.peek().is_none()) {
            out.push('\\');
        }
        out.push(c);
        before = c;
    }
    out
}
