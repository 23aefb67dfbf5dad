//! JSON with syntax highlighting.

use toolpact_core::json::{Value, next_token};

use super::escape;

/// A code block with a value, over several lines.
pub(super) fn block(value: &Value, class: &str) -> String {
    let json = value.to_pretty();
    let (mut out, mut rest) = (String::new(), &*json);
    while let Some((space, token, after)) = next_token(rest) {
        out.push_str(space);
        out.push_str(&coloured(token, after));
        rest = after;
    }
    format!("<pre class=\"{class}\" tabindex=\"0\"><code>{out}</code></pre>\n")
}

fn coloured(token: &str, after: &str) -> String {
    let class = match token.as_bytes().first() {
        Some(b'"') if after.starts_with(':') => "k",
        Some(b'"') => "s",
        Some(b'{' | b'}' | b'[' | b']' | b',' | b':') => return escape::text(token),
        _ => "n",
    };
    format!("<span class=\"{class}\">{}</span>", escape::text(token))
}
