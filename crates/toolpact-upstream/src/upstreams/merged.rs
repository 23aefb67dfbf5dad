//! What all servers have together, and which of them is asked for it.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value as Json;

use crate::Upstream;
use toolpact_mcp::passthrough::ListKind;

#[derive(Clone)]
pub(super) struct Source {
    pub(super) id: Box<str>,
    pub(super) namespace: Option<Box<str>>,
    pub(super) upstream: Upstream,
}

impl Source {
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let (own, others) = (&self.upstream, &other.upstream);
        let is_known = self.id == other.id && self.namespace == other.namespace;
        is_known && Arc::ptr_eq(&own.link, &others.link) && Arc::ptr_eq(&own.lists, &others.lists)
    }
}

/// What all servers have, and which of them has it.
#[derive(Default)]
pub(super) struct Merged {
    pub(super) generation: u64,
    pub(super) sources: Vec<Source>,
    lists: [List; ListKind::FORWARDED.len()],
}

#[derive(Default)]
pub(super) struct List {
    /// As clients are shown them.
    pub(super) items: Arc<[String]>,
    routes: Routes,
}

/// By the names for clients: the source, and the name there.
type Routes = HashMap<Box<str>, (usize, Box<str>)>;

impl Merged {
    pub(super) fn new(sources: Vec<Source>) -> Self {
        let lists = ListKind::FORWARDED.map(|kind| {
            let (mut items, mut routes) = (Vec::new(), HashMap::new());
            for (place, source) in sources.iter().enumerate() {
                for item in source.upstream.lists.items(kind) {
                    if let Some((name, there, item)) = shown(kind, &item, source, &routes) {
                        items.push(item);
                        routes.insert(name, (place, there));
                    }
                }
            }
            List {
                items: items.into(),
                routes,
            }
        });
        Self {
            generation: 0,
            sources,
            lists,
        }
    }

    pub(super) fn list(&self, kind: ListKind) -> &List {
        let place = ListKind::FORWARDED
            .iter()
            .position(|passed| *passed == kind);
        &self.lists[place.unwrap_or_default()]
    }

    /// Whether a server declares this capability.
    pub(super) fn has(&self, capability: &str) -> bool {
        let mut sources = self.sources.iter();
        sources.any(|source| source.upstream.lists.capabilities.get(capability).is_some())
    }

    /// The server that has this, and its name there. A resource that is not listed may be made of a template,
    /// or be behind a link in a result: then it is of the first server whose URIs begin in the same way.
    pub(super) fn route(&self, kind: ListKind, name: &str) -> Option<(&Upstream, Box<str>)> {
        let listed = self.list(kind).routes.get(name);
        if kind == ListKind::Prompts {
            let (source, there) = listed?;
            return Some((&self.sources[*source].upstream, there.clone()));
        }
        let templates = &self.list(ListKind::Templates).routes;
        let matching = || {
            let matching = templates
                .iter()
                .filter(|(template, _)| matches(template, name));
            matching.map(|(_, (source, _))| *source).min()
        };
        let scheme = |uri: &str| uri.split_once(':').map(|(scheme, _)| scheme.to_owned());
        let similar = || {
            let routes = self.list(kind).routes.iter().chain(templates);
            let similar = routes.filter(|(uri, _)| scheme(uri) == scheme(name));
            similar.map(|(_, (source, _))| *source).min()
        };
        let listed = listed.or_else(|| templates.get(name));
        let source = listed.map(|(source, _)| *source);
        let source = source.or_else(matching).or_else(similar)?;
        Some((&self.sources[source].upstream, name.into()))
    }
}

/// Its name for clients, its name there, and how clients are shown it. `None` if another has its name.
fn shown(
    kind: ListKind,
    item: &Json,
    source: &Source,
    taken: &Routes,
) -> Option<(Box<str>, Box<str>, String)> {
    let there = item[kind.name()].as_str()?;
    let name: Box<str> = match (&source.namespace, kind) {
        (Some(namespace), ListKind::Prompts) => format!("{namespace}__{there}").into(),
        _ => there.into(),
    };
    if taken.contains_key(&name) {
        let list = kind.key();
        tracing::warn!(target: "toolpact::mcp", list, %name, source = %source.id, "another source has this name, and is served");
        return None;
    }
    let mut item = item.clone();
    item[kind.name()] = (*name).into();
    Some((name, there.into(), item.to_string()))
}

/// Whether a URI can be made of a template: its fixed parts are there, in this order.
fn matches(template: &str, uri: &str) -> bool {
    let mut parts = template.split('{');
    let Some(mut rest) = uri.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let mut fixed = parts
        .map(|part| part.split_once('}').map_or("", |(_, fixed)| fixed))
        .peekable();
    while let Some(part) = fixed.next() {
        let found = match fixed.peek() {
            None => return rest.ends_with(part),
            Some(_) => rest.find(part),
        };
        match found {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn templates_match_what_is_made_of_them() {
        for (template, uri, expected) in [
            ("demo://text/{id}", "demo://text/1", true),
            ("demo://text/{id}", "demo://blob/1", false),
            ("demo://{kind}/{id}/x", "demo://text/1/x", true),
            ("demo://{kind}/{id}/x", "demo://text/1", false),
            ("demo://fixed", "demo://fixed", true),
            ("demo://fixed", "demo://fixed/1", false),
            ("a{b", "ac", true),
        ] {
            assert_eq!(matches(template, uri), expected, "{template} {uri}");
        }
    }
}
