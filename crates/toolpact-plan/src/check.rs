use std::collections::HashMap;

use toolpact_core::Pointer;
use toolpact_core::contract::Contract;
use toolpact_core::json::Value;
use toolpact_core::returns::Returns;
use toolpact_core::schema::JsonSchema;

use super::fields::{Bundle, Stop, Verdict, look};
use super::findings::{Draft, Findings};
use super::graph::Graph;
use super::problem::{PlanProblem, PlanRule};
use super::reference::{PathSegment, StepReference};
use super::step::PlanStep;
use super::words::{did_you_mean, list, shorten};
use super::{Host, Plan};

/// Schemas that are looked at for one reference, and for a plan.
const ONE_BUDGET: usize = 10_000;
const WHOLE_BUDGET: usize = 1_000_000;

/// Everything that is wrong with a plan for this host.
pub(super) fn problems(plan: &Plan, host: &impl Host) -> Vec<PlanProblem> {
    let mut promises = HashMap::new();
    for step in plan.steps() {
        let promise = || host.contract(step.tool()).map(|c| Promise::of(&c));
        promises.entry(step.tool()).or_insert_with(promise);
    }
    let promises = promises.iter();
    let promises = promises.map(|(tool, promise)| (*tool, promise.as_ref().map(Promise::bundles)));
    let mut check = Check {
        plan,
        found: Findings::default(),
        budget: WHOLE_BUDGET,
        promises: promises.collect(),
    };
    let mut names = None;
    for step in plan.steps() {
        if let Some(None) = check.promises.get(step.tool()) {
            check.unknown_tool(step, names.get_or_insert_with(|| host.names()));
        }
        check.step(step);
    }
    check.cycles();
    check.found.finish()
}

/// What is known about the results of a tool.
enum Promise<S> {
    Nothing,
    /// Text without parts.
    Text,
    /// Schemas that all apply.
    Schemas(Vec<S>),
}

impl Promise<Value> {
    fn of(contract: &Contract) -> Self {
        match contract.returns() {
            Returns::Standard {
                standard,
                refinement,
            } => {
                let standard = standard.schema().to_bundle();
                let refinement = refinement.iter().map(JsonSchema::to_bundle);
                Promise::Schemas(std::iter::once(standard).chain(refinement).collect())
            }
            Returns::Custom(schema) => Promise::Schemas(vec![schema.to_bundle()]),
            Returns::Opaque => Promise::Text,
            Returns::Legacy { .. } | Returns::Undeclared => Promise::Nothing,
        }
    }

    fn bundles(&self) -> Promise<Bundle<'_>> {
        match self {
            Promise::Nothing => Promise::Nothing,
            Promise::Text => Promise::Text,
            Promise::Schemas(schemas) => {
                Promise::Schemas(schemas.iter().map(Bundle::new).collect())
            }
        }
    }
}

struct Check<'p> {
    plan: &'p Plan,
    found: Findings,
    budget: usize,
    /// By tool; `None` if there is no such tool.
    promises: HashMap<&'p str, Option<Promise<Bundle<'p>>>>,
}

impl<'p> Check<'p> {
    fn step(&mut self, step: &'p PlanStep) {
        for (id, at) in step.needs_at() {
            if self.plan.step(id).is_none() {
                self.unknown_step(step, id, at);
            }
        }
        for (at, reference) in step.template.references() {
            if let Some(source) = self.plan.step(reference.step()) {
                self.reference(step, at, reference, source);
            }
        }
    }

    fn unknown_tool(&mut self, step: &PlanStep, names: &[String]) {
        let names = || names.iter().map(String::as_str);
        self.found.add(PlanRule::UnknownTool, || {
            let (tools, tool) = (list(names()), shorten(step.tool()));
            Draft::new(format!("expected one of the tools {tools}, found `{tool}`"))
                .in_step(step.id())
                .at(&step.tool_at)
                .advise(did_you_mean(step.tool(), names()))
        });
    }

    fn unknown_step(&mut self, step: &PlanStep, id: &str, at: &Pointer) {
        let others = || {
            self.plan
                .steps()
                .iter()
                .map(PlanStep::id)
                .filter(|o| *o != step.id())
        };
        self.found.add(PlanRule::UnknownStep, || {
            let (steps, id) = (list(others()), shorten(id));
            Draft::new(format!("expected one of the steps {steps}, found `{id}`"))
                .in_step(step.id())
                .at(at)
                .advise(did_you_mean(&id, others()))
        });
    }

    /// Whether what is read can be in the result of the step it is read from.
    fn reference(
        &mut self,
        step: &PlanStep,
        at: &Pointer,
        reference: &StepReference,
        source: &PlanStep,
    ) {
        let tool = source.tool();
        let schemas = match self.promises.get(tool) {
            Some(Some(Promise::Schemas(schemas))) => schemas,
            Some(Some(Promise::Text)) if !reference.is_whole() => {
                return self.text(step, at, reference, tool);
            }
            _ => return,
        };
        let granted = ONE_BUDGET.min(self.budget);
        let mut left = granted;
        let (rule, end) = match look(schemas, &reference.path, &mut left) {
            Verdict::Forbidden(end) => (PlanRule::UnknownField, Some(end)),
            Verdict::Unpromised(end) => (PlanRule::UnpromisedField, Some(end)),
            Verdict::Fine | Verdict::Silent(_) => (PlanRule::UnknownField, None),
        };
        self.budget -= granted - left;
        if let Some(end) = end {
            let draft = || field(rule, reference, &end, tool);
            self.found.add(rule, || draft().in_step(step.id()).at(at));
        }
    }

    fn text(&mut self, step: &PlanStep, at: &Pointer, reference: &StepReference, tool: &str) {
        self.found.add(PlanRule::UnknownField, || {
            let id = reference.step();
            let part = reference.path.first().map(PathSegment::noun).unwrap_or_default();
            Draft::new(format!(
                "expected all of `{id}`, found {part} of it: `{tool}` promises text, which has no parts"
            ))
            .in_step(step.id())
            .at(at)
            .advise(Some(format!("write `{{{{{id}}}}}`")))
        });
    }

    fn cycles(&mut self) {
        let steps = self.plan.steps();
        for cycle in Graph::of(steps, &self.plan.numbers).cycles() {
            let [first, ..] = *cycle else { continue };
            let next = cycle.get(1).copied().unwrap_or(first);
            self.found.add(PlanRule::Cycle, || {
                let step = &steps[first];
                let mut needs = step.needs_at();
                let at = needs.find(|(id, _)| *id == steps[next].id());
                let way = cycle.iter().chain([&first]).map(|n| steps[*n].id());
                Draft::new(format!(
                    "expected steps that can be put in an order, found {}",
                    around(way)
                ))
                .in_step(step.id())
                .at(&at.map_or_else(Pointer::root, |(_, at)| at.clone()))
            });
        }
    }
}

/// "`a`, which waits for `b`, which waits for `a`"
fn around<'a>(mut way: impl Iterator<Item = &'a str>) -> String {
    const SHOWN: usize = 10;
    let shown: Vec<String> = way
        .by_ref()
        .take(SHOWN)
        .map(|id| format!("`{id}`"))
        .collect();
    let shown = shown.join(", which waits for ");
    match way.last() {
        None => shown,
        Some(last) => format!("{shown}, and so on back to `{last}`"),
    }
}

fn field(rule: PlanRule, reference: &StepReference, end: &Stop, tool: &str) -> Draft {
    let may = match rule {
        PlanRule::UnpromisedField => "promises to return",
        _ => "can return",
    };
    let part = reference.path.get(end.at);
    let noun = part.map(PathSegment::noun).unwrap_or_default();
    let of = reference.before(end.at);
    let names = || end.names.iter().map(String::as_str);
    let slip = part.and_then(PathSegment::key);
    let slip = slip.and_then(|key| did_you_mean(key, names()));
    let is_list = end.kinds.iter().any(|kind| kind == "an array");
    let is_member = matches!(part, Some(PathSegment::Member(_)));
    let first = (is_list && is_member).then(|| format!("its first element is `{of}[0]`"));
    let itself = || reference.itself(end.at);
    let found = described(end);
    Draft::new(format!(
        "expected something that `{tool}` {may}, found {noun}: `{of}` {found}"
    ))
    .advise(slip.or(first).or_else(itself))
}

/// "is an object with `a` and `b` or null"
fn described(end: &Stop) -> String {
    let word = |kind: &String| match &**kind {
        "an object" if !end.names.is_empty() => {
            format!(
                "an object with {}",
                list(end.names.iter().map(String::as_str))
            )
        }
        kind => kind.to_owned(),
    };
    let words: Vec<String> = end.kinds.iter().map(word).collect();
    match words.is_empty() {
        true => "cannot have it".to_owned(),
        false => format!("is {}", words.join(" or ")),
    }
}
