//! From text to steps.

mod fence;
mod step;

use toolpact_core::Pointer;
use toolpact_core::json::{Kind, Limits, Node, Value};

use crate::findings::{Draft, Findings};
use crate::problem::PlanRule;
use crate::step::PlanStep;
use crate::words::{count, did_you_mean, list, shorten};
use crate::{Error, Plan, PlanLimits};

use fence::Block;
use step::{COMMENTS, read_step};

/// Reads a plan from what a model wrote.
pub(super) fn from_text(text: &str, limits: &PlanLimits) -> Result<Plan, Error> {
    let block = find(text)?;
    let reading = Limits::default().bytes(limits.plan_bytes).violations(100);
    match Value::from_json_within(block.text, &reading) {
        Ok(value) => from_value(&value, limits),
        Err(violations) => {
            let mut found = Findings::default();
            for violation in &violations {
                found.add(PlanRule::Json, || {
                    let place = violation.location().map_or_else(String::new, |l| {
                        format!("line {}, column {}: ", block.line + l.line, l.column)
                    });
                    Draft::new(format!("{place}{}", violation.message()))
                        .at(violation.pointer())
                        .advise(violation.suggestion().map(|s| s.text.clone()))
                });
            }
            Err(found.into_error(Some(violations)))
        }
    }
}

/// Reads a plan from a value: a list of steps, an object with one, or one step.
pub(super) fn from_value(value: &Value, limits: &PlanLimits) -> Result<Plan, Error> {
    let mut found = Findings::default();
    let nodes = step_nodes(value.root(), limits, &mut found);
    let mut steps = Vec::with_capacity(nodes.len());
    for (at, node) in nodes.into_iter().enumerate() {
        steps.extend(read_step(node, at, &mut found));
    }
    check_references(&steps, limits, &mut found);
    check_ids(&steps, &mut found);
    match found.has_errors() {
        false => Ok(Plan::new(steps)),
        true => Err(found.into_error(None)),
    }
}

/// The part of a text that is the plan: all of it, or what is between fences.
fn find(text: &str) -> Result<Block<'_>, Error> {
    if fence::is_like_json(text) {
        return Ok(Block { text, line: 0 });
    }
    let mut blocks = fence::blocks(text);
    let found = match (blocks.pop(), blocks.len()) {
        (Some(block), 0) => return Ok(block),
        (Some(_), others) => format!("{} blocks of it", others + 1),
        (None, _) if text.trim().is_empty() => "nothing".to_owned(),
        (None, _) => format!("`{}`", shorten(text.trim())),
    };
    let mut findings = Findings::default();
    findings.add(PlanRule::Json, || {
        Draft::new(format!("expected one plan in JSON, found {found}")).advise(Some(
            "write the steps as one JSON array, alone or in one ```json block".to_owned(),
        ))
    });
    Err(findings.into_error(None))
}

fn step_nodes<'v>(root: Node<'v>, limits: &PlanLimits, found: &mut Findings) -> Vec<Node<'v>> {
    let listed = root.get("steps");
    if listed.is_some() {
        check_keys(root, found);
    }
    let steps = listed.unwrap_or(root);
    let nodes: Vec<Node<'v>> = match steps.kind() {
        Kind::Array => steps.items().collect(),
        Kind::Object => vec![steps],
        kind => {
            let message = format!("expected a list of steps, found {kind}");
            found.add(PlanRule::Shape, || Draft::new(message));
            return Vec::new();
        }
    };
    if nodes.is_empty() {
        let message = "expected at least one step, found none".to_owned();
        found.add(PlanRule::Shape, || Draft::new(message));
    }
    if nodes.len() <= limits.steps {
        return nodes;
    }
    let (most, steps) = (count(limits.steps, "step", "steps"), nodes.len());
    let message = format!("expected at most {most}, found {steps}");
    found.add(PlanRule::Limit, || Draft::new(message));
    Vec::new()
}

/// The keys beside `steps`. What nobody knows could be a condition, so it is not passed over.
fn check_keys(root: Node<'_>, found: &mut Findings) {
    for (key, _) in root.members() {
        if key == "steps" || COMMENTS.contains(&&*key) {
            continue;
        }
        found.add(PlanRule::Shape, || {
            Draft::new(format!("expected `steps`, found `{}`", shorten(&key)))
                .at(&Pointer::root().key(&key))
                .advise(did_you_mean(&key, ["steps"]).or(Some("leave it out".to_owned())))
        });
    }
}

fn check_references(steps: &[PlanStep], limits: &PlanLimits, found: &mut Findings) {
    let references: usize = steps.iter().map(|step| step.references().count()).sum();
    if references > limits.references {
        let most = count(limits.references, "reference", "references");
        found.add(PlanRule::Limit, || {
            Draft::new(format!("expected at most {most}, found {references}"))
        });
    }
}

fn check_ids(steps: &[PlanStep], found: &mut Findings) {
    let mut seen = std::collections::HashSet::new();
    for step in steps {
        if seen.insert(step.id()) {
            continue;
        }
        found.add(PlanRule::Id, || {
            Draft::new(format!(
                "expected an id of its own, found {}, which a step before it has",
                list([step.id()])
            ))
            .in_step(step.id())
            .at(&Pointer::root().key("id"))
        });
    }
}
