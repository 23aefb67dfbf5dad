//! Pretty-printed JSON.

use super::Value;

/// Containers up to this width stay on one line.
const WIDTH: usize = 60;
/// The deepest indentation, so that deep nesting does not make the output large.
const DEEPEST: usize = 40;

/// Pretty-prints a value, numbers as they were written. It iterates over tokens and does not
/// recurse, so nesting is unlimited.
pub(crate) fn pretty(value: &Value) -> String {
    let tokens = tokens(value.text());
    let (mut out, mut depth, mut at) = (String::new(), 0_usize, 0);
    while let Some(token) = tokens.get(at).copied() {
        match token {
            "{" | "[" => {
                if let Some((line, after)) = on_one_line(&tokens, at) {
                    out.push_str(&line);
                    at = after;
                    continue;
                }
                depth += 1;
                out.push_str(token);
                new_line(&mut out, depth);
            }
            "}" | "]" => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth);
                out.push_str(token);
            }
            "," => {
                out.push(',');
                new_line(&mut out, depth);
            }
            ":" => out.push_str(": "),
            other => out.push_str(other),
        }
        at += 1;
    }
    out
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.push_str(&"  ".repeat(depth.min(DEEPEST)));
}

/// A short container without other containers inside, on one line, and where it ends.
fn on_one_line(tokens: &[&str], at: usize) -> Option<(String, usize)> {
    let rest = tokens.get(at + 1..)?;
    let length = rest
        .iter()
        .position(|t| matches!(*t, "{" | "[" | "}" | "]"))?;
    let (inside, end) = (rest.get(..length)?, *rest.get(length)?);
    if matches!(end, "{" | "[") {
        return None;
    }
    let space = if tokens[at] == "{" && length > 0 {
        " "
    } else {
        ""
    };
    let mut line = format!("{}{space}", tokens[at]);
    for token in inside {
        line.push_str(token);
        if matches!(*token, "," | ":") {
            line.push(' ');
        }
    }
    line.push_str(space);
    line.push_str(end);
    (line.chars().count() <= WIDTH).then_some((line, at + length + 2))
}

fn tokens(json: &str) -> Vec<&str> {
    let mut rest = json;
    let tokens = std::iter::from_fn(|| {
        let (_, token, after) = next_token(rest)?;
        rest = after;
        Some(token)
    });
    tokens.collect()
}

/// The first token of a valid JSON text: the white space before it, the token, and the rest.
#[must_use]
pub fn next_token(json: &str) -> Option<(&str, &str, &str)> {
    let text = json.trim_start();
    let (space, _) = json.split_at(json.len() - text.len());
    let first = text.chars().next()?;
    let length = match first {
        '"' => string_length(text),
        '{' | '}' | '[' | ']' | ',' | ':' => 1,
        _ => text
            .find(|c: char| matches!(c, '}' | ']' | ',' | ':') || c.is_ascii_whitespace())
            .unwrap_or(text.len())
            .max(first.len_utf8()),
    };
    let (token, after) = text.split_at(length);
    Some((space, token, after))
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use crate::json::Value;

    fn shown(json: &str) -> String {
        super::pretty(&Value::from_json(json).unwrap())
    }

    #[test]
    fn short_things_stay_on_their_line() {
        assert_eq!(shown("{}"), "{}");
        assert_eq!(shown("[ ]"), "[]");
        assert_eq!(
            shown(r#"{"a":1,"b":["x, y"]}"#),
            "{\n  \"a\": 1,\n  \"b\": [\"x, y\"]\n}"
        );
        assert_eq!(
            shown(r#"{"a":"\"}","b":null}"#),
            r#"{ "a": "\"}", "b": null }"#
        );
        assert_eq!(shown("12345678901234567890.50"), "12345678901234567890.50");
    }

    #[test]
    fn it_is_still_the_same_value() {
        let text = r#"{"a":[{"b":[[1,2,[]],"é\u0000\\",{"c":{}}]},true],"":-1.5e-7}"#;
        let value = Value::from_json(text).unwrap();
        assert_eq!(Value::from_json(shown(text)).unwrap(), value);
    }
}
