//! How much work it is to check a value.
//!
//! A schema may lead to the same schema on many ways, and a value of some depth doubles the number
//! of ways with each level. The validator goes every way, so they are counted before it is asked.
//! Counting is cheap: the ways to one schema at one part of the value are one number.

use std::collections::{BTreeMap, HashMap};

use regex::Regex;

use crate::json::{Kind, Node, NodeId, Value};

use super::apply::Applies;
use super::graph::{Edge, Graph, Vertex};
use super::resolve::Resolver;
use super::{bounds, expansion, pattern};

/// Counts the work of a schema for which it is not bounded by the schema alone.
#[derive(Debug)]
pub(crate) struct Work {
    /// Schemas in an order in which those that apply to the same value come later.
    steps: Vec<Step>,
    root: usize,
}

/// What one schema applies.
#[derive(Debug, Default)]
struct Step {
    /// What it does by itself.
    own: u64,
    looks_back: bool,
    in_place: Vec<(Applies, usize)>,
    properties: HashMap<Box<str>, Option<usize>>,
    patterns: Vec<(Option<Regex>, Option<usize>)>,
    additional: Option<usize>,
    names: Option<usize>,
    prefix: Vec<Option<usize>>,
    items: Option<usize>,
    contains: Option<usize>,
    unevaluated: Vec<usize>,
}

/// How often a schema is applied to a part of a value, by what for.
#[derive(Debug, Clone, Copy, Default)]
struct Times {
    /// To say what is wrong.
    reasons: u64,
    /// To find out whether it is valid.
    verdicts: u64,
    /// To find out what it looks at.
    marks: u64,
}

/// The schemas that one part of a value meets.
type Meeting = BTreeMap<usize, Times>;

impl Work {
    /// `None` if no value can be much work.
    pub(crate) fn new(bundle: &Value) -> Option<Self> {
        let root = bundle.root();
        let graph = Graph::new(root, &Resolver::new(root));
        if expansion::in_total(&graph).is_some_and(|steps| steps <= bounds::EXPANSION) {
            return None;
        }
        let mut order = graph.order(|edge| edge.is_in_place()).ok()?;
        order.reverse();
        let mut places = vec![0; order.len()];
        for (place, vertex) in order.iter().enumerate() {
            places[*vertex] = place;
        }
        let vertices = order.iter().map(|vertex| &graph.vertices[*vertex]);
        Some(Self {
            steps: vertices.map(|vertex| Step::new(vertex, &places)).collect(),
            root: places[0],
        })
    }

    /// Whether a value can be checked in a number of steps that is linear in its size.
    pub(crate) fn allows(&self, value: Node<'_>) -> bool {
        self.count(value) <= Self::budget(value)
    }

    /// How many steps a value may take.
    pub(crate) fn budget(value: Node<'_>) -> u64 {
        let parts = u64::from(value.entry().next - value.id());
        bounds::WORK + parts.saturating_mul(bounds::WORK_PER_PART)
    }

    /// The number of steps a value takes, or more than its budget. Goes through the value once,
    /// and keeps the meetings of one branch of it at a time.
    fn count(&self, value: Node<'_>) -> u64 {
        let budget = Self::budget(value);
        let once = Times {
            reasons: 1,
            ..Times::default()
        };
        let mut total = 0_u64;
        let mut branch = vec![self.enter(value, Meeting::from([(self.root, once)]), &mut total)];
        while let Some(open) = branch.last_mut() {
            if total > budget {
                break;
            }
            let Some((part, meeting)) = self.next_part(open, &mut total) else {
                branch.pop();
                continue;
            };
            let entered = self.enter(part, meeting, &mut total);
            branch.push(entered);
        }
        total
    }

    /// Adds what is applied in place, and counts it all.
    fn enter<'a>(&self, part: Node<'a>, mut meeting: Meeting, total: &mut u64) -> Open<'a> {
        let mut met = Vec::with_capacity(meeting.len());
        while let Some((number, times)) = meeting.pop_first() {
            let step = &self.steps[number];
            *total = total.saturating_add(times.all().saturating_mul(step.own));
            for (applies, to) in &step.in_place {
                let inner = times.in_place(*applies, step.looks_back);
                meeting.entry(*to).or_default().add(inner);
            }
            met.push((number, times));
        }
        Open {
            part,
            next: part.id() + 1,
            place: 0,
            met,
        }
    }

    /// The next child of an open part, with the schemas it meets.
    fn next_part<'a>(&self, open: &mut Open<'a>, total: &mut u64) -> Option<(Node<'a>, Meeting)> {
        if open.next >= open.part.entry().next {
            return None;
        }
        let index = open.part.index();
        let first = Node::new(index, open.next);
        let mut meeting = Meeting::new();
        let child = match open.part.kind() {
            Kind::Object => {
                let name = first.as_str().unwrap_or_default();
                for (number, times) in &open.met {
                    self.steps[*number].member(&name, *times, &mut meeting);
                }
                self.name(first, &open.met, total);
                Node::new(index, open.next + 1)
            }
            _ => {
                for (number, times) in &open.met {
                    self.steps[*number].element(open.place, *times, &mut meeting);
                }
                first
            }
        };
        open.place += 1;
        open.next = child.entry().next;
        Some((child, meeting))
    }

    /// Counts what the name of a member meets.
    fn name(&self, name: Node<'_>, met: &[(usize, Times)], total: &mut u64) {
        let mut meeting = Meeting::new();
        for (number, times) in met {
            if let Some(to) = self.steps[*number].names {
                meeting.entry(to).or_default().add(times.below());
            }
        }
        if !meeting.is_empty() {
            self.enter(name, meeting, total);
        }
    }
}

/// A part of a value whose children are being looked at.
struct Open<'a> {
    part: Node<'a>,
    /// The entry of the next child.
    next: NodeId,
    /// How many children came before it.
    place: usize,
    met: Vec<(usize, Times)>,
}

impl Step {
    fn new(vertex: &Vertex<'_>, places: &[usize]) -> Self {
        let mut step = Self {
            own: expansion::steps(vertex),
            looks_back: vertex.looks_back,
            ..Self::default()
        };
        let mut written = HashMap::new();
        for (keyword, value) in vertex.schema.members() {
            step.prepare(&keyword, value, &mut written);
        }
        for edge in &vertex.edges {
            let place = written.get(&edge.written).copied();
            step.connect(edge, place.unwrap_or_default(), places[edge.to]);
        }
        step
    }

    /// Notes names and places that have a schema, even one that is a boolean: they are not for
    /// `additionalProperties` and `items`.
    fn prepare(&mut self, keyword: &str, value: Node<'_>, written: &mut HashMap<NodeId, usize>) {
        match keyword {
            "properties" => {
                let names = value.members().map(|(name, _)| (name.into(), None));
                self.properties.extend(names);
            }
            "patternProperties" => {
                for (place, (name, schema)) in value.members().enumerate() {
                    self.patterns.push((pattern::compile(&name), None));
                    written.insert(schema.id(), place);
                }
            }
            "prefixItems" => {
                for (place, schema) in value.items().enumerate() {
                    self.prefix.push(None);
                    written.insert(schema.id(), place);
                }
            }
            _ => {}
        }
    }

    fn connect(&mut self, edge: &Edge<'_>, place: usize, to: usize) {
        match edge.applies {
            Applies::Never => {}
            Applies::All | Applies::Choice | Applies::Probe => {
                self.in_place.push((edge.applies, to));
            }
            Applies::Property => {
                let name = edge.key.as_str().unwrap_or_default();
                self.properties.insert(name.into(), Some(to));
            }
            Applies::Pattern => self.patterns[place].1 = Some(to),
            Applies::Prefix => self.prefix[place] = Some(to),
            Applies::Additional => self.additional = Some(to),
            Applies::Names => self.names = Some(to),
            Applies::Items => self.items = Some(to),
            Applies::Contains => self.contains = Some(to),
            Applies::Unevaluated => self.unevaluated.push(to),
        }
    }

    /// Adds what a member of this name meets.
    fn member(&self, name: &str, times: Times, meeting: &mut Meeting) {
        let mut apply = |to: usize| meeting.entry(to).or_default().add(times.below());
        let property = self.properties.get(name);
        let mut is_named = property.is_some();
        property.copied().flatten().into_iter().for_each(&mut apply);
        for (regex, to) in &self.patterns {
            if regex.as_ref().is_none_or(|regex| regex.is_match(name)) {
                is_named = true;
                to.iter().copied().for_each(&mut apply);
            }
        }
        self.additional
            .filter(|_| !is_named)
            .into_iter()
            .for_each(&mut apply);
        self.unevaluated.iter().copied().for_each(&mut apply);
    }

    /// Adds what the element at this place meets.
    fn element(&self, place: usize, times: Times, meeting: &mut Meeting) {
        let mut apply = |to: usize, times: Times| meeting.entry(to).or_default().add(times);
        let by_place = *self.prefix.get(place).unwrap_or(&self.items);
        if let Some(to) = by_place {
            apply(to, times.below());
        }
        for to in &self.unevaluated {
            apply(*to, times.below());
        }
        if let Some(to) = self.contains {
            apply(to, times.probed(self.looks_back));
        }
    }
}

impl Times {
    fn all(self) -> u64 {
        let sum = self.reasons.saturating_add(self.verdicts);
        sum.saturating_add(self.marks)
    }

    fn add(&mut self, other: Self) {
        self.reasons = self.reasons.saturating_add(other.reasons);
        self.verdicts = self.verdicts.saturating_add(other.verdicts);
        self.marks = self.marks.saturating_add(other.marks);
    }

    /// How often a schema inside of this one is applied to the same value.
    fn in_place(self, applies: Applies, looks_back: bool) -> Self {
        let marks = match looks_back {
            true => self.all(),
            false => self.marks,
        };
        let (reasons, verdicts) = match applies {
            // First whether one of them is valid, and only then why not.
            Applies::Choice => (self.reasons, self.reasons.saturating_add(self.verdicts)),
            Applies::Probe => (0, self.reasons.saturating_add(self.verdicts)),
            _ => (self.reasons, self.verdicts),
        };
        Self {
            reasons,
            verdicts: verdicts.saturating_add(marks),
            marks,
        }
    }

    /// How often it is applied to the children of the value.
    fn below(self) -> Self {
        Self { marks: 0, ..self }
    }

    /// How often it is applied to children to find out whether they satisfy it.
    fn probed(self, looks_back: bool) -> Self {
        let inner = self.in_place(Applies::Probe, looks_back);
        Self { marks: 0, ..inner }
    }
}
