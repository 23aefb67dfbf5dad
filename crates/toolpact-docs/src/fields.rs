//! The fields of a value, recursively.

use std::collections::HashMap;

use toolpact_core::schema::Keyword;
use toolpact_core::schema::view::{Identity, Part, Sources, View};

use super::{Need, Phrase, Prose, Row, json, limits, words};

/// The deepest nesting of fields that is shown.
const DEPTH: usize = 8;
/// The most rows in a table.
const ROWS: usize = 1_000;

/// The rows of all fields, and whether some were cut.
pub(super) fn of<'v>(sources: &Sources<'v>, view: &View<'v>) -> (Vec<Row>, bool) {
    let mut table = Table {
        sources,
        rows: Vec::new(),
        seen: HashMap::new(),
        cut: false,
    };
    table.inside(view, "", 0);
    (table.rows, table.cut)
}

struct Table<'s, 'v> {
    sources: &'s Sources<'v>,
    rows: Vec<Row>,
    /// Where the fields of a schema are shown. They are shown only once.
    seen: HashMap<Identity, String>,
    cut: bool,
}

impl<'v> Table<'_, 'v> {
    /// Adds the fields of a value. If the same fields are already shown, returns their path, which
    /// is how recursion ends.
    fn inside(&mut self, view: &View<'v>, path: &str, depth: usize) -> Option<String> {
        let identity = view.identity();
        if identity.is_empty() {
            return None;
        }
        if let Some(same) = self.seen.get(&identity) {
            return Some(same.clone());
        }
        if depth > DEPTH {
            self.cut = true;
            return None;
        }
        self.seen.insert(identity, path.to_owned());
        self.keys(view, path, depth);
        self.items(view, path, depth);
        for list in view.choices() {
            self.alternatives(list, path, depth);
        }
        None
    }

    fn keys(&mut self, view: &View<'v>, path: &str, depth: usize) {
        let required = view.required();
        let named = view.named(Keyword::Properties);
        for (name, parts) in &named {
            let field = self.sources.view(parts.iter().copied());
            let need = match (required.contains(name), field.get(Keyword::Default)) {
                (true, _) => Need::Required,
                (false, Some(value)) => Need::Default(value.node().text().to_owned()),
                (false, None) => Need::Optional,
            };
            self.field(&field, &key_path(path, name), need, depth);
        }
        for name in required.iter().filter(|name| !named.contains_key(*name)) {
            self.needed(&key_path(path, name), depth);
        }
        for (pattern, parts) in view.named(Keyword::PatternProperties) {
            let field = self.sources.view(parts);
            let path = format!("{path}[/{pattern}/]");
            self.field(&field, &path, Need::No, depth);
        }
        let others = view.rest(Keyword::AdditionalProperties);
        let path = match path {
            "" => "*".to_owned(),
            path => format!("{path}.*"),
        };
        self.unnamed(others, &path, depth);
    }

    /// A required key that is not described in the same place.
    fn needed(&mut self, path: &str, depth: usize) {
        if self.rows.len() >= ROWS {
            self.cut = true;
            return;
        }
        let is_shown = self.rows.iter().any(|row| row.path == path);
        let kind = if is_shown { "as above" } else { "any value" };
        let view = self.sources.view([]);
        self.row(Phrase::words(kind), &view, path, Need::Required, depth);
    }

    fn items(&mut self, view: &View<'v>, path: &str, depth: usize) {
        for list in view.all(Keyword::PrefixItems) {
            for (i, item) in list.items().into_iter().enumerate() {
                let item = self.sources.view([item]);
                self.field(&item, &format!("{path}[{i}]"), Need::No, depth);
            }
        }
        self.unnamed(view.rest(Keyword::Items), &format!("{path}[]"), depth);
    }

    /// Items and other keys get a row only if there is more to say about them than the type of the
    /// whole says.
    fn unnamed(&mut self, parts: Vec<Part<'v>>, path: &str, depth: usize) {
        if parts.is_empty() {
            return;
        }
        let view = self.sources.view(parts);
        let has_more = view.text(Keyword::Description).is_some()
            || !limits::of(self.sources, &view).is_empty();
        let is_known = self.seen.contains_key(&view.identity());
        if has_more || is_known {
            self.field(&view, path, Need::No, depth);
        } else {
            self.inside(&view, path, depth + 1);
        }
    }

    fn field(&mut self, view: &View<'v>, path: &str, need: Need, depth: usize) {
        let kind = words::of(self.sources, view);
        self.row(kind, view, path, need, depth);
    }

    /// A row, and the rows nested in it.
    fn row(&mut self, kind: Phrase, view: &View<'v>, path: &str, need: Need, depth: usize) {
        if self.rows.len() >= ROWS {
            self.cut = true;
            return;
        }
        let mut limits = limits::of(self.sources, view);
        if view.refuses_other_keys() {
            limits.push(Phrase::words("no other keys"));
        }
        let at = self.rows.len();
        self.rows.push(Row {
            path: path.to_owned(),
            kind,
            is_option: false,
            limits,
            need,
            about: Prose::of(&view.text(Keyword::Description).unwrap_or_default()),
            same_as: None,
        });
        let same_as = self.inside(view, path, depth + 1);
        if let Some(row) = self.rows.get_mut(at) {
            row.same_as = same_as;
        }
    }

    /// Alternatives with fields of their own: inline if there is one, else each under a row that
    /// names it.
    fn alternatives(&mut self, list: Part<'v>, path: &str, depth: usize) {
        let branches = list.items().into_iter();
        let views = branches.map(|branch| self.sources.view([branch]));
        let views = views.filter(|view| !view.identity().is_empty());
        let views: Vec<View<'v>> = views.filter(|view| !limits::asks_for_keys(view)).collect();
        if let [only] = views.as_slice() {
            self.inside(only, path, depth + 1);
            return;
        }
        for (i, view) in views.iter().enumerate() {
            let kind = Phrase::words(format!("option {} of {}", i + 1, views.len()));
            let kind = match view.text(Keyword::Title) {
                Some(title) => kind.then(format!(": {title}")),
                None => kind,
            };
            let at = self.rows.len();
            self.row(kind, view, path, Need::No, depth);
            if let Some(row) = self.rows.get_mut(at) {
                row.is_option = true;
            }
        }
    }
}

/// `order.lines`, or `order["delivery date"]` if a key is not an identifier.
fn key_path(path: &str, name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '@');
    if name.is_empty() || !name.chars().all(is_plain) {
        return format!("{path}[{}]", json::string(name));
    }
    match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    }
}
