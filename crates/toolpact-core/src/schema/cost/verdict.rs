//! Whether a value is valid, without reasons: each schema is evaluated once at each part.

use std::collections::HashMap;
use std::ops::ControlFlow;

use jsonschema::Validator;

use crate::json::{Kind, Node, NodeId};
use crate::schema::bounds;

use super::Walk;
use super::count::MemoisedNode;
use super::schema_cost::{Contains, Group, SchemaCost, Target};

/// The schemas that apply to one part, and their verdicts.
struct Meeting<'a> {
    part: Node<'a>,
    /// The numbers of the schemas, ascending.
    numbers: Vec<u32>,
    /// The verdicts that are known so far.
    valid: Vec<bool>,
}

impl Walk {
    /// Evaluates each schema once at each part. `None` if even that takes too many steps.
    pub(super) fn verdict_of_each(
        &self,
        value: Node<'_>,
        tree: &serde_json::Value,
    ) -> Option<bool> {
        if self.steps.iter().any(|step| step.is_open) {
            return None;
        }
        let mut verdicts = Verdicts {
            first: value.id(),
            meetings: self.meetings(value)?,
            trees: trees(value, tree),
        };
        // Children before parents, and what is applied in place before what applies it.
        for place in (0..verdicts.meetings.len()).rev() {
            for which in (0..verdicts.meetings[place].numbers.len()).rev() {
                let meeting = &verdicts.meetings[place];
                let step = &self.steps[meeting.numbers[which] as usize];
                let part = meeting.part;
                let valid = self.alone(step, part, &verdicts)? && verdicts.of_step(step, part);
                verdicts.meetings[place].valid[which] = valid;
            }
        }
        Some(verdicts.of(Target::Schema(self.root), value))
    }

    /// Every value and key with the schemas that apply to it, in the order of the index.
    fn meetings<'a>(&self, value: Node<'a>) -> Option<Vec<Meeting<'a>>> {
        let budget = Self::verdict_budget(value);
        let (mut steps, mut pairs, mut meetings) = (0_u64, 0, Vec::new());
        let walked = self.walk(value, |part, met, looked| {
            let part = MemoisedNode::new(part);
            pairs += met.len();
            steps = steps.saturating_add(looked);
            for (number, _) in met {
                steps = steps.saturating_add(self.steps[*number].cost(&part));
            }
            if steps > budget || pairs > bounds::PAIRS {
                return ControlFlow::Break(());
            }
            let numbers = met.iter().map(|(number, _)| u32::try_from(*number));
            meetings.push(Meeting {
                part: part.node,
                numbers: numbers.filter_map(Result::ok).collect(),
                valid: vec![false; met.len()],
            });
            ControlFlow::Continue(())
        });
        walked.is_continue().then_some(meetings)
    }

    /// The verdict of the keywords without subschemas; `None` if they do not compile on their own.
    fn alone(
        &self,
        step: &SchemaCost,
        part: Node<'_>,
        verdicts: &Verdicts<'_, '_>,
    ) -> Option<bool> {
        if step.alone == "{}" {
            return Some(true);
        }
        let validator = step.validator.get_or_init(|| self.build(&step.alone));
        let validator = validator.as_ref()?;
        Some(match verdicts.trees.get(&part.id()) {
            Some(tree) => validator.is_valid(tree),
            // Keys are not in the tree.
            None => {
                let name = part.as_str().unwrap_or_default().into_owned();
                validator.is_valid(&serde_json::Value::String(name))
            }
        })
    }

    fn build(&self, schema: &str) -> Option<Validator> {
        let schema = serde_json::from_str(schema).ok()?;
        crate::check::options(self.formats).build(&schema).ok()
    }
}

impl Meeting<'_> {
    fn says(&self, number: usize) -> bool {
        let which = self.numbers.binary_search_by_key(&number, |n| *n as usize);
        which.is_ok_and(|which| self.valid[which])
    }
}

struct Verdicts<'a, 't> {
    /// The entry of the whole value.
    first: NodeId,
    meetings: Vec<Meeting<'a>>,
    trees: HashMap<NodeId, &'t serde_json::Value>,
}

impl Verdicts<'_, '_> {
    fn of(&self, target: Target, part: Node<'_>) -> bool {
        match target {
            Target::Always => true,
            Target::Never => false,
            Target::Schema(number) => {
                let place = part
                    .id()
                    .checked_sub(self.first)
                    .map(|place| place as usize);
                let meeting = place.and_then(|place| self.meetings.get(place));
                meeting.is_some_and(|meeting| meeting.says(number))
            }
        }
    }

    fn of_step(&self, step: &SchemaCost, part: Node<'_>) -> bool {
        step.groups.iter().all(|group| self.of_group(group, part))
            && match part.kind() {
                _ if !step.has_parts => true,
                Kind::Object => self.of_members(step, part),
                Kind::Array => self.of_elements(step, part),
                _ => true,
            }
    }

    fn of_group(&self, group: &Group, part: Node<'_>) -> bool {
        let valid = |target: &Target| self.of(*target, part);
        match group {
            Group::All(all) => all.iter().all(valid),
            Group::Any(any) => any.iter().any(valid),
            Group::One(one) => one.iter().filter(|target| valid(target)).count() == 1,
            Group::Not(not) => !valid(not),
            Group::If(condition, then, otherwise) => match valid(condition) {
                true => valid(then),
                false => valid(otherwise),
            },
            Group::With(name, target) => {
                let tree = self.trees.get(&part.id());
                tree.is_none_or(|tree| tree.get(&**name).is_none()) || valid(target)
            }
        }
    }

    fn of_members(&self, step: &SchemaCost, part: Node<'_>) -> bool {
        { part.entries() }.all(|(name, child)| {
            let mut valid = step.names.is_none_or(|target| self.of(target, name));
            let text = name.as_str().unwrap_or_default();
            step.member(&text, |target| valid &= self.of(target, child));
            valid
        })
    }

    fn of_elements(&self, step: &SchemaCost, part: Node<'_>) -> bool {
        let mut valid = true;
        for (place, child) in part.items().enumerate() {
            step.element(place, |target| valid &= self.of(target, child));
        }
        valid
            && step
                .contains
                .as_ref()
                .is_none_or(|contains| self.of_contains(contains, part))
    }

    fn of_contains(&self, contains: &Contains, part: Node<'_>) -> bool {
        let matching = part
            .items()
            .filter(|child| self.of(contains.target, *child));
        let count = u32::try_from(matching.count()).map_or(f64::INFINITY, f64::from);
        contains.min <= count && count <= contains.max
    }
}

/// The tree of each part, by entry.
fn trees<'t>(
    value: Node<'_>,
    tree: &'t serde_json::Value,
) -> HashMap<NodeId, &'t serde_json::Value> {
    let mut trees = HashMap::new();
    let mut todo = vec![(value, tree)];
    while let Some((part, tree)) = todo.pop() {
        trees.insert(part.id(), tree);
        let members = part
            .members()
            .filter_map(|(name, child)| Some((child, tree.get(&*name)?)));
        todo.extend(members);
        let elements = tree.as_array().into_iter().flatten();
        todo.extend(part.items().zip(elements));
    }
    trees
}
