//! The page of one tool.

use super::{escape, json, table};
use crate::rows::Way;
use crate::{Page, Promise, Shape};

pub(super) fn page(page: &Page, origin: Option<&str>) -> String {
    let slug = &page.slug;
    let mut text = format!("<article id=\"{slug}\">\n");
    text.push_str(&format!(
        "<h2><a href=\"#{slug}\"><code>{}</code></a></h2>\n",
        escape::text(&page.name)
    ));
    text.push_str(&facts(page, origin));
    text.push_str(&format!(
        "<div class=\"about\">\n{}</div>\n",
        escape::prose(&page.about)
    ));
    text.push_str("<h3>Parameters</h3>\n");
    text.push_str(&parameters(slug, &page.parameters));
    text.push_str("<h3>Call it</h3>\n");
    text.push_str(&match &page.call {
        Some(call) => json::block(call, "call"),
        None => "<p>No call is shown, because none could be made that the contract accepts.</p>\n"
            .to_owned(),
    });
    text.push_str("<h3>Returns</h3>\n");
    text.push_str(&returns(slug, &page.returns));
    if let Some(template) = &page.text {
        text.push_str("<h3>Text for models</h3>\n");
        let template = escape::text(template.trim_end_matches('\n'));
        text.push_str(&format!(
            "<pre tabindex=\"0\"><code>{template}</code></pre>\n"
        ));
    }
    text.push_str("<h3>Errors</h3>\n<ul class=\"notes\">\n");
    for note in &page.errors {
        text.push_str(&format!("<li>{}</li>\n", escape::phrase(note)));
    }
    text.push_str("<li>All errors are in <a href=\"#errors\">one table</a>.</li>\n</ul>\n");
    text.push_str("<p class=\"up\"><a href=\"#index\">All tools</a></p>\n</article>\n");
    text
}

/// Effects, timeout and origin.
fn facts(page: &Page, origin: Option<&str>) -> String {
    let mut text = String::from("<ul class=\"facts\">\n");
    for effect in &page.effects {
        let class = if effect.is_risky {
            " class=\"risky\""
        } else {
            ""
        };
        let (name, meaning) = (effect.name, effect.meaning);
        text.push_str(&format!("<li{class} title=\"{meaning}\">{name}</li>\n"));
    }
    if page.effects.is_empty() {
        text.push_str("<li class=\"unknown\">effects not declared</li>\n");
    }
    if let Some(timeout) = &page.timeout {
        let timeout = escape::text(timeout);
        text.push_str(&format!("<li class=\"plain\">at most {timeout}</li>\n"));
    }
    if let Some(origin) = origin {
        let origin = escape::code(origin);
        text.push_str(&format!("<li class=\"plain\">from {origin}</li>\n"));
    }
    text.push_str("</ul>\n");
    text
}

fn parameters(slug: &str, shape: &Shape) -> String {
    let limits = table::limits(shape);
    match shape.rows.is_empty() {
        true => format!("<p>Takes no arguments.</p>\n{limits}"),
        false => {
            let name = format!("{slug}.in");
            table::table(&name, shape, Way::In) + &limits + table::closed(shape, Way::In)
        }
    }
}

fn returns(slug: &str, promise: &Promise) -> String {
    let mut text = format!("<p>{}</p>\n", escape::phrase(&promise.what));
    text.push_str(&escape::prose(&promise.about));
    if let Some(name) = &promise.content_type {
        let name = escape::code(name);
        text.push_str(&format!("<p>Its content is of type {name}.</p>\n"));
    }
    if let Some(shape) = &promise.shape {
        if !shape.is_plain_object() {
            let kind = escape::phrase(&shape.kind);
            text.push_str(&format!("<p>Type: {kind}</p>\n"));
        }
        text.push_str(&table::limits(shape));
        if !shape.rows.is_empty() {
            let name = format!("{slug}.out");
            text.push_str(&table::table(&name, shape, Way::Out));
            text.push_str(table::closed(shape, Way::Out));
        }
    }
    for example in &promise.examples {
        text.push_str("<p class=\"label\">For example</p>\n");
        text.push_str(&json::block(example, "example"));
    }
    if let Some((standard, example)) = &promise.looks_like {
        text.push_str(&format!(
            "<p class=\"label\">What any <code>{standard}</code> looks like</p>\n"
        ));
        text.push_str(&json::block(example, "example"));
    }
    text
}
