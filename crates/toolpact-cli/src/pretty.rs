//! JSON for people: the same text with line breaks, every number as it was written.

/// A JSON text with one member or element to a line.
pub(crate) fn pretty(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    let mut bytes = json.chars().filter(|c| !c.is_control()).peekable();
    while let Some(c) = bytes.next() {
        if in_string {
            out.push(c);
            (in_string, escaped) = (c != '"' || escaped, c == '\\' && !escaped);
            continue;
        }
        match c {
            '"' => (in_string, escaped) = (true, false),
            '{' | '[' => {
                while bytes.peek().is_some_and(char::is_ascii_whitespace) {
                    bytes.next();
                }
                out.push(c);
                // Nothing inside needs no line.
                if let Some(close) = bytes.next_if(|next| matches!(next, '}' | ']')) {
                    out.push(close);
                } else {
                    depth += 1;
                    new_line(&mut out, depth);
                }
                continue;
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth);
            }
            ',' => {
                out.push(c);
                new_line(&mut out, depth);
                continue;
            }
            ':' => {
                out.push_str(": ");
                continue;
            }
            c if c.is_ascii_whitespace() => continue,
            _ => {}
        }
        out.push(c);
    }
    out
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use super::pretty;

    #[test]
    fn one_to_a_line() {
        let json = r#"{"a":[1, {} ,[ ]],"b:,[":"x\"{\\","n":1.50}"#;
        let expected = "{\n  \"a\": [\n    1,\n    {},\n    []\n  ],\n  \"b:,[\": \"x\\\"{\\\\\",\n  \"n\": 1.50\n}";
        assert_eq!(pretty(json), expected);
        assert_eq!(pretty(&pretty(json)), expected);
    }
}
