//! Sessions: their values, and what they keep from each other.

use std::time::Duration;

use toolpact::core::json::Value;
use toolpact::core::returns::ErrorKind;
use toolpact::{Context, Definition, Registry, ToolError, testing};

use crate::support::{call, contract, returning, soon, value};
use crate::world::{Place as _, leaves_out};

struct User(&'static str);
struct Budget(u64);

/// A tool that tells what its session has.
fn who() -> Definition {
    let contract = contract("who", r#""returns": "StringValue""#);
    Definition::new(contract, |_: Value, cx: Context| {
        let user = cx.get::<User>().map_or("nobody", |user| user.0);
        let budget = cx.get::<Budget>().map_or(0, |budget| budget.0);
        std::future::ready(Ok::<_, ToolError>(Value::from(&*format!(
            "{user}, {budget}"
        ))))
    })
}

#[tokio::test]
async fn tools_find_values_by_their_type() {
    if leaves_out("sessions::tools_find_values_by_their_type") {
        return;
    }
    let registry = Registry::new();
    registry.place(who()).unwrap();
    let ada = registry.session().with(User("Ada")).with(Budget(5));
    let bo = registry.session().with(User("Al")).with(User("Bo"));
    let sessions = [ada, bo, registry.session()].map(|builder| builder.open().unwrap());
    for (session, expected) in sessions.iter().zip(["Ada, 5", "Bo, 0", "nobody, 0"]) {
        assert_eq!(session.call(call("who")).await.text(), expected);
        // A clone is the same session.
        assert_eq!(session.clone().call(call("who")).await.text(), expected);
    }
    assert_ne!(sessions[0].id(), sessions[1].id());
    assert_eq!(sessions[0].id(), sessions[0].clone().id());
}

#[tokio::test]
async fn the_values_of_a_session_go_with_it() {
    struct Told(std::sync::mpsc::Sender<()>);
    impl Drop for Told {
        fn drop(&mut self) {
            self.0.send(()).ok();
        }
    }
    if leaves_out("sessions::the_values_of_a_session_go_with_it") {
        return;
    }
    let (sender, dropped) = std::sync::mpsc::channel();
    let registry = Registry::new();
    registry.place(who()).unwrap();
    let session = registry.session().with(Told(sender)).open().unwrap();
    let clone = session.clone();
    let completed = session.call(call("who")).await;
    drop(session);
    testing::assert_success(&clone.call(call("who")).await);
    assert!(dropped.try_recv().is_err());
    drop(clone);
    dropped.recv_timeout(crate::support::LONG).unwrap();
    // What came of a call stays.
    assert_eq!(completed.text(), "nobody, 0");
}

#[tokio::test]
async fn a_session_sees_what_it_was_given() {
    let tool = |name| returning(contract(name, r#""returns": "NumberValue""#), "1");
    let registry = Registry::new();
    registry.place_all([tool("a"), tool("b")]).unwrap();
    registry.toolset("more").unwrap().place(tool("c")).unwrap();
    let names =
        |session: &toolpact::Session| session.names().map(str::to_owned).collect::<Vec<_>>();

    let all = registry.session().open().unwrap();
    assert_eq!(names(&all), ["a", "b", "c"]);
    let contracts: Vec<&str> = all.contracts().map(|(_, c)| c.name().as_str()).collect();
    assert_eq!(contracts, ["a", "b", "c"]);
    let some = registry.session().tools(["b", "c", "d"]).open().unwrap();
    assert_eq!(names(&some), ["b", "c"]);
    let more = registry.session().toolsets(["more"]).open().unwrap();
    assert_eq!(names(&more), ["c"]);
    let none = registry.session().toolsets(["none"]).open().unwrap();
    assert_eq!(names(&none), [""; 0]);

    let completed = more.call(call("a")).await;
    let error = completed.error().unwrap();
    assert_eq!(error.message(), "There is no tool `a`. There are: `c`.");
    let adm = completed.to_adm().unwrap().to_json();
    assert!(adm.contains("RESOURCE_NOT_FOUND"), "{adm}");
    let completed = none.call(call("a")).await;
    assert_eq!(
        completed.error().unwrap().message(),
        "There is no tool `a`. There are none."
    );
}

#[tokio::test]
async fn a_name_that_no_tool_can_have_is_answered_too() {
    let session = Registry::new().session().open().unwrap();
    for name in ["", "no such\ntool", "ü", &"x".repeat(10_000)] {
        let completed = session.call(call(name)).await;
        assert_eq!(completed.error().unwrap().code(), "NOT_FOUND_ENDPOINT");
        assert!(completed.to_adm().is_none());
        assert!(completed.text().len() < 1_000);
        let json = format!(r#"{{"name":{},"args":{{}}}}"#, Value::from(name));
        let reply = String::from_utf8(session.call_json(json.as_bytes()).await).unwrap();
        let reply = value(&reply);
        assert_eq!(reply.root().get("status").unwrap().text(), "\"ERROR\"");
    }
}

/// A tool that waits until it is cancelled.
fn waiting() -> Definition {
    Definition::new(contract("wait", ""), |_: Value, cx: Context| async move {
        cx.cancelled().await;
        Ok::<_, ToolError>(value("1"))
    })
}

/// A tool that takes a while.
fn slow() -> Definition {
    let slow = contract("slow", r#""returns": "NumberValue""#);
    Definition::new(slow, |_: Value, _: Context| async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        Ok::<_, ToolError>(value("1"))
    })
}

#[tokio::test]
async fn a_session_is_over_when_its_time_is() {
    let registry = Registry::new();
    registry.place(waiting()).unwrap();
    let life = Duration::from_millis(300);
    let whole = registry.session().open().unwrap();
    for is_fork in [false, true] {
        let session = match is_fork {
            false => registry.session().life(life).open().unwrap(),
            true => whole.fork_for_time(life),
        };
        assert!(!session.is_over());
        let completed = soon(session.call(call("wait"))).await;
        testing::assert_failure(&completed, ErrorKind::TimedOut);
        assert!(session.is_over());
        // Its forks do not outlive it.
        for session in [session.fork(), session.fork_after(&session), session] {
            let completed = soon(session.call(call("wait"))).await;
            testing::assert_failure(&completed, ErrorKind::Cancelled);
        }
    }
}

#[tokio::test]
async fn a_session_that_is_drained_lets_calls_end() {
    let registry = Registry::new();
    registry.place(slow()).unwrap();
    let session = registry.session().open().unwrap();
    let running = tokio::spawn({
        let session = session.clone();
        async move { session.call(call("slow")).await }
    });
    while session.running() == 0 {
        tokio::task::yield_now().await;
    }
    session.drain();
    let completed = soon(session.call(call("slow"))).await;
    testing::assert_failure(&completed, ErrorKind::Cancelled);
    testing::assert_success(&soon(running).await.unwrap());
    // Others are sessions of their own.
    testing::assert_success(&soon(session.fork().call(call("slow"))).await);
}
