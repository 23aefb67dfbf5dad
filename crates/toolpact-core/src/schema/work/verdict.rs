//! Whether a value is valid, without reasons: each schema at each part is looked at once.

use std::collections::HashMap;
use std::ops::ControlFlow;

use jsonschema::{PatternOptions, Validator};

use crate::json::{Kind, Node, NodeId};
use crate::schema::bounds;

use super::Work;
use super::step::{Contains, Group, Step, Target};

impl Work {
    /// Whether a value is valid. `None` if even that takes too much.
    pub(crate) fn verdict(&self, value: Node<'_>, tree: &serde_json::Value) -> Option<bool> {
        if self.steps.iter().any(|step| step.is_open) {
            return None;
        }
        let meetings = self.meetings(value)?;
        let mut verdicts = Verdicts {
            known: HashMap::new(),
            trees: trees(value, tree),
        };
        // Parts before the whole, and what is applied to a part before what applies it.
        for (part, numbers) in meetings.into_iter().rev() {
            for number in numbers.into_iter().rev() {
                let step = &self.steps[number];
                let valid = self.alone(step, part, &verdicts) && verdicts.of_step(step, part);
                verdicts.known.insert((part.id(), number), valid);
            }
        }
        verdicts.known.get(&(value.id(), self.root)).copied()
    }

    /// Every part with the schemas it meets, in the order of the walk.
    fn meetings<'a>(&self, value: Node<'a>) -> Option<Vec<(Node<'a>, Vec<usize>)>> {
        let budget = Self::budget(value);
        let (mut steps, mut pairs, mut meetings) = (0_u64, 0, Vec::new());
        let walked = self.walk(value, |part, met| {
            pairs += met.len();
            for (number, _) in met {
                steps = steps.saturating_add(self.steps[*number].cost(part));
            }
            if steps > budget || pairs > bounds::PAIRS {
                return ControlFlow::Break(());
            }
            meetings.push((part, met.iter().map(|(number, _)| *number).collect()));
            ControlFlow::Continue(())
        });
        walked.is_continue().then_some(meetings)
    }

    /// What the keywords say that apply no schemas.
    fn alone(&self, step: &Step, part: Node<'_>, verdicts: &Verdicts<'_>) -> bool {
        if step.alone == "{}" {
            return true;
        }
        let validator = step.validator.get_or_init(|| self.build(&step.alone));
        match verdicts.trees.get(&part.id()) {
            Some(tree) => validator.is_valid(tree),
            // The name of a member is not in the tree.
            None => {
                let name = part.as_str().unwrap_or_default().into_owned();
                validator.is_valid(&serde_json::Value::String(name))
            }
        }
    }

    fn build(&self, schema: &str) -> Validator {
        let schema = serde_json::from_str(schema).unwrap_or(serde_json::Value::Bool(false));
        let validator = jsonschema::draft202012::options()
            .offline()
            .should_validate_formats(self.formats)
            .with_pattern_options(PatternOptions::regex())
            .build(&schema)
            // Part of a schema that compiles; if it ever did not, it would accept nothing.
            .or_else(|_| jsonschema::draft202012::new(&serde_json::Value::Bool(false)));
        match validator {
            Ok(validator) => validator,
            Err(error) => unreachable!("`false` is a schema: {error}"),
        }
    }
}

struct Verdicts<'t> {
    known: HashMap<(NodeId, usize), bool>,
    trees: HashMap<NodeId, &'t serde_json::Value>,
}

impl Verdicts<'_> {
    fn of(&self, target: Target, part: Node<'_>) -> bool {
        match target {
            Target::Always => true,
            Target::Never => false,
            Target::Schema(number) => self.known.get(&(part.id(), number)) == Some(&true),
        }
    }

    fn of_step(&self, step: &Step, part: Node<'_>) -> bool {
        step.groups.iter().all(|group| self.of_group(group, part))
            && match part.kind() {
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

    fn of_members(&self, step: &Step, part: Node<'_>) -> bool {
        { part.entries() }.all(|(name, child)| {
            let mut valid = step.names.is_none_or(|target| self.of(target, name));
            let text = name.as_str().unwrap_or_default();
            step.member(&text, |target| valid &= self.of(target, child));
            valid
        })
    }

    fn of_elements(&self, step: &Step, part: Node<'_>) -> bool {
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

/// The tree of each part.
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
