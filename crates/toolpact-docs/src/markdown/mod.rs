//! The pages in GitHub-flavored Markdown, with tables.

mod escape;
mod page;
mod table;

use toolpact_core::returns::ErrorKind;

use super::{Docs, Page, errors};
use escape::{EscapeContext, phrase, words};

/// The index and a page for each tool, as file names and texts. The index, `index.md`, is the
/// first.
#[must_use]
pub fn files(docs: &Docs) -> Vec<(String, String)> {
    let link = |page: &Page| format!("{}.md", page.slug);
    let index = index(docs, link) + "\n" + &errors_section(2);
    let pages = docs.pages().iter().map(|page| {
        let place = page::Surroundings {
            level: 1,
            errors: "index.md#errors",
            origin: docs.origin(page),
        };
        let mut text = page::page(page, &place);
        let mut title = String::new();
        words(docs.title(), EscapeContext::Line, &mut title);
        text.push_str(&format!("\n[{title}](index.md)\n"));
        (link(page), text)
    });
    let pages: Vec<_> = pages.collect();
    [("index.md".to_owned(), index)]
        .into_iter()
        .chain(pages)
        .collect()
}

/// Everything in one document.
#[must_use]
pub fn whole(docs: &Docs) -> String {
    let mut text = index(docs, |page| format!("#{}", page.slug));
    for page in docs.pages() {
        let place = page::Surroundings {
            level: 2,
            errors: "#errors",
            origin: docs.origin(page),
        };
        // Renderers generate different anchors for headings; this one is the same everywhere.
        text.push_str(&format!("\n<a id=\"{}\"></a>\n\n", page.slug));
        text.push_str(&page::page(page, &place));
    }
    text.push_str("\n<a id=\"errors\"></a>\n\n");
    text.push_str(&errors_section(2));
    text
}

fn index(docs: &Docs, link: impl Fn(&Page) -> String) -> String {
    let mut text = String::from("# ");
    words(docs.title(), EscapeContext::Line, &mut text);
    text.push_str("\n\n| Tool | What it does | Effects |\n|---|---|---|\n");
    for page in docs.pages() {
        let mut about = phrase(&page.about.summary(), EscapeContext::Cell);
        if let Some(origin) = docs.origin(page) {
            about.push_str(" (");
            escape::code(origin, EscapeContext::Cell, &mut about);
            about.push(')');
        }
        let effects: Vec<&str> = page.effects.iter().map(|effect| effect.name).collect();
        let (name, effects) = (&page.name, effects.join(", "));
        let link = link(page);
        text.push_str(&format!("| [`{name}`]({link}) | {about} | {effects} |\n"));
    }
    text
}

fn errors_section(level: usize) -> String {
    let mut text = format!("{} Errors\n\n", "#".repeat(level));
    text.push_str("Every tool fails in one of these ways.\n\n");
    text.push_str("| Code | Type | What it means | Try again |\n|---|---|---|---|\n");
    for kind in ErrorKind::all() {
        let (code, error_type) = (kind.code(), kind.error_type());
        let (meaning, retry) = (kind.text(), errors::retry_in_words(kind));
        text.push_str(&format!(
            "| `{code}` | `{error_type}` | {meaning} | {retry} |\n"
        ));
    }
    text
}
