//! Definitions that many schemas share: each is kept and checked once, however many schemas refer to it.
//!
//! A schema is written out with the definitions that it reaches only when somebody asks for it.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::json::report::Report;
use crate::json::{Node, Value, Writer};
use crate::returns::StandardType;

use super::graph::{Edge, Graph};
use super::refs::standard_reference;
use super::resolve::Resolver;
use super::walk::applied_schemas;
use super::{bounds, expansion, read};

/// Where definitions are in a schema.
const DEFINITIONS: &str = "#/$defs/";
/// Where parts are in the text of a pool.
const PARTS: &str = "#/properties/";
/// In-place circles that are told apart; with more, no part is taken to be sound.
const CIRCLES: usize = 100;

/// A definition before it is in a pool.
pub(crate) struct Fragment {
    /// The name it has in a schema, unless that is taken.
    pub(crate) word: String,
    /// Its JSON, in which references to other parts are `@0`, `@1` and so on.
    pub(crate) text: String,
    /// The number of the part that each of these leads to, and the pointer inside of it.
    pub(crate) links: Vec<(usize, String)>,
    /// The standard type that it is, by name and content.
    pub(crate) standard: Option<StandardType>,
}

/// Definitions that refer to each other.
pub(crate) struct Pool {
    text: Box<str>,
    parts: Vec<Part>,
    /// The most subschemas that one of its schemas applies to a value in place.
    expansion: u64,
}

struct Part {
    word: Box<str>,
    span: Range<usize>,
    links: Box<[Link]>,
    standard: Option<StandardType>,
    /// States of its patterns.
    states: u64,
    /// Whether it was found to be usable. If not, a schema with it is checked as a whole.
    sound: bool,
}

/// A reference to another part.
struct Link {
    span: Range<usize>,
    to: usize,
    rest: Box<str>,
}

/// How a schema refers to the parts of a pool.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    references: HashMap<usize, String>,
    taken: HashSet<String>,
    waiting: Vec<(String, usize)>,
}

/// A schema whose definitions are in a pool.
#[derive(Clone)]
pub(crate) struct Shared {
    pool: Arc<Pool>,
    /// The schema without these definitions.
    root: Value,
    names: Names,
}

impl Names {
    /// The schema itself is this part.
    pub(crate) fn is_root(&mut self, part: usize) -> bool {
        self.references.insert(part, "#".to_owned()).is_none()
    }

    /// The reference to a part, which becomes a definition.
    pub(crate) fn reference(&mut self, pool: &Pool, to: usize) -> String {
        if let Some(reference) = self.references.get(&to) {
            return reference.clone();
        }
        let part = &pool.parts[to];
        let name = self.new_name(&part.word);
        let standard = part.standard.filter(|standard| standard.name() == name);
        let reference = match standard {
            Some(standard) => standard.uri(),
            None => {
                self.waiting.push((name.clone(), to));
                definition(&name)
            }
        };
        self.references.insert(to, reference.clone());
        reference
    }

    /// A name with a number if it is taken.
    pub(crate) fn new_name(&mut self, word: &str) -> String {
        let reserved = |name: &str| standard_reference(&format!("{DEFINITIONS}{name}")).is_some();
        let mut name = word.to_owned();
        let mut number = 2;
        while self.taken.contains(&name) || reserved(&name) {
            name = format!("{word}_{number}");
            number += 1;
        }
        self.taken.insert(name.clone());
        name
    }

    /// The names of the definitions that the schema itself refers to.
    pub(crate) fn definitions(&self) -> impl Iterator<Item = &str> {
        self.waiting.iter().map(|(name, _)| name.as_str())
    }
}

impl Pool {
    pub(crate) fn new(fragments: Vec<Fragment>) -> Self {
        let (text, parts) = join(fragments);
        let mut pool = Self {
            text: "".into(),
            parts,
            expansion: 1,
        };
        let mut writer = Writer::default();
        writer.raw(&text);
        pool.check(&Value::trusted(writer));
        pool.text = text.into();
        pool
    }

    /// Every part that a schema reaches, in the order in which they are written.
    pub(crate) fn reached(&self, names: &Names) -> Vec<usize> {
        let mut known: HashSet<usize> = names.references.keys().copied().collect();
        let mut waiting: Vec<usize> = names.waiting.iter().map(|(_, part)| *part).collect();
        let mut found = Vec::new();
        while let Some(number) = waiting.pop() {
            found.push(number);
            let part = &self.parts[number];
            waiting.extend(part.links.iter().map(|link| link.to).filter(|to| {
                let standard = self.parts[*to].standard.is_some();
                known.insert(*to) && !standard
            }));
        }
        found
    }

    /// Whether a schema is certainly usable together with what it reaches. `root` was checked with
    /// definitions that allow everything.
    pub(crate) fn fits(&self, root: Node<'_>, reached: &[usize]) -> bool {
        let parts = || reached.iter().map(|number| &self.parts[*number]);
        let bytes: usize = parts()
            .map(|part| part.span.len() + part.word.len() + 8)
            .sum();
        let states: u64 = parts().map(|part| part.states).sum();
        let mut left = bounds::PATTERNS.saturating_sub(states);
        let mut report = Report::new(1);
        read::patterns(&applied_schemas(root), &mut left, &mut report);
        let graph = Graph::new(root, &Resolver::new(root));
        let applied = expansion::in_place(&graph).unwrap_or(u64::MAX);
        parts().all(|part| part.sound)
            && bytes + root.text().len() <= bounds::BYTES
            && report.errors() == 0
            && applied.saturating_mul(1 + self.expansion) <= bounds::EXPANSION
    }

    fn check(&mut self, whole: &Value) {
        let root = whole.root();
        let nodes: Vec<Node<'_>> = match root.get("properties") {
            Some(all) => all.members().map(|(_, node)| node).collect(),
            None => Vec::new(),
        };
        let mut plain = Vec::with_capacity(nodes.len());
        for (part, node) in self.parts.iter_mut().zip(&nodes) {
            let found = read::part(*node);
            part.sound = found.is_some();
            part.states = found.map_or(0, |(states, _)| states);
            plain.push(found.is_some_and(|(_, plain)| plain));
        }
        self.check_links(root, &nodes);
        self.check_names();
        let unusual = plain.iter().any(|plain| !plain);
        if unusual && !self.parts.is_empty() && !read::is_compilable(whole) {
            let parts = self.parts.iter_mut().zip(plain);
            parts.for_each(|(part, plain)| part.sound &= plain);
        }
    }

    /// Names that are written in another way in a reference must be found all the same.
    fn check_names(&mut self) {
        let is_odd = |part: &Part| encode(&part.word) != *part.word;
        let odd: BTreeSet<&str> = self
            .parts
            .iter()
            .filter(|p| is_odd(p))
            .map(|p| &*p.word)
            .collect();
        if odd.is_empty() {
            return;
        }
        let mut writer = Writer::default();
        writer.begin_object().key("$defs").begin_object();
        for name in &odd {
            writer.key(name).raw("true");
        }
        writer.end_object().key("allOf").begin_array();
        for name in &odd {
            writer
                .begin_object()
                .key("$ref")
                .string(&definition(name))
                .end_object();
        }
        writer.end_array().end_object();
        if !read::is_compilable(&Value::trusted(writer)) {
            let parts = self.parts.iter_mut().filter(|part| is_odd(part));
            parts.for_each(|part| part.sound = false);
        }
    }

    /// References must lead to schemas, and must not expand without end.
    fn check_links(&mut self, root: Node<'_>, nodes: &[Node<'_>]) {
        let part_of = |node: Node<'_>| {
            let after = nodes.partition_point(|part| part.id() <= node.id());
            after.checked_sub(1)
        };
        let graph = Graph::new(root, &Resolver::new(root));
        let mut unsound: HashSet<usize> = graph.lost.iter().filter_map(|n| part_of(*n)).collect();
        let known: HashSet<_> = applied_schemas(root).iter().map(|n| n.id()).collect();
        let vertices = || graph.vertices.iter();
        let hidden = vertices().filter(|vertex| !known.contains(&vertex.schema.id()));
        unsound.extend(hidden.filter_map(|vertex| part_of(vertex.schema)));
        let mut circles = HashSet::new();
        let costs = loop {
            let followed = |edge: &Edge| edge.is_in_place() && !circles.contains(&edge.to);
            match expansion::costs(&graph, followed) {
                Ok(costs) => break costs,
                Err(_) if circles.len() >= CIRCLES => {
                    self.parts.iter_mut().for_each(|part| part.sound = false);
                    return;
                }
                Err(circle) => drop(circles.insert(circle)),
            }
        };
        unsound.extend(
            circles
                .iter()
                .filter_map(|v| part_of(graph.vertices[*v].schema)),
        );
        for (vertex, cost) in graph.vertices.iter().zip(costs) {
            match cost <= bounds::EXPANSION {
                true => self.expansion = self.expansion.max(cost),
                false => unsound.extend(part_of(vertex.schema)),
            }
        }
        let standards: HashSet<usize> = (0..self.parts.len())
            .filter(|number| self.parts[*number].standard.is_some())
            .collect();
        for (number, part) in self.parts.iter_mut().enumerate() {
            let inside = |link: &Link| !link.rest.is_empty() && standards.contains(&link.to);
            part.sound &= !unsound.contains(&number) && !part.links.iter().any(inside);
        }
    }
}

impl Shared {
    /// The schema without the definitions that it shares.
    pub(super) fn outline(&self) -> Value {
        self.root.clone()
    }

    pub(crate) fn new(pool: Arc<Pool>, root: Value, names: Names) -> Self {
        Self { pool, root, names }
    }

    /// The schema with its definitions.
    pub(crate) fn to_value(&self) -> Value {
        let mut names = self.names.clone();
        if names.waiting.is_empty() {
            return self.root.clone();
        }
        let mut writer = Writer::default();
        writer.begin_object();
        for (key, value) in self.root.root().members() {
            writer.key(&key).raw(value.text());
        }
        writer.key("$defs").begin_object();
        while let Some((name, number)) = names.waiting.pop() {
            let text = self.pool.parts[number].written(&self.pool, &mut names);
            writer.key(&name).raw(&text);
        }
        writer.end_object().end_object();
        Value::trusted(writer)
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.root, f)
    }
}

impl Part {
    /// Its text with the references of a schema.
    fn written(&self, pool: &Pool, names: &mut Names) -> String {
        let references = self.links.iter().map(|link| {
            let reference = names.reference(pool, link.to);
            (link.span.clone(), format!("{reference}{}", link.rest))
        });
        let mut references: Vec<_> = references.collect();
        references.sort_by_key(|(span, _)| span.start);
        let (mut out, mut at) = (String::with_capacity(self.span.len()), self.span.start);
        for (span, reference) in references {
            out.push_str(&pool.text[at..span.start]);
            push_string(&mut out, &reference);
            at = span.end;
        }
        out.push_str(&pool.text[at..self.span.end]);
        out
    }
}

/// All fragments in one text, which is a schema itself: each is a property of it.
fn join(fragments: Vec<Fragment>) -> (String, Vec<Part>) {
    let mut text = String::from(r#"{"properties":{"#);
    let mut parts = Vec::with_capacity(fragments.len());
    for (number, fragment) in fragments.into_iter().enumerate() {
        if number > 0 {
            text.push(',');
        }
        text.push_str(&format!("\"{number}\":"));
        let start = text.len();
        let links = place(&mut text, &fragment);
        parts.push(Part {
            word: fragment.word.into(),
            span: start..text.len(),
            links,
            standard: fragment.standard,
            states: 0,
            sound: false,
        });
    }
    text.push_str("}}");
    (text, parts)
}

/// Appends a fragment, with references in place of its marks. The links keep their order.
fn place(text: &mut String, fragment: &Fragment) -> Box<[Link]> {
    let mut links: Vec<Option<Link>> = fragment.links.iter().map(|_| None).collect();
    let mut at = 0;
    for mark in marks(&fragment.text) {
        let number = fragment.text[mark.start + 1..mark.end].parse::<usize>();
        let number = number.unwrap_or(usize::MAX);
        let Some((to, rest)) = fragment.links.get(number) else {
            continue;
        };
        text.push_str(&fragment.text[at..mark.start]);
        let start = text.len();
        push_string(text, &format!("{PARTS}{to}{rest}"));
        links[number] = Some(Link {
            span: start..text.len(),
            to: *to,
            rest: rest.as_str().into(),
        });
        at = mark.end;
    }
    text.push_str(&fragment.text[at..]);
    links.into_iter().flatten().collect()
}

/// Where the marks are: an `@` outside of strings, and the digits after it.
fn marks(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let (mut found, mut at, mut quoted) = (Vec::new(), 0, false);
    while let Some(byte) = bytes.get(at) {
        match (byte, quoted) {
            (b'\\', true) => at += 1,
            (b'"', _) => quoted = !quoted,
            (b'@', false) => {
                let digits = bytes[at + 1..].iter().take_while(|b| b.is_ascii_digit());
                let end = at + 1 + digits.count();
                found.push(at..end);
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

fn push_string(out: &mut String, text: &str) {
    let mut writer = Writer::default();
    writer.string(text);
    out.push_str(&writer.finish());
}

/// The reference to a definition.
pub(crate) fn definition(name: &str) -> String {
    format!("{DEFINITIONS}{}", encode(name))
}

/// A name as a token of a JSON Pointer, in a URI fragment.
fn encode(name: &str) -> String {
    let token = name.replace('~', "~0").replace('/', "~1");
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/".contains(&b);
    let mut out = String::with_capacity(token.len());
    for byte in token.bytes() {
        match plain(byte) {
            true => out.push(char::from(byte)),
            false => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
