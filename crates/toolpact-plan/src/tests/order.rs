//! What runs when.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use tokio::sync::Barrier;
use toolpact_core::contract::Contract;
use toolpact_core::json::Value;
use toolpact_core::returns::StandardError;

use super::plan;
use crate::{Host, Plan, PlanLimits, StepOutcome};

/// One tool, which is told its step and notes when that begins and ends.
struct Clock {
    contract: Arc<Contract>,
    events: Mutex<Vec<(usize, bool)>>,
    running: AtomicUsize,
    most: AtomicUsize,
    /// Calls wait here for each other.
    barrier: Option<Barrier>,
}

impl Clock {
    fn new(barrier: Option<usize>) -> Self {
        let contract =
            r#"{"name": "t", "description": "A tool.", "parameters": {"type": "object"}}"#;
        Self {
            contract: Arc::new(Contract::from_json(contract).unwrap()),
            events: Mutex::default(),
            running: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
            barrier: barrier.map(Barrier::new),
        }
    }
}

/// Counts down when a call is dropped too.
struct Running<'c>(&'c AtomicUsize);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Host for Clock {
    fn contract(&self, _: &str) -> Option<Arc<Contract>> {
        Some(self.contract.clone())
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    async fn call(&self, _: &str, args: Value) -> Result<Value, StandardError> {
        let number = args.root().get("n").and_then(|n| n.text().parse().ok());
        let number: usize = number.unwrap_or_default();
        self.events.lock().unwrap().push((number, true));
        let running = self.running.fetch_add(1, Ordering::SeqCst) + 1;
        let guard = Running(&self.running);
        self.most.fetch_max(running, Ordering::SeqCst);
        if let Some(barrier) = &self.barrier {
            barrier.wait().await;
        }
        // So that steps end in another order than they began.
        for _ in 0..number * 7 % 5 {
            tokio::task::yield_now().await;
        }
        drop(guard);
        self.events.lock().unwrap().push((number, false));
        Ok(args)
    }
}

fn independent(steps: usize) -> Plan {
    let steps: Vec<String> = (0..steps).map(|n| step(n, &[])).collect();
    plan(&format!("[{}]", steps.join(",")))
}

/// Every other dependency is named, the rest are referred to.
fn step(number: usize, needs: &[usize]) -> String {
    let (named, read): (Vec<usize>, Vec<usize>) = needs.iter().partition(|need| *need % 2 == 0);
    let named: Vec<String> = named.iter().map(|need| format!("\"s{need}\"")).collect();
    let read: Vec<String> = read
        .iter()
        .map(|need| format!("\"{{{{s{need}.n}}}}\""))
        .collect();
    format!(
        r#"{{"id": "s{number}", "tool": "t", "args": {{"n": {number}, "read": [{}]}}, "after": [{}]}}"#,
        read.join(","),
        named.join(",")
    )
}

fn is_send<T: Send>(future: T) -> T {
    future
}

#[tokio::test]
async fn ready_steps_run_side_by_side() {
    // If they did not, each would wait at the barrier for ever.
    let clock = Clock::new(Some(16));
    let plan = independent(32);
    let result = is_send(plan.run(&clock, PlanLimits::default())).await;
    assert!(result.is_done());
    assert_eq!(clock.most.load(Ordering::SeqCst), 16);
}

#[tokio::test]
async fn no_more_at_once_than_allowed() {
    for (at_once, most) in [(0, 1), (1, 1), (3, 3)] {
        let clock = Clock::new(None);
        let limits = PlanLimits::default().at_once(at_once);
        assert!(independent(20).run(&clock, limits).await.is_done());
        assert_eq!(clock.most.load(Ordering::SeqCst), most);
    }
}

#[tokio::test]
async fn dropping_the_run_drops_the_calls() {
    let clock = Clock::new(Some(3));
    let plan = independent(2);
    let mut run = Box::pin(plan.run(&clock, PlanLimits::default()));
    let first = std::future::poll_fn(|context| std::task::Poll::Ready(run.as_mut().poll(context)));
    assert!(first.await.is_pending());
    assert_eq!(clock.running.load(Ordering::SeqCst), 2);
    drop(run);
    assert_eq!(clock.running.load(Ordering::SeqCst), 0);
}

/// For each step, the steps before it that it needs; and an order in which they are written.
fn dag() -> impl Strategy<Value = (Vec<Vec<usize>>, Vec<usize>)> {
    (1_usize..30).prop_flat_map(|steps| {
        let needs = |n: usize| prop::collection::vec(0..n.max(1), 0..=n.min(4));
        let needs: Vec<_> = (0..steps).map(needs).collect();
        let order = Just((0..steps).collect::<Vec<usize>>()).prop_shuffle();
        (needs, order)
    })
}

proptest! {
    #[test]
    fn every_step_runs_once_and_after_what_it_needs((needs, order) in dag(), at_once in 1_usize..5) {
        let steps: Vec<String> = order.iter().map(|n| step(*n, &needs[*n])).collect();
        let plan = plan(&format!("[{}]", steps.join(",")));
        let clock = Clock::new(None);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let result = runtime.block_on(plan.run(&clock, PlanLimits::default().at_once(at_once)));
        prop_assert!(result.is_done());
        let events = clock.events.lock().unwrap();
        prop_assert_eq!(events.len(), 2 * needs.len());
        let place = |event| events.iter().position(|e| *e == event).unwrap();
        for (number, needs) in needs.iter().enumerate() {
            for need in needs {
                prop_assert!(place((*need, false)) < place((number, true)));
            }
        }
    }

    #[test]
    fn plans_with_circles_are_refused((needs, order) in dag(), from in any::<prop::sample::Index>()) {
        let mut needs = needs;
        let last = needs.len() - 1;
        let from = from.index(needs.len());
        // The last step needs all others, so whichever needs it closes a circle.
        needs[last] = (0..last).collect();
        needs[from].push(last);
        let steps: Vec<String> = order.iter().map(|n| step(*n, &needs[*n])).collect();
        let plan = plan(&format!("[{}]", steps.join(",")));
        let clock = Clock::new(None);
        let error = plan.check(&clock).unwrap_err();
        prop_assert!(error.problems().iter().any(|p| p.code() == "plan-circle"));
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let result = runtime.block_on(plan.run(&clock, PlanLimits::default()));
        prop_assert!(clock.events.lock().unwrap().is_empty());
        prop_assert!(result.steps().iter().all(|s| !matches!(s.outcome(), StepOutcome::Done(_))));
    }
}
