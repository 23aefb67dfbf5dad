//! The fields of a value.

use std::collections::HashMap;

use super::escape;
use crate::rows::Way;
use crate::{Need, Row, Shape};

/// A table whose rows can be linked to under its name.
pub(super) fn table(name: &str, shape: &Shape, way: Way) -> String {
    let has_about = shape.rows.iter().any(|row| !row.about.is_empty());
    let targets = Targets::of(name, shape);
    let about = if has_about {
        "<th scope=\"col\">Description</th>"
    } else {
        ""
    };
    let mut text = format!(
        "<table class=\"fields\">\n<thead><tr><th scope=\"col\">Name</th>\
         <th scope=\"col\">Type</th>{about}</tr></thead>\n<tbody>\n"
    );
    for (at, row) in shape.rows.iter().enumerate() {
        let id = targets.id(at).map(|id| format!(" id=\"{id}\""));
        let class = if row.is_option {
            " class=\"option\""
        } else {
            ""
        };
        text.push_str(&format!(
            "<tr{}{class}><th scope=\"row\">{} {}</th><td>{}</td>",
            id.unwrap_or_default(),
            path(&row.path),
            need(&row.need, way),
            kind(row, &targets)
        ));
        if has_about {
            let about = escape::prose(&row.about);
            text.push_str(&format!("<td class=\"about\">{about}</td>"));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody>\n</table>\n");
    if shape.cut {
        text.push_str("<p class=\"more\">There are more fields than are shown here.</p>\n");
    }
    text
}

/// The limits of the whole, as a line.
pub(super) fn limits(shape: &Shape) -> String {
    let limits: Vec<String> = shape.limits.iter().map(escape::phrase).collect();
    if limits.is_empty() {
        String::new()
    } else {
        format!("<p class=\"more\">Together: {}.</p>\n", limits.join("; "))
    }
}

/// The note that there are no other fields.
pub(super) fn closed(shape: &Shape, way: Way) -> &'static str {
    match (shape.is_closed, way) {
        (false, _) => "",
        (true, Way::In) => "<p class=\"more\">Other arguments are refused.</p>\n",
        (true, Way::Out) => "<p class=\"more\">There are no other fields.</p>\n",
    }
}

/// Rows that others refer to.
struct Targets<'a> {
    name: &'a str,
    rows: HashMap<&'a str, usize>,
}

impl<'a> Targets<'a> {
    fn of(name: &'a str, shape: &'a Shape) -> Self {
        let mut first: HashMap<&str, usize> = HashMap::new();
        for (at, row) in shape.rows.iter().enumerate() {
            first.entry(&row.path).or_insert(at);
        }
        let wanted = shape.rows.iter().filter_map(|row| row.same_as.as_deref());
        let rows = wanted.filter_map(|path| Some((path, *first.get(path)?)));
        let rows = rows.collect();
        Self { name, rows }
    }

    fn id(&self, row: usize) -> Option<String> {
        let mut rows = self.rows.values();
        rows.any(|at| *at == row)
            .then(|| format!("{}.{row}", self.name))
    }

    fn link(&self, path: &str) -> String {
        let code = escape::code(path);
        match self.rows.get(path) {
            Some(row) => format!("<a href=\"#{}.{row}\">{code}</a>", self.name),
            None => code,
        }
    }
}

/// The last step of a path is its name; the rest only locates it.
fn path(path: &str) -> String {
    if path.is_empty() {
        return "<em>the whole</em>".to_owned();
    }
    let begin = if path.ends_with(']') {
        path.rfind('[')
    } else {
        path.rfind('.').map(|at| at + 1)
    };
    let (before, name) = path.split_at(begin.unwrap_or(0));
    match before.is_empty() {
        true => escape::code(name),
        false => format!(
            "<code><span class=\"in\">{}</span>{}</code>",
            escape::text(before),
            escape::text(name)
        ),
    }
}

fn need(need: &Need, way: Way) -> String {
    let (required, optional) = match way {
        Way::In => ("required", "optional"),
        Way::Out => ("always there", ""),
    };
    match need {
        Need::Required => format!("<small class=\"required\">{required}</small>"),
        Need::Optional if optional.is_empty() => String::new(),
        Need::Optional => format!("<small>{optional}</small>"),
        Need::Default(value) => format!("<small>default {}</small>", escape::code(value)),
        Need::No => String::new(),
    }
}

fn kind(row: &Row, targets: &Targets<'_>) -> String {
    let mut text = format!("<span class=\"type\">{}</span>", escape::phrase(&row.kind));
    for limit in &row.limits {
        text.push_str(&format!("<small>{}</small>", escape::phrase(limit)));
    }
    match row.same_as.as_deref() {
        None => {}
        Some("") => text.push_str("<small>same as the whole</small>"),
        Some(path) => {
            let link = targets.link(path);
            text.push_str(&format!("<small>same as {link}</small>"));
        }
    }
    text
}
