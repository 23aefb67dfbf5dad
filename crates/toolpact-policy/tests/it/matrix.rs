//! Principals × tools × ways in: no way leads around a policy.
//!
//! A way in takes a session of its principal, as every transport does. Whoever adds one adds a row of [`WAYS`].

use std::future::Future;
use std::pin::Pin;

use toolpact::core::json::Value;
use toolpact::{Call, Principal, Session};
use toolpact_plan::{Plan, PlanLimits};

use crate::support::Desk;

type Outcome = Pin<Box<dyn Future<Output = bool> + Send>>;

/// Whether a call by this way has run.
type Way = fn(Session, &'static str, &'static str) -> Outcome;

const WAYS: [(&str, Way); 6] = [
    ("call", |session, tool, args| {
        Box::pin(async move { session.call(call(tool, args)).await.error().is_none() })
    }),
    ("json", |session, tool, args| {
        Box::pin(async move {
            let json = format!(r#"{{"name": "{tool}", "args": {args}}}"#);
            let answer = session.call_json(json.as_bytes()).await;
            !String::from_utf8_lossy(&answer).contains("\"ERROR\"")
        })
    }),
    ("batch", |session, tool, args| {
        Box::pin(async move {
            let batch = session.call_batch([call(tool, args)]).await;
            batch.completed().iter().all(|one| one.error().is_none())
        })
    }),
    ("stream", |session, tool, args| {
        Box::pin(async move {
            session
                .call_streaming(call(tool, args))
                .finish()
                .await
                .error()
                .is_none()
        })
    }),
    ("fork", |session, tool, args| {
        Box::pin(async move {
            session
                .fork()
                .call(call(tool, args))
                .await
                .error()
                .is_none()
        })
    }),
    ("plan", |session, tool, args| {
        Box::pin(async move {
            let text = format!(r#"[{{"id": "a", "tool": "{tool}", "args": {args}}}]"#);
            let plan = Plan::from_text(&text).unwrap();
            plan.run(&session, PlanLimits::default()).await.is_done()
        })
    }),
];

fn call(tool: &str, args: &str) -> Call {
    Call::new(tool, Value::from_json(args).unwrap())
}

const POLICIES: &str = r#"
permit(principal in Group::"support", action in Action::"effects:read_only", resource);
permit(principal in Group::"support", action == Action::"refund", resource)
when { context.input.amount <= 100 };
permit(principal in Group::"admins", action, resource);
forbid(principal, action == Action::"delete_ticket", resource) unless { principal has tenant };
permit(principal == Principal::"bob", action == Action::"search_tickets", resource);
@ask("Really?") permit(principal == Principal::"eve", action == Action::"refund", resource);
"#;

const CALLS: [(&str, &str); 5] = [
    ("search_tickets", r#"{"text": "x"}"#),
    ("refund", r#"{"amount": 100, "order": "A"}"#),
    ("refund", r#"{"amount": 101, "order": "A"}"#),
    ("delete_ticket", r#"{"number": 1}"#),
    ("shop__refund", r#"{"amount": 1, "order": "A"}"#),
];

#[tokio::test]
async fn no_way_in_leads_around_a_policy() {
    let desk = Desk::new(POLICIES);
    let principals = [
        (Principal::anonymous(), [false, false, false, false, false]),
        (
            Principal::new("ada").groups(["support"]),
            [true, true, false, false, false],
        ),
        (
            Principal::new("root").groups(["admins"]),
            [true, true, true, false, true],
        ),
        (
            Principal::new("root")
                .groups(["admins"])
                .with_tenant("acme"),
            [true; 5],
        ),
        (Principal::new("bob"), [true, false, false, false, false]),
        (Principal::new("bob").issued_by("elsewhere"), [false; 5]),
        // Nobody is there to be asked.
        (Principal::new("eve"), [false; 5]),
        (Principal::new("anonymous"), [false; 5]),
    ];
    let base = desk.registry.session().qualified().open().unwrap();
    let mut tried = 0;
    for (principal, expected) in principals {
        for ((tool, args), expected) in CALLS.into_iter().zip(expected) {
            for (name, way) in WAYS {
                let ran = way(base.fork_for(principal.clone()), tool, args).await;
                assert_eq!(ran, expected, "{principal:?} {name} {tool} {args}");
                tried += 1;
            }
        }
    }
    assert_eq!(tried, 8 * 5 * 6);
}
