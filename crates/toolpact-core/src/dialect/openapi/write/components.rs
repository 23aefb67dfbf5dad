//! Collects the definitions of all tools. In a document `#` means the document, so everything that
//! is referenced has to be under `components`.

use std::collections::{BTreeSet, HashMap, HashSet};

use indexmap::IndexMap;
use sha2::{Digest as _, Sha256};

use super::super::super::tree::{Map, Tree};
use super::super::super::walk::top_down;
use super::super::{COMPONENTS, DEFINITIONS, escape, unescape};
use super::object;

/// Schemas with more definitions share none with other tools, because comparing them is slow.
const MOST: usize = 1_000;

#[derive(Default)]
pub(super) struct Components {
    schemas: Map,
    /// Component names by definition name and meaning (a hash).
    known: HashMap<(String, [u8; 32]), String>,
    /// How often a name was requested.
    wanted: HashMap<String, usize>,
}

impl Components {
    /// Adds a component under a name that no definition can take.
    pub(super) fn reserve(&mut self, name: &str, schema: Tree) {
        self.schemas.set(name, schema);
    }

    pub(super) fn into_schemas(self) -> Map {
        self.schemas
    }

    /// Moves the definitions of a schema here and rewrites its references. Records in `names` which
    /// were renamed.
    pub(super) fn share(&mut self, schema: &mut Tree, owner: &str, names: &mut Map) {
        let definitions = Definitions::take(schema);
        let meanings = definitions.meanings(owner);
        let mut places = HashMap::new();
        if definitions.reached.contains(&None) {
            let name = self.free(owner);
            names.set(&name, Tree::string("#"));
            // Reserves the name, so that neither a definition nor a later tool takes it.
            self.schemas.set(&name, Tree::Null);
            places.insert(None, name);
        }
        let mut new = Vec::new();
        for (name, meaning) in meanings {
            let known = self.known.get(&(name.clone(), meaning));
            let component = known.cloned().unwrap_or_else(|| {
                let component = self.free(&name);
                self.known
                    .insert((name.clone(), meaning), component.clone());
                self.schemas.set(&component, Tree::Null);
                new.push((name.clone(), component.clone()));
                component
            });
            if component != name {
                names.set(
                    &component,
                    Tree::string(format!("{DEFINITIONS}{}", escape(&name))),
                );
            }
            places.insert(Some(name), component);
        }
        for (name, component) in new {
            if let Some(mut definition) = definitions.all.get(&name).cloned() {
                lead(&mut definition, &places);
                self.schemas.set(&component, definition);
            }
        }
        lead(schema, &places);
        if let Some(root) = places.get(&None) {
            let reference = Tree::string(format!("#{COMPONENTS}{root}"));
            let schema = std::mem::replace(schema, object([("$ref", reference)]));
            self.schemas.set(root, schema);
        }
    }

    /// An unused name of allowed characters.
    fn free(&mut self, wanted: &str) -> String {
        let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        let wanted: String = wanted
            .chars()
            .take(100)
            .map(|c| if plain(c) { c } else { '_' })
            .collect();
        let wanted = if wanted.is_empty() {
            "_".to_owned()
        } else {
            wanted
        };
        let mut name = wanted.clone();
        let number = self.wanted.entry(wanted.clone()).or_insert(1);
        while self.schemas.has(&name) {
            *number += 1;
            name = format!("{wanted}_{number}");
        }
        name
    }
}

/// The definitions of one schema.
struct Definitions {
    all: IndexMap<String, Tree>,
    /// The references of each definition.
    edges: HashMap<Target, BTreeSet<Target>>,
    /// What the schema references, directly or indirectly.
    reached: BTreeSet<Target>,
}

/// The target of a reference: a definition, or `None` for the root schema.
type Target = Option<String>;

impl Definitions {
    fn take(schema: &mut Tree) -> Self {
        let taken = schema.as_map_mut().and_then(|map| map.take("$defs"));
        let mut all: IndexMap<String, Tree> = match &taken {
            Some(Tree::Object(map)) => map.iter().map(|(k, v)| (k.to_owned(), v.clone())).collect(),
            _ => IndexMap::new(),
        };
        let names: HashSet<String> = all.keys().cloned().collect();
        let mut edges = HashMap::new();
        edges.insert(None, references(schema, &names));
        for (name, definition) in &mut all {
            edges.insert(Some(name.clone()), references(definition, &names));
        }
        let reached = closure(&None, &edges);
        Self {
            all,
            edges,
            reached,
        }
    }

    /// The definitions that are used, with a hash of their meaning: two with the same name and hash
    /// are shared between tools.
    fn meanings(&self, owner: &str) -> Vec<(String, [u8; 32])> {
        let hash = |text: &str| -> [u8; 32] { Sha256::digest(text.as_bytes()).into() };
        let needed = |name: &&String| self.reached.contains(&Some((*name).clone()));
        let needed: Vec<&String> = self.all.keys().filter(needed).collect();
        let text = |name: &&String| (Some((*name).clone()), hash(&self.all[*name].to_text()));
        let texts: HashMap<Target, [u8; 32]> = needed.iter().map(text).collect();
        let alone = texts.len() > MOST;
        let meaning = |name: &String| {
            let this = Some(name.clone());
            let inside = match alone {
                true => BTreeSet::new(),
                false => closure(&this, &self.edges),
            };
            let mut hasher = Sha256::new();
            // What references the root schema cannot be shared with other tools.
            if alone || inside.contains(&None) {
                hasher.update(owner);
            }
            for one in inside.iter().chain([&this]) {
                let name = one.as_deref().unwrap_or_default();
                hasher.update(name.len().to_le_bytes());
                hasher.update(name);
                hasher.update(texts.get(one).copied().unwrap_or_default());
            }
            (name.clone(), hasher.finalize().into())
        };
        needed.into_iter().map(meaning).collect()
    }
}

/// The targets that a schema references.
fn references(schema: &mut Tree, names: &HashSet<String>) -> BTreeSet<Target> {
    let mut found = BTreeSet::new();
    top_down(schema, &mut |map| {
        if let Some((target, _)) = map.text("$ref").and_then(target) {
            found.insert(target.filter(|name| names.contains(name)));
        }
    });
    found
}

fn closure(from: &Target, edges: &HashMap<Target, BTreeSet<Target>>) -> BTreeSet<Target> {
    let mut found = BTreeSet::new();
    let mut todo = vec![from];
    while let Some(one) = todo.pop() {
        for next in edges.get(one).into_iter().flatten() {
            if found.insert(next.clone()) {
                todo.push(next);
            }
        }
    }
    found
}

/// The target of a local reference, and the rest of the pointer.
fn target(reference: &str) -> Option<(Target, &str)> {
    let Some(inside) = reference.strip_prefix(DEFINITIONS) else {
        return Some((None, reference.strip_prefix('#')?));
    };
    let end = inside.find('/').unwrap_or(inside.len());
    let (name, rest) = inside.split_at(end);
    Some((Some(unescape(name)), rest))
}

/// Rewrites the references of a schema to point to the components.
fn lead(schema: &mut Tree, places: &HashMap<Target, String>) {
    top_down(schema, &mut |map| {
        let Some((target, rest)) = map.text("$ref").and_then(target) else {
            return;
        };
        if let Some(component) = places.get(&target) {
            let reference = format!("#{COMPONENTS}{component}{rest}");
            map.set("$ref", Tree::string(reference));
        }
    });
}
