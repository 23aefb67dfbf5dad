//! Walks a value together with all schemas that apply to its parts.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::json::{Kind, Node, NodeId};
use crate::schema::bounds;
use crate::schema::keyword::Applies;

use super::Walk;
use super::schema_cost::{SchemaCost, Target};

/// How often a schema is applied to a part of a value, by purpose.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Times {
    /// To explain what is wrong.
    reasons: u64,
    /// How many of these reasons are kept as context of another, with a copy of the value.
    kept: u64,
    /// To decide whether it is valid.
    verdicts: u64,
    /// To collect what it evaluates.
    marks: u64,
    /// The deepest nesting of schemas applied around it.
    nesting: u64,
}

/// The schemas that apply to one part of a value.
type Meeting = BTreeMap<usize, Times>;

impl Walk {
    /// Whether a value can be explained within the budget of steps, memory and stack.
    pub(super) fn allows(&self, value: Node<'_>) -> bool {
        let most = match self.is_light {
            true => u64::MAX,
            false => Self::budget(value),
        };
        let memory = Self::memory(value);
        let (mut total, mut copied, mut nesting) = (0_u64, 0_u64, 0);
        self.walk(value, |part, met, looked| {
            let part = MemoisedNode::new(part);
            total = total.saturating_add(looked);
            for (number, times) in met {
                let step = &self.steps[*number];
                total = total.saturating_add(times.all().saturating_mul(step.cost(&part)));
                copied = copied.saturating_add(step.copies(times, &part));
                nesting = nesting.max(times.nesting);
            }
            match total > most || copied > memory || nesting > bounds::NESTING {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })
        .is_continue()
    }

    /// Calls `show` for every part of a value with the schemas that apply to it and how many
    /// schemas were checked to find them: parents before children, and a schema before those it
    /// applies in place. Keeps one branch of the value at a time.
    pub(super) fn walk<'a>(
        &self,
        value: Node<'a>,
        mut show: impl FnMut(Node<'a>, &[(usize, Times)], u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let once = Times {
            reasons: 1,
            ..Times::default()
        };
        let open = self.enter(value, Meeting::from([(self.root, once)]));
        show(value, &open.met, 0)?;
        let mut branch = vec![open];
        while let Some(open) = branch.last_mut() {
            let Some((name, child)) = open.next_child() else {
                branch.pop();
                continue;
            };
            let looked = open.below.len() as u64;
            if let Some(name) = name {
                let met = self.enter(name, self.of_name(&open.below)).met;
                show(name, &met, looked)?;
            }
            let open = self.enter(child, self.of_child(open, name));
            show(child, &open.met, looked)?;
            branch.push(open);
        }
        ControlFlow::Continue(())
    }

    /// Adds the schemas that are applied in place.
    fn enter<'a>(&self, part: Node<'a>, mut meeting: Meeting) -> Open<'a> {
        let mut met = Vec::with_capacity(meeting.len());
        while let Some((number, times)) = meeting.pop_first() {
            let step = &self.steps[number];
            step.in_place(|applies, to| {
                apply(&mut meeting, to, times.in_place(applies, step.looks_back));
            });
            met.push((number, times));
        }
        let applies = |(number, _): &&(usize, Times)| self.steps[*number].has_parts;
        Open {
            part,
            next: part.id() + 1,
            place: 0,
            below: met.iter().filter(applies).copied().collect(),
            met,
        }
    }

    fn of_name(&self, met: &[(usize, Times)]) -> Meeting {
        let mut meeting = Meeting::new();
        for (number, times) in met {
            if let Some(target) = self.steps[*number].names {
                apply(&mut meeting, target, times.below());
            }
        }
        meeting
    }

    fn of_child(&self, open: &Open<'_>, name: Option<Node<'_>>) -> Meeting {
        let mut meeting = Meeting::new();
        let name = name.map(|name| name.as_str().unwrap_or_default());
        for (number, times) in &open.below {
            let step = &self.steps[*number];
            match &name {
                Some(name) => step.member(name, |to| apply(&mut meeting, to, times.below())),
                None => step.element(open.place - 1, |to| apply(&mut meeting, to, times.below())),
            }
            if let (Some(contains), None) = (&step.contains, &name) {
                apply(&mut meeting, contains.target, times.probed(step.looks_back));
            }
            for to in &step.unevaluated {
                apply(&mut meeting, *to, times.below());
            }
        }
        meeting
    }
}

fn apply(meeting: &mut Meeting, target: Target, times: Times) {
    if let Target::Schema(number) = target {
        meeting.entry(number).or_default().add(times);
    }
}

/// A part of a value whose children are being visited.
struct Open<'a> {
    part: Node<'a>,
    /// The entry of the next child.
    next: NodeId,
    /// How many children came before it.
    place: usize,
    met: Vec<(usize, Times)>,
    /// Those of `met` that apply schemas to the children.
    below: Vec<(usize, Times)>,
}

impl<'a> Open<'a> {
    fn next_child(&mut self) -> Option<(Option<Node<'a>>, Node<'a>)> {
        if self.next >= self.part.entry().next {
            return None;
        }
        let index = self.part.index();
        let first = Node::new(index, self.next);
        let (name, child) = match self.part.kind() {
            Kind::Object => (Some(first), Node::new(index, self.next + 1)),
            _ => (None, first),
        };
        self.place += 1;
        self.next = child.entry().next;
        Some((name, child))
    }
}

/// A part of a value, with memoised facts about it.
pub(super) struct MemoisedNode<'a> {
    pub(super) node: Node<'a>,
    length: OnceCell<u64>,
}

impl<'a> MemoisedNode<'a> {
    pub(super) fn new(node: Node<'a>) -> Self {
        let length = OnceCell::new();
        Self { node, length }
    }

    /// The length of what patterns are matched against: a string, or all names.
    fn length(&self) -> u64 {
        *self.length.get_or_init(|| match self.node.kind() {
            Kind::String => self.node.text().len() as u64,
            Kind::Object => {
                let lengths = self.node.entries().map(|(name, _)| name.text().len());
                lengths.sum::<usize>() as u64
            }
            _ => 0,
        })
    }
}

impl SchemaCost {
    /// The cost of applying it once to a part, without its subschemas.
    pub(super) fn cost(&self, part: &MemoisedNode<'_>) -> u64 {
        /// One step takes as long as matching a byte in this many states.
        const STATES_PER_STEP: u64 = 64;
        match self.states {
            0 => self.own,
            states => {
                let states = states.saturating_mul(part.length());
                self.own.saturating_add(states / STATES_PER_STEP)
            }
        }
    }

    /// How many bytes of the schema and of the value its reasons copy.
    fn copies(&self, times: &Times, part: &MemoisedNode<'_>) -> u64 {
        let names = match self.additional.is_some() || !self.unevaluated.is_empty() {
            true => part.length(),
            false => 0,
        };
        let always = self.copied.saturating_mul(bounds::TREE) + names;
        let kept = part.node.text().len() as u64 * bounds::TREE;
        let always = times.reasons.saturating_mul(always);
        always.saturating_add(times.kept.saturating_mul(kept))
    }
}

impl Times {
    fn all(self) -> u64 {
        let sum = self.reasons.saturating_add(self.verdicts);
        sum.saturating_add(self.marks)
    }

    fn add(&mut self, other: Self) {
        self.reasons = self.reasons.saturating_add(other.reasons);
        self.kept = self.kept.saturating_add(other.kept);
        self.verdicts = self.verdicts.saturating_add(other.verdicts);
        self.marks = self.marks.saturating_add(other.marks);
        self.nesting = self.nesting.max(other.nesting);
    }

    /// How often a subschema of this schema is applied in place.
    fn in_place(self, applies: Applies, looks_back: bool) -> Self {
        let marks = if looks_back { self.all() } else { self.marks };
        let both = self.reasons.saturating_add(self.verdicts);
        let (reasons, kept, verdicts) = match applies {
            // First whether one of them is valid, then why none is.
            Applies::Choice => (self.reasons, self.reasons, both),
            Applies::Probe => (0, 0, both),
            _ => (self.reasons, self.kept, self.verdicts),
        };
        Self {
            reasons,
            kept,
            verdicts: verdicts.saturating_add(marks),
            marks,
            nesting: self.nesting + 1,
        }
    }

    /// How often it is applied to the children of the value.
    fn below(self) -> Self {
        Self {
            marks: 0,
            nesting: self.nesting + 1,
            ..self
        }
    }

    /// How often it is applied to children to decide whether they satisfy it.
    fn probed(self, looks_back: bool) -> Self {
        let inner = self.in_place(Applies::Probe, looks_back);
        Self { marks: 0, ..inner }
    }
}
