use std::collections::VecDeque;
use std::future::Future;
use std::sync::Arc;

use futures_util::stream::{FuturesUnordered, StreamExt as _};
use toolpact_core::Severity;
use toolpact_core::json::Value;
use toolpact_core::returns::{ErrorKind, StandardError};

use super::graph::Graph;
use super::problem::{PlanProblem, PlanRule};
use super::step::PlanStep;
use super::{Host, Plan, PlanLimits, PlanResult, StepOutcome, StepResult};

/// Runs the steps of a plan, each as soon as those it waits for are done.
pub(super) async fn run(plan: &Plan, host: &impl Host, limits: PlanLimits) -> PlanResult {
    let mut problems = super::check::problems(plan, host);
    problems.retain(|problem| problem.severity() == Severity::Error);
    if !problems.is_empty() {
        return refused(plan, problems);
    }
    let mut progress = Progress::new(plan, limits);
    // Not spawned, so that dropping the run drops its calls.
    let mut running = FuturesUnordered::new();
    loop {
        while running.len() < limits.at_once.max(1) {
            let Some((number, args)) = progress.next() else {
                break;
            };
            running.push(call(host, number, plan.steps()[number].tool(), args));
        }
        match running.next().await {
            Some((number, result)) => progress.end(number, result),
            None => return progress.finish(),
        }
    }
}

fn call<'h>(
    host: &'h impl Host,
    number: usize,
    tool: &'h str,
    args: Value,
) -> impl Future<Output = (usize, Result<Value, StandardError>)> + Send {
    let call = host.call(tool, args);
    async move { (number, call.await) }
}

struct Progress<'p> {
    plan: &'p Plan,
    limits: PlanLimits,
    graph: Graph,
    ids: Vec<Arc<str>>,
    /// For each step, how many of those it waits for are not done.
    waiting: Vec<usize>,
    ready: VecDeque<usize>,
    outcomes: Vec<Option<StepOutcome>>,
    held_up: Vec<Vec<Arc<str>>>,
}

impl<'p> Progress<'p> {
    fn new(plan: &'p Plan, limits: PlanLimits) -> Self {
        let graph = Graph::of(plan.steps(), &plan.numbers);
        let waiting: Vec<usize> = graph.needs.iter().map(Vec::len).collect();
        let ready = (0..waiting.len()).filter(|n| waiting[*n] == 0).collect();
        Self {
            plan,
            limits,
            graph,
            ids: ids(plan),
            outcomes: vec![None; waiting.len()],
            held_up: vec![Vec::new(); waiting.len()],
            waiting,
            ready,
        }
    }

    /// A step that can run now, with its arguments.
    fn next(&mut self) -> Option<(usize, Value)> {
        loop {
            let number = self.ready.pop_front()?;
            let step = &self.plan.steps()[number];
            match step
                .template
                .fill(|id| self.result_of(id), self.limits.args_bytes)
            {
                Ok(args) => return Some((number, args)),
                Err(wrong) => {
                    let error = StandardError::new(ErrorKind::WrongArgument, &wrong.join("\n"));
                    self.end(number, Err(error));
                }
            }
        }
    }

    fn result_of(&self, id: &str) -> Option<&Value> {
        match self.outcomes.get(*self.plan.numbers.get(id)?)? {
            Some(StepOutcome::Done(value)) => Some(value),
            _ => None,
        }
    }

    fn end(&mut self, number: usize, result: Result<Value, StandardError>) {
        match result {
            Ok(value) => {
                self.outcomes[number] = Some(StepOutcome::Done(value));
                for next in &self.graph.needed_by[number] {
                    self.waiting[*next] -= 1;
                    if self.waiting[*next] == 0 {
                        self.ready.push_back(*next);
                    }
                }
            }
            Err(error) => {
                self.outcomes[number] = Some(StepOutcome::Failed(error));
                self.skip_after(number);
            }
        }
    }

    /// Everything that waits for a step that failed, directly or not, does not run.
    fn skip_after(&mut self, failed: usize) {
        let mut skipped = Vec::new();
        let mut todo = vec![failed];
        while let Some(number) = todo.pop() {
            for next in &self.graph.needed_by[number] {
                // Each has one reason: the step that failed first.
                if self.outcomes[*next].is_none() {
                    let because = self.ids[failed].clone();
                    self.outcomes[*next] = Some(StepOutcome::Skipped { because });
                    skipped.push(*next);
                    todo.push(*next);
                }
            }
        }
        skipped.sort_unstable();
        self.held_up[failed] = skipped.iter().map(|n| self.ids[*n].clone()).collect();
    }

    fn finish(self) -> PlanResult {
        let outcomes = self.outcomes.into_iter().zip(self.held_up);
        let steps = self.plan.steps().iter().zip(self.ids).zip(outcomes);
        let steps = steps.map(|((step, id), (outcome, held_up))| StepResult {
            id,
            tool: step.tool.clone(),
            // Every step of a plan without cycles ends, so this is a bug.
            outcome: outcome.unwrap_or_else(|| unfinished(step)),
            held_up,
        });
        PlanResult {
            steps: steps.collect(),
            problems: Vec::new(),
        }
    }
}

/// Nothing runs if something is wrong anywhere: half a plan may be worse than none.
fn refused(plan: &Plan, problems: Vec<PlanProblem>) -> PlanResult {
    let ids = ids(plan);
    let first = problems.iter().find_map(PlanProblem::step);
    let because: Arc<str> = first.unwrap_or_default().into();
    let steps = plan.steps().iter().zip(ids).map(|(step, id)| {
        let mine = problems.iter().filter(|p| p.step() == Some(step.id()));
        let mine: Vec<PlanProblem> = mine.cloned().collect();
        let because = because.clone();
        StepResult {
            id,
            tool: step.tool.clone(),
            outcome: match mine.first() {
                None => StepOutcome::Skipped { because },
                Some(problem) => StepOutcome::Failed(error(problem.rule(), &mine)),
            },
            held_up: Vec::new(),
        }
    });
    let steps = steps.collect();
    PlanResult { steps, problems }
}

fn error(rule: PlanRule, problems: &[PlanProblem]) -> StandardError {
    let kind = match rule {
        PlanRule::UnknownTool => ErrorKind::UnknownTool,
        _ => ErrorKind::WrongArgument,
    };
    let lines: Vec<String> = problems.iter().map(PlanProblem::in_words).collect();
    StandardError::new(kind, &lines.join("\n"))
}

fn unfinished(step: &PlanStep) -> StepOutcome {
    let message = format!("The step `{}` was never ready.", step.id());
    StepOutcome::Failed(StandardError::new(ErrorKind::Internal, &message))
}

fn ids(plan: &Plan) -> Vec<Arc<str>> {
    plan.steps().iter().map(|step| step.id().into()).collect()
}
