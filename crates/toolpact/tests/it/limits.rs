//! How many calls there may be: in a span of time, and at once.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio::sync::Semaphore;
use toolpact::core::json::Value;
use toolpact::core::returns::ErrorKind;
use toolpact::{
    Completed, Context, Definition, Registry, ToolError,
    call::{CallLimits, Rate},
    testing,
};

use crate::support::{call, contract, returning, session, soon};
use crate::world::Place as _;

const HOUR: Duration = Duration::from_secs(3600);

fn number(name: &str) -> Definition {
    returning(contract(name, r#""returns": "NumberValue""#), "1")
}

/// When to come back, as a call is told that was refused for its rate.
fn retry_after(completed: &Completed) -> u64 {
    testing::assert_failure(completed, ErrorKind::RateLimited);
    told(completed)
}

/// When to come back.
fn told(completed: &Completed) -> u64 {
    let detail = completed
        .error()
        .unwrap()
        .as_standard()
        .detail("retry_after_ms");
    detail.unwrap().text().parse().unwrap()
}

#[tokio::test]
async fn a_tool_has_a_rate() {
    let registry = Registry::new();
    let limits = CallLimits::default().rate(Rate::new(2, HOUR));
    registry.place(number("rare").limits(limits)).unwrap();
    registry.place(number("common")).unwrap();
    let sessions = [(); 2].map(|()| registry.session().open().unwrap());
    for session in &sessions {
        testing::assert_success(&session.call(call("rare")).await);
    }
    // It is the tool's, whoever calls.
    for session in &sessions {
        let wait = retry_after(&session.call(call("rare")).await);
        assert!((1..=1_800_000).contains(&wait), "{wait}");
        testing::assert_success(&session.call(call("common")).await);
    }
    let failures: Vec<_> = registry.get("rare").unwrap().metrics().failures().collect();
    assert_eq!(failures, [(ErrorKind::RateLimited, 2)]);
}

#[tokio::test]
async fn a_session_has_a_rate() {
    let registry = Registry::new();
    registry.place_all([number("a"), number("b")]).unwrap();
    let limits = CallLimits::default().rate(Rate::new(2, HOUR));
    let session = registry.session().limits(limits).open().unwrap();
    testing::assert_success(&session.call(call("a")).await);
    testing::assert_success(&session.call(call("b")).await);
    assert!(retry_after(&session.call(call("a")).await) > 0);
    let other = registry.session().open().unwrap();
    testing::assert_success(&other.call(call("a")).await);
}

#[tokio::test]
async fn a_rate_that_was_used_up_comes_back() {
    let limits = CallLimits::default().rate(Rate::new(1, Duration::from_millis(50)));
    let session = session(number("often").limits(limits));
    let mut refused = 0;
    for _ in 0..3 {
        let mut completed = session.call(call("often")).await;
        while !completed.is_success() {
            refused += 1;
            let wait = Duration::from_millis(retry_after(&completed));
            tokio::time::sleep(wait).await;
            completed = session.call(call("often")).await;
        }
    }
    assert!(refused <= 6, "waiting as long as it says is enough");
}

/// A tool that says when it has begun, and goes on when it is let.
struct Slow {
    begun: Arc<Semaphore>,
    go: Arc<Semaphore>,
}

impl Slow {
    fn new(name: &str) -> (Self, Definition) {
        let slow = Self {
            begun: Arc::new(Semaphore::new(0)),
            go: Arc::new(Semaphore::new(0)),
        };
        let (begun, go) = (slow.begun.clone(), slow.go.clone());
        let contract = contract(name, r#""returns": "NumberValue""#);
        let tool = Definition::new(contract, move |_: Value, _: Context| {
            let (begun, go) = (begun.clone(), go.clone());
            async move {
                begun.add_permits(1);
                go.acquire().await?.forget();
                Ok::<_, ToolError>(Value::from(1))
            }
        });
        (slow, tool)
    }

    async fn has_begun(&self) {
        soon(self.begun.acquire()).await.unwrap().forget();
    }
}

/// Begins a call, and sees that it is not done.
async fn begin(call: &mut Pin<&mut impl Future<Output = Completed>>) {
    let polled = std::future::poll_fn(|poller| Poll::Ready(call.as_mut().poll(poller))).await;
    assert!(polled.is_pending());
}

#[tokio::test]
async fn so_many_at_once_so_many_waiting_and_no_more() {
    let (slow, tool) = Slow::new("slow");
    let session = session(tool.limits(CallLimits::default().at_once(1).waiting(1)));
    let mut first = pin!(session.call(call("slow")));
    begin(&mut first).await;
    slow.has_begun().await;
    let mut second = pin!(session.call(call("slow")));
    begin(&mut second).await;
    let third = session.call(call("slow")).await;
    testing::assert_failure(&third, ErrorKind::TooManyAtOnce);
    assert_eq!(third.error().unwrap().code(), "RATE_LIMIT_CONCURRENCY");
    assert_eq!(told(&third), 1000, "nobody has waited yet");
    assert_eq!(
        slow.begun.available_permits(),
        0,
        "the second has not begun"
    );

    slow.go.add_permits(2);
    testing::assert_success(&soon(first).await);
    testing::assert_success(&soon(second).await);
    // Places are given back.
    slow.go.add_permits(1);
    testing::assert_success(&soon(session.call(call("slow"))).await);
}

#[tokio::test]
async fn who_gives_up_waiting_makes_room() {
    let (slow, tool) = Slow::new("slow");
    let session = session(tool.limits(CallLimits::default().at_once(1).waiting(1)));
    let mut first = pin!(session.call(call("slow")));
    begin(&mut first).await;
    slow.has_begun().await;
    let late = call("slow").timeout(Duration::from_millis(20));
    testing::assert_failure(&soon(session.call(late)).await, ErrorKind::TimedOut);
    let mut second = pin!(session.call(call("slow")));
    begin(&mut second).await;
    slow.go.add_permits(2);
    testing::assert_success(&soon(first).await);
    testing::assert_success(&soon(second).await);
}

/// Who has waited long enough is refused, and told how long others wait.
#[tokio::test]
async fn a_call_waits_for_so_long_and_no_longer() {
    let (slow, tool) = Slow::new("slow");
    let limits = CallLimits::default()
        .at_once(1)
        .wait(Duration::from_millis(150));
    let session = session(tool.limits(limits));
    let mut first = pin!(session.call(call("slow")));
    begin(&mut first).await;
    slow.has_begun().await;
    let refused = soon(session.call(call("slow"))).await;
    testing::assert_failure(&refused, ErrorKind::TooManyAtOnce);
    let after = told(&refused);
    assert!((150..1000).contains(&after), "{after}");
    slow.go.add_permits(2);
    testing::assert_success(&soon(first).await);
    testing::assert_success(&soon(session.call(call("slow"))).await);
}

/// All calls of a registry together, whatever their sessions and tools.
#[tokio::test]
async fn a_registry_has_places_for_all_of_its_calls() {
    let (slow, tool) = Slow::new("slow");
    let limits = CallLimits::default().at_once(1).waiting(0);
    let registry = Registry::builder().limits_of_all(&limits).build();
    registry.place_all([tool, number("quick")]).unwrap();
    let [one, other] = [(); 2].map(|()| registry.session().open().unwrap());
    let mut first = pin!(one.call(call("slow")));
    begin(&mut first).await;
    slow.has_begun().await;
    assert_eq!((one.running(), other.running()), (1, 0));
    let second = other.call(call("quick")).await;
    testing::assert_failure(&second, ErrorKind::TooManyAtOnce);
    assert!(told(&second) > 0);
    slow.go.add_permits(1);
    testing::assert_success(&soon(first).await);
    testing::assert_success(&other.call(call("quick")).await);
}

/// By the name that a session with qualified names has for it.
#[tokio::test]
async fn a_tool_has_the_limits_that_its_registry_has_for_it() {
    let rate = Rate::new(1, Duration::from_secs(3600));
    let registry = Registry::builder()
        .limits_of("rare", CallLimits::default().rate(rate))
        .limits_of("set__rare", CallLimits::default())
        .build();
    registry.place(number("rare")).unwrap();
    registry
        .toolset("set")
        .unwrap()
        .place(number("rare"))
        .unwrap();
    let session = registry.session().qualified().open().unwrap();
    testing::assert_success(&session.call(call("rare")).await);
    testing::assert_failure(&session.call(call("rare")).await, ErrorKind::RateLimited);
    for _ in 0..3 {
        testing::assert_success(&session.call(call("set__rare")).await);
    }
}

#[tokio::test]
async fn a_session_has_places_of_its_own() {
    let (slow, tool) = Slow::new("slow");
    let registry = Registry::new();
    registry.place_all([tool, number("quick")]).unwrap();
    let limits = CallLimits::default().at_once(1).waiting(0);
    let narrow = registry.session().limits(limits).open().unwrap();
    let mut first = pin!(narrow.call(call("slow")));
    begin(&mut first).await;
    slow.has_begun().await;
    let second = narrow.call(call("quick")).await;
    testing::assert_failure(&second, ErrorKind::TooManyAtOnce);
    let wide = registry.session().open().unwrap();
    testing::assert_success(&wide.call(call("quick")).await);
    slow.go.add_permits(1);
    testing::assert_success(&soon(first).await);
}

#[tokio::test]
async fn a_result_has_a_size() {
    let text = |length: usize| format!("\"{}\"", "x".repeat(length - 2));
    let tool = |length| {
        let contract = contract("big", r#""returns": "StringValue""#);
        returning(contract, &text(length)).limits(CallLimits::default().result_bytes(100))
    };
    testing::assert_success(&session(tool(100)).call(call("big")).await);
    let completed = session(tool(101)).call(call("big")).await;
    assert_eq!(completed.error().unwrap().code(), "INTERNAL_RESULT_SIZE");
}

/// What a principal may use is its own, in all of its sessions.
#[tokio::test]
async fn each_principal_has_limits() {
    let registry = Registry::builder()
        .limits_of_each_principal(CallLimits::default().rate(Rate::new(3, HOUR)))
        .limits_of_each_principal_for("rare", CallLimits::default().rate(Rate::new(1, HOUR)))
        .build();
    registry.place(number("rare")).unwrap();
    registry.place(number("common")).unwrap();
    let base = registry.session().open().unwrap();
    for name in ["ada", "bob"] {
        let of = |groups: &[&'static str]| {
            let principal = toolpact::Principal::new(name).groups(groups.to_vec());
            base.fork_for(principal)
        };
        testing::assert_success(&of(&[]).call(call("rare")).await);
        // Another session, or another group, is the same principal.
        retry_after(&of(&["more"]).call(call("rare")).await);
        testing::assert_success(&of(&[]).call(call("common")).await);
        testing::assert_success(&of(&["more"]).call(call("common")).await);
        retry_after(&of(&[]).call(call("common")).await);
    }
    let elsewhere = toolpact::Principal::new("ada").issued_by("elsewhere");
    testing::assert_success(&base.fork_for(elsewhere).call(call("rare")).await);
    testing::assert_success(&base.call(call("common")).await);
}

#[tokio::test]
async fn each_principal_runs_so_many_at_once() {
    let (gate, started) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
    let (waited, told) = (Arc::clone(&gate), Arc::clone(&started));
    let slow = Definition::new(
        contract("slow", r#""returns": "opaque""#),
        move |_: Value, _: Context| {
            let (gate, started) = (Arc::clone(&waited), Arc::clone(&told));
            async move {
                started.add_permits(1);
                drop(gate.acquire().await);
                Ok::<Value, ToolError>(Value::from("done"))
            }
        },
    );
    let limits = CallLimits::default().at_once(1).waiting(0);
    let registry = Registry::builder().limits_of_each_principal(limits).build();
    registry.place(slow).unwrap();
    let base = registry.session().open().unwrap();
    let session = |name: &str| base.fork_for(toolpact::Principal::new(name));
    let (ada, bob) = (session("ada"), session("bob"));
    let first = tokio::spawn(async move { ada.call(call("slow")).await });
    drop(started.acquire().await.unwrap());
    let refused = session("ada").call(call("slow")).await;
    testing::assert_failure(&refused, ErrorKind::TooManyAtOnce);
    let other = tokio::spawn(async move { bob.call(call("slow")).await });
    gate.add_permits(10);
    testing::assert_success(&first.await.unwrap());
    testing::assert_success(&other.await.unwrap());
}
