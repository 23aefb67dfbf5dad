//! JSON with comments.

/// JSON as editors write it, with comments and with commas at the end of lists: spaces take their
/// place, so that everything else stays where it is.
pub(super) fn without_comments(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => end_of_string(rest),
            '/' if rest.starts_with("//") => rest.find(['\n', '\r']).unwrap_or(rest.len()),
            // One that does not end is an error of the JSON.
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(1, |end| end + 2),
            other => other.len_utf8(),
        };
        let (piece, behind) = rest.split_at(length);
        match first {
            '/' if length > 1 => plain.extend(piece.bytes().map(|byte| match byte {
                b'\n' | b'\r' => char::from(byte),
                _ => ' ',
            })),
            '}' | ']' => {
                let end = plain.trim_end().len();
                if plain.get(..end).is_some_and(|so_far| so_far.ends_with(',')) {
                    plain.replace_range(end - 1..end, " ");
                }
                plain.push_str(piece);
            }
            _ => plain.push_str(piece),
        }
        rest = behind;
    }
    plain
}

fn end_of_string(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::without_comments;

    #[test]
    fn comments_become_spaces() {
        let text = "{\"a//\\\"\": 1, /* ü */ \"b\": [1, ], // c\n}";
        let plain = without_comments(text);
        assert_eq!(plain.len(), text.len());
        assert_eq!(plain, "{\"a//\\\"\": 1,          \"b\": [1  ]      \n}");
    }
}
