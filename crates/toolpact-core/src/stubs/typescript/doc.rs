//! Descriptions as JSDoc.

use crate::json::Value;
use crate::stubs::text::lines;

/// Longer defaults are not shown.
const LONGEST: usize = 120;

/// A comment, or nothing if there is nothing to say.
pub(super) fn comment(about: Option<&str>, default: Option<&Value>, indent: &str) -> String {
    let mut lines = lines(about.unwrap_or_default());
    lines.retain_mut(|line| {
        *line = escape(line);
        true
    });
    let default = default.filter(|value| value.text().len() <= LONGEST);
    let default = default.map(|value| format!("@default {}", escape(&one_line(value))));
    if lines.iter().all(String::is_empty) {
        lines.clear();
    }
    lines.extend(default);
    match lines.as_slice() {
        [] => String::new(),
        [one] => format!("{indent}/** {one} */\n"),
        many => {
            let mut out = format!("{indent}/**\n");
            for line in many {
                out.push_str(format!("{indent} * {line}").trim_end());
                out.push('\n');
            }
            out + indent + " */\n"
        }
    }
}

fn one_line(value: &Value) -> String {
    self::lines(value.text()).join(" ")
}

/// Nothing that ends the comment, and no `@` that begins a tag: `@ts-ignore` would be obeyed.
fn escape(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut before = ' ';
    for c in line.chars() {
        let is_special = c == '/' && before == '*' || c == '@' && !before.is_alphanumeric();
        if is_special {
            out.push('\\');
        }
        out.push(c);
        before = c;
    }
    out
}
