//! The pages as one self-contained HTML file: no external fonts, styles or scripts, and its content
//! security policy allows no others.

mod escape;
mod json;
mod page;
mod table;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};
use toolpact_core::returns::ErrorKind;

use super::{Docs, errors};

const STYLE: &str = concat!(include_str!("palette.css"), include_str!("style.css"));
const SCRIPT: &str = include_str!("filter.js");

/// The colours and fonts of the pages, light and dark, as variables of CSS.
pub const PALETTE: &str = include_str!("palette.css");

/// All pages in one file.
#[must_use]
pub fn whole(docs: &Docs) -> String {
    let title = escape::text(docs.title());
    let pages = docs.pages().iter();
    let pages = pages.map(|page| page::page(page, docs.origin(page)));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n{head}<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#index.main\">Skip to the tools</a>\n\
         {nav}<main id=\"index.main\">\n{pages}{errors}</main>\n\
         <script>{SCRIPT}</script>\n</body>\n</html>\n",
        head = head(),
        nav = navigation(docs, &title),
        pages = pages.collect::<String>(),
        errors = errors_section(),
    )
}

/// Text as HTML has it: nothing of it is markup, in elements and in attributes.
#[must_use]
pub fn escaped(text: &str) -> String {
    escape::text(text)
}

fn head() -> String {
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!(
        "<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"generator\" content=\"toolpact\">\n",
        hash(STYLE),
        hash(SCRIPT)
    )
}

/// The list of tools, which is the index. The filter is shown once the script runs.
fn navigation(docs: &Docs, title: &str) -> String {
    let count = match docs.pages().len() {
        1 => "1 tool".to_owned(),
        count => format!("{count} tools"),
    };
    let mut text = format!(
        "<nav id=\"index\" aria-label=\"Tools\">\n<header>\n<h1 dir=\"auto\">{title}</h1>\n\
         <p class=\"count\" id=\"index.count\" aria-live=\"polite\">{count}</p>\n\
         <input type=\"search\" id=\"index.filter\" placeholder=\"Filter\" aria-label=\"Filter the tools\" \
         autocomplete=\"off\" spellcheck=\"false\" hidden>\n</header>\n<ul>\n"
    );
    for page in docs.pages() {
        let from = docs.origin(page).map(escape::code);
        let from = from.map(|code| format!(" <small>{code}</small>"));
        text.push_str(&format!(
            "<li><a href=\"#{}\"><code>{}</code>{}<span dir=\"auto\">{}</span></a></li>\n",
            page.slug,
            escape::text(&page.name),
            from.unwrap_or_default(),
            escape::phrase(&page.about.summary())
        ));
    }
    text.push_str("</ul>\n<p class=\"also\"><a href=\"#errors\">Errors</a></p>\n</nav>\n");
    text
}

/// The one table of errors.
fn errors_section() -> String {
    let mut text = String::from(
        "<section id=\"errors\" class=\"all-errors\">\n<h2>Errors</h2>\n\
         <p>Every tool fails in one of these ways.</p>\n<table>\n<thead><tr>\
         <th scope=\"col\">Code and type</th><th scope=\"col\">What it means</th>\
         <th scope=\"col\">Try again</th></tr></thead>\n<tbody>\n",
    );
    for kind in ErrorKind::all() {
        text.push_str(&format!(
            "<tr><th scope=\"row\"><code>{}</code><small><code>{}</code></small></th>\
             <td>{}</td><td>{}</td></tr>\n",
            kind.code(),
            kind.error_type(),
            kind.text(),
            errors::retry_in_words(kind)
        ));
    }
    text.push_str("</tbody>\n</table>\n</section>\n");
    text
}
