//! Guards and approvers.

use std::future::pending;
use std::pin::Pin;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use toolpact::core::json::Value;
use toolpact::core::returns::ErrorKind;
use toolpact::elicitation::{Form, PendingAnswer, Question, Responder, UserAnswer};
use toolpact::testing::{self, Calls};
use toolpact::{
    Registry, Session,
    call::{CallGuard, Decision, Proposal},
    registry::RegistryBuilder,
    session::ClientInfo,
};

use crate::support::{call, contract, session, soon, value};
use crate::world::Place as _;

/// A tool that destroys something and one that does not, and who asks before the first.
fn careful(builder: RegistryBuilder) -> (Session, Calls<Value>) {
    let guard = |proposal: &Proposal<'_>| match proposal.contract().effects().destructive() {
        Some(true) => Decision::Ask(format!("May `{}` run?", proposal.contract().name())),
        _ => Decision::Allow,
    };
    guarded(builder.guard(guard))
}

fn guarded(builder: RegistryBuilder) -> (Session, Calls<Value>) {
    let wipe = r#""returns": "VoidResult", "effects": {"destructive": true}"#;
    let wipe = testing::fake_value(contract("wipe", wipe), value(r#"{"success": true}"#));
    let look = r#""returns": "NumberValue", "effects": {"read_only": true}"#;
    let look = testing::fake_value(contract("look", look), value("1"));
    let calls = wipe.calls();
    let registry = builder.build();
    registry.place_all([wipe, look]).unwrap();
    (registry.session().open().unwrap(), calls)
}

#[tokio::test]
async fn a_destructive_tool_does_not_run_if_nobody_can_be_asked() {
    let (session, calls) = careful(Registry::builder());
    let completed = session.call(call("wipe")).await;
    testing::assert_failure(&completed, ErrorKind::NotAllowed);
    let adm = completed.to_adm().unwrap().to_json();
    assert!(adm.contains(r#""type":"PERMISSION_DENIED""#), "{adm}");
    assert_eq!(calls.count(), 0);
    testing::assert_success(&session.call(call("look")).await);
}

#[tokio::test]
async fn it_runs_if_it_is_approved() {
    for approved in [true, false] {
        let builder =
            Registry::builder().approver(move |proposal: &Proposal<'_>, question: &str| {
                assert_eq!(question, "May `wipe` run?");
                assert_eq!(proposal.call_id(), Some("c1"));
                approved
            });
        let (session, calls) = careful(builder);
        let completed = session.call(call("wipe").id("c1")).await;
        assert_eq!(completed.is_success(), approved);
        assert_eq!(calls.count(), usize::from(approved));
    }
}

/// Answers every question alike.
struct Says(UserAnswer<Value>);

impl Responder for Says {
    fn can_ask(&self, what: Question) -> bool {
        what == Question::User
    }

    fn ask_user<'a>(
        &'a self,
        name: &'a str,
        form: &'a Form,
    ) -> PendingAnswer<'a, UserAnswer<Value>> {
        assert_eq!(name, "toolpact/approval");
        assert_eq!(form.message(), "May `wipe` run?");
        Box::pin(async { Ok(self.0.clone()) })
    }
}

#[tokio::test]
async fn the_user_of_whoever_called_can_be_asked() {
    let given = |json: &str| UserAnswer::Given(value(json));
    for (answer, approved) in [
        (given(r#"{"approve": true}"#), true),
        (given(r#"{"approve": false}"#), false),
        (given(r#"{"approve": "true"}"#), false),
        (given("{}"), false),
        (UserAnswer::Declined, false),
        (UserAnswer::Dismissed, false),
    ] {
        let guard = |_: &Proposal<'_>| Decision::AskCaller("May `wipe` run?".to_owned());
        // Whoever else may approve is not meant.
        let builder = Registry::builder().approver(|_: &Proposal<'_>, _: &str| true);
        let (session, calls) = guarded(builder.guard(guard));
        let completed = session.call(call("wipe").answered_by(Says(answer))).await;
        assert_eq!(completed.is_success(), approved);
        let unasked = session.call(call("wipe")).await;
        testing::assert_failure(&unasked, ErrorKind::NotAllowed);
        assert_eq!(calls.count(), usize::from(approved));
    }
}

#[tokio::test]
async fn others_are_asked_where_the_caller_cannot_ask() {
    for (answer, approves, expected) in [
        (Some(r#"{"approve": true}"#), false, true),
        // Who can be asked has the last word.
        (Some(r#"{"approve": false}"#), true, false),
        (None, true, true),
        (None, false, false),
    ] {
        let guard = |_: &Proposal<'_>| Decision::AskCallerOrApprover("May `wipe` run?".to_owned());
        let builder = Registry::builder().approver(move |_: &Proposal<'_>, _: &str| approves);
        let (session, calls) = guarded(builder.guard(guard));
        let call = match answer {
            Some(json) => call("wipe").answered_by(Says(UserAnswer::Given(value(json)))),
            None => call("wipe"),
        };
        assert_eq!(session.call(call).await.is_success(), expected);
        assert_eq!(calls.count(), usize::from(expected));
    }
}

#[tokio::test]
async fn guards_and_tools_see_the_client() {
    let guard = |proposal: &Proposal<'_>| match proposal.client() {
        Some(client) if client.name() == "desk" => Decision::Allow,
        other => Decision::Deny(format!("{other:?}")),
    };
    let (session, calls) = guarded(Registry::builder().guard(guard));
    testing::assert_failure(&session.call(call("wipe")).await, ErrorKind::NotAllowed);
    let desk = session.used_by(Some(ClientInfo::new("desk").with_version("2")));
    assert_eq!(desk.id(), session.id());
    testing::assert_success(&desk.call(call("wipe")).await);
    let batch = desk.call_batch([call("wipe")]).await.into_completed();
    testing::assert_success(&batch[0]);
    let forked = desk.fork();
    let json = forked.call_json(br#"{"name": "wipe", "args": {}}"#).await;
    let json = String::from_utf8(json).unwrap();
    assert!(json.contains(r#""status":"SUCCESS""#), "{json}");
    assert_eq!(calls.count(), 3);
}

#[tokio::test]
async fn who_denies_says_why() {
    let deny = |_: &Proposal<'_>| Decision::Deny("Not on Sundays.".to_owned());
    let (session, calls) = guarded(Registry::builder().guard(deny));
    let completed = session.call(call("wipe")).await;
    testing::assert_failure(&completed, ErrorKind::NotAllowed);
    assert_eq!(completed.error().unwrap().message(), "Not on Sundays.");
    assert_eq!(calls.count(), 0);
}

#[tokio::test]
async fn guards_see_arguments_that_were_checked() {
    let guard = |proposal: &Proposal<'_>| {
        assert_eq!(proposal.args().text(), "{}");
        Decision::Allow
    };
    let (session, calls) = guarded(Registry::builder().guard(guard).repair(true));
    let odd = toolpact::Call::new("wipe", value(r#"{"extra": 1}"#));
    testing::assert_success(&session.call(odd.clone()).await);
    // What is refused does not come to the guard.
    let completed = session.call(odd.repair(false)).await;
    testing::assert_failure(&completed, ErrorKind::WrongArgument);
    assert_eq!(calls.count(), 1);
}

/// Never makes up its mind.
struct Undecided;

impl CallGuard for Undecided {
    fn decide<'a>(
        &'a self,
        _: &'a Proposal<'a>,
    ) -> Pin<Box<dyn Future<Output = Decision> + Send + 'a>> {
        Box::pin(pending())
    }
}

#[tokio::test]
async fn nobody_waits_for_a_guard_for_ever() {
    let (session, calls) = guarded(Registry::builder().guard(Undecided));
    let late = call("wipe").timeout(Duration::from_millis(20));
    testing::assert_failure(&soon(session.call(late)).await, ErrorKind::TimedOut);
    let token = CancellationToken::new();
    token.cancel();
    let cancelled = soon(session.call(call("wipe").cancelled_by(&token))).await;
    testing::assert_failure(&cancelled, ErrorKind::Cancelled);
    assert_eq!(calls.count(), 0);
}

#[tokio::test]
async fn a_guard_that_panics_has_not_said_yes() {
    let guard = |_: &Proposal<'_>| -> Decision { panic!("the guard is asleep") };
    let (session, calls) = guarded(Registry::builder().guard(guard));
    let completed = session.call(call("wipe")).await;
    testing::assert_failure(&completed, ErrorKind::Internal);
    assert!(!completed.text().contains("asleep"), "{}", completed.text());
    assert_eq!(calls.count(), 0);
}

#[tokio::test]
async fn without_a_guard_everything_may_run() {
    let wipe = r#""returns": "VoidResult", "effects": {"destructive": true}"#;
    let wipe = testing::fake_value(contract("wipe", wipe), value(r#"{"success": true}"#));
    testing::assert_success(&session(wipe).call(call("wipe")).await);
}
