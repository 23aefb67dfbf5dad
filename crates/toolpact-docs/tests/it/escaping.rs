//! Whatever a contract says is shown as it is, and is markup in no format.

use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser};
use toolpact_core::contract::Contract;
use toolpact_docs::{Docs, html, markdown};

use super::quoted;

/// Texts of which pieces mean something in Markdown or HTML.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "<script>",
            "</script>",
            "<!--",
            "-->",
            "</style>",
            "<img src=x onerror=alert(1)>",
            "&lt;",
            "&#60;",
            "`",
            "``",
            "```",
            "|",
            "\\",
            "\\|",
            "*",
            "**",
            "_",
            "__",
            "~~",
            "[a](b)",
            "![a](b)",
            "[x]: y",
            "<b>",
            "# ",
            "- ",
            "+ ",
            "1. ",
            "2) ",
            "> ",
            "===",
            "---",
            "\n",
            "\n\n",
            "    ",
            "\t",
            "$x$",
            "$$",
            ":---:",
            "| a |",
            "\"",
            "'",
            "é",
            "漢字",
            "🎉",
            "\u{202e}",
            "\u{0}",
            "a",
            "word",
            " ",
            "a_b",
            "https://example.com/a_b",
            "<https://x.y>",
            "{{ x }}",
            "]]>",
        ])
        .prop_map(ToOwned::to_owned),
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 1..12).prop_map(|pieces| pieces.concat())
}

fn docs_about(text: &str) -> Docs {
    let json = format!(
        r#"{{"name": "t", "description": {description}, "parameters": {{"type": "object",
            "properties": {{"a_plain_key": {{"type": "string", "description": {text}, "default": {text}}}, {text}: {{"const": {text}}}}}}},
            "returns": {{"type": "Custom", "description": {text}, "schema": {{"type": "string"}}, "examples": [{text}]}}}}"#,
        text = quoted(text),
        description = quoted(&format!("{text} end")),
    );
    let contract = Contract::from_json(&json).unwrap_or_else(|error| panic!("{json}: {error}"));
    let mut docs = Docs::new(text);
    docs.add(&contract, Some(text));
    docs.add(&contract, Some("other"));
    docs
}

/// Without space and what is not to be seen, which is not kept as it is.
fn squeezed(text: &str) -> String {
    let kept = text
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '\u{fffd}');
    kept.filter(|c| !c.is_control()).collect()
}

/// What a reader of Markdown sees, and the HTML in it.
fn seen(text: &str) -> (String, Vec<String>) {
    let (mut seen, mut tags) = (String::new(), Vec::new());
    for event in Parser::new_ext(
        text,
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_MATH,
    ) {
        match event {
            Event::Text(text) | Event::Code(text) => seen.push_str(&text),
            Event::Html(tag) | Event::InlineHtml(tag) => tags.push(tag.trim().to_owned()),
            Event::InlineMath(_) | Event::DisplayMath(_) => tags.push("math".to_owned()),
            _ => {}
        }
    }
    (seen, tags)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn markdown_shows_it(text in hostile()) {
        prop_assume!(!text.trim().is_empty());
        let docs = docs_about(&text);
        let files = markdown::files(&docs);
        let page = &files[1].1;
        let (seen, tags) = seen(page);
        for tag in &tags {
            prop_assert!(["<br>", "<code>", "</code>"].contains(&&**tag), "{tag} in\n{page}");
        }
        // Backticks in pairs make code, so they are not to be seen.
        let wanted = squeezed(&text.replace('`', ""));
        let seen = squeezed(&seen.replace('`', ""));
        prop_assert!(seen.contains(&wanted), "no {wanted:?} in {seen:?} of\n{page}");
        // Two rows, of four cells each, whatever is in them.
        let rows = page.lines().filter(|line| line.starts_with("| `a_plain_key`") || line.contains("| always "));
        for row in rows {
            prop_assert_eq!(row.matches('|').count() - row.matches("\\|").count(), 5, "{}", row);
        }
    }

    #[test]
    fn html_shows_it(text in hostile()) {
        prop_assume!(!text.trim().is_empty());
        let page = html::whole(&docs_about(&text));
        let body = page.split_once("<body>").unwrap().1.rsplit_once("<script>").unwrap().0;
        let mut rest = body;
        while let Some((before, after)) = rest.split_once('<') {
            prop_assert!(!before.contains('>'), "{before}");
            let (tag, after) = after.split_once('>').unwrap();
            let name = tag.trim_start_matches('/').split(' ').next().unwrap();
            prop_assert!(TAGS.contains(&name), "<{tag}>");
            prop_assert!(!tag.contains(" on"), "<{tag}>");
            rest = after;
        }
        prop_assert_eq!(page.matches("<script").count(), 1);
        let escaped = text.replace('`', "").replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let escaped = squeezed(&escaped.replace('"', "&quot;").replace('\'', "&#39;"));
        let seen = squeezed(&body.replace('`', "").replace("<code>", "").replace("</code>", "").replace("<br>", "").replace("</p>\n<p dir=\"auto\">", ""));
        prop_assert!(seen.contains(&escaped), "no {escaped:?} in {seen:?}");
    }
}

const TAGS: [&str; 31] = [
    "a", "article", "br", "button", "code", "div", "em", "h1", "h2", "h3", "header", "input", "li",
    "main", "nav", "p", "pre", "section", "small", "span", "strong", "table", "tbody", "td", "th",
    "thead", "tr", "ul", "html", "head", "body",
];

/// What is written into the page as it is must not end where it stands.
#[test]
fn style_and_script_end_once() {
    let page = html::whole(&docs_about("</script></style>"));
    for end in ["</script", "</style"] {
        assert_eq!(page.matches(end).count(), 1, "{end}");
    }
    for outside in ["http://", "https://", "url(", "@import", "src="] {
        assert!(!page.contains(outside), "{outside}");
    }
}
