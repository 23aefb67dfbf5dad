//! Escapes any text for Markdown.

use crate::{Phrase, Prose, Span};

/// The place of a text, which decides what must be escaped in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EscapeContext {
    /// In a paragraph, a list or a heading.
    Line,
    /// In a table, where `|` and line breaks are markup.
    Cell,
}

pub(super) fn phrase(phrase: &Phrase, place: EscapeContext) -> String {
    let mut out = String::new();
    for span in phrase.spans() {
        match span {
            Span::Words(text) => words(text, place, &mut out),
            Span::Code(text) => code(text, place, &mut out),
        }
    }
    out
}

/// Paragraphs with a blank line between them; in a cell, all on one line.
pub(super) fn prose(prose: &Prose, place: EscapeContext) -> String {
    let (line, paragraph) = match place {
        EscapeContext::Line => ("\\\n", "\n\n"),
        EscapeContext::Cell => ("<br>", "<br><br>"),
    };
    let paragraphs = prose.paragraphs().map(|lines| {
        let lines: Vec<String> = lines.iter().map(|line| phrase(line, place)).collect();
        lines.join(line)
    });
    paragraphs.collect::<Vec<_>>().join(paragraph)
}

/// A code block, with a longer fence than any in it.
pub(super) fn block(language: &str, text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    let text: String = text.trim_end_matches('\n').chars().map(visible).collect();
    format!("{fence}{language}\n{text}\n{fence}\n")
}

/// Plain text, with markup escaped.
pub(super) fn words(text: &str, place: EscapeContext, out: &mut String) {
    let mut previous = out.chars().next_back().unwrap_or('\n');
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied().unwrap_or(' ');
        match c {
            '|' if place == EscapeContext::Cell => out.push_str("&#124;"),
            c if c.is_whitespace() => out.push(' '),
            c if means_something(c, previous, next)
                || place == EscapeContext::Line && begins_something(c, out) =>
            {
                out.push('\\');
                out.push(c);
            }
            c => out.push(visible(c)),
        }
        previous = c;
    }
}

/// Whether a character would be markup here. `_` inside a name is not, so that the source stays
/// readable.
fn means_something(c: char, previous: char, next: char) -> bool {
    match c {
        '\\' | '`' | '*' | '[' | ']' | '<' | '~' | '$' => true,
        '_' => !(previous.is_alphanumeric() && next.is_alphanumeric()),
        '&' => next == '#' || next.is_ascii_alphanumeric(),
        _ => false,
    }
}

/// Whether a character would be markup at the beginning of a line.
fn begins_something(c: char, out: &str) -> bool {
    match c {
        '#' | '+' | '-' | '=' | '>' | ':' | '|' => is_line_start(out),
        '.' | ')' => is_number_so_far(out),
        _ => false,
    }
}

fn line_so_far(out: &str) -> &str {
    out.rsplit('\n').next().unwrap_or_default()
}

fn is_line_start(out: &str) -> bool {
    line_so_far(out).trim().is_empty()
}

fn is_number_so_far(out: &str) -> bool {
    let line = line_so_far(out).trim();
    !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit())
}

/// Inline code. In a cell, what Markdown cannot reliably write as code is written as HTML.
pub(super) fn code(text: &str, place: EscapeContext, out: &mut String) {
    if text.is_empty() {
        return;
    }
    if place == EscapeContext::Cell && text.contains(['|', '`']) {
        out.push_str("<code>");
        text.chars().for_each(|c| entity(c, out));
        out.push_str("</code>");
        return;
    }
    let fence = "`".repeat(longest_run(text) + 1);
    let touches = |c: char| c == '`' || c == ' ';
    let pad = if text.starts_with(touches) || text.ends_with(touches) {
        " "
    } else {
        ""
    };
    let text: String = text.chars().map(on_one_line).collect();
    out.push_str(&format!("{fence}{pad}{text}{pad}{fence}"));
}

/// Punctuation is written as character references, because Markdown is parsed inside HTML, too.
fn entity(c: char, out: &mut String) {
    match on_one_line(c) {
        c if c.is_ascii_punctuation() => out.push_str(&format!("&#{};", u32::from(c))),
        c => out.push(c),
    }
}

fn on_one_line(c: char) -> char {
    if c.is_whitespace() { ' ' } else { visible(c) }
}

/// Replaces control characters, which some renderers mishandle.
fn visible(c: char) -> char {
    match c {
        '\n' | '\t' => c,
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}

fn longest_run(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{EscapeContext, block, phrase, prose};
    use crate::{Phrase, Prose};

    fn written(text: &str, place: EscapeContext) -> String {
        phrase(&Phrase::written(text), place)
    }

    #[test]
    fn markup_is_escaped_and_plain_text_is_not() {
        for (text, expected) in [
            ("get_user_name, 3 * 4", "get_user_name, 3 \\* 4"),
            ("_em_ and __strong__", "\\_em\\_ and \\_\\_strong\\_\\_"),
            ("<script>alert(1)</script>", "\\<script>alert(1)\\</script>"),
            ("[a](javascript:b)", "\\[a\\](javascript:b)"),
            ("# no heading #1", "\\# no heading #1"),
            ("- no list - really", "\\- no list - really"),
            ("12. no list 3.", "12\\. no list 3."),
            ("AT&T &amp; &#60;", "AT\\&T \\&amp; \\&#60;"),
            ("a\u{0}b\u{1b}", "a\u{fffd}b\u{fffd}"),
            ("say `a|b`", "say `a|b`"),
            ("one ` alone", "one \\` alone"),
        ] {
            assert_eq!(written(text, EscapeContext::Line), expected);
        }
    }

    #[test]
    fn cells_have_no_ends_in_them() {
        assert_eq!(written("a | b", EscapeContext::Cell), "a &#124; b");
        assert_eq!(
            written("say `a|\\d`", EscapeContext::Cell),
            "say <code>a&#124;&#92;d</code>"
        );
        let text = Prose::of("one:\ntwo\n\nthree");
        assert_eq!(
            prose(&text, EscapeContext::Cell),
            "one:<br>two<br><br>three"
        );
        assert_eq!(prose(&text, EscapeContext::Line), "one:\\\ntwo\n\nthree");
    }

    #[test]
    fn fences_are_longer_than_what_is_in_them() {
        assert_eq!(block("", "a ```` b"), "`````\na ```` b\n`````\n");
        let code = |text: &str| phrase(&Phrase::code(text), EscapeContext::Line);
        assert_eq!(code("`a``"), "``` `a`` ```");
    }
}
