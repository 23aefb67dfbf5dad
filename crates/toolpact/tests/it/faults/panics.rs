use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use toolpact::returns::StringValue;
use toolpact::{
    Context, ToolError, tool_fn,
    typed::{RunsOn, ToolSpec},
};

use super::{Nothing, call, code, session, still_serves};

const PLACES: [RunsOn; 3] = [RunsOn::Pool, RunsOn::Thread, RunsOn::Caller];

#[tokio::test]
async fn in_a_tool() {
    for place in PLACES {
        let about = ToolSpec::new("bad", "Panics.").runs_on(place);
        let (_, session) = session(tool_fn(about, async |_: Nothing, _: Context| {
            let secret = 1234;
            assert_eq!(secret, 0, "the password");
            Ok::<_, ToolError>(StringValue::success("never"))
        }));
        let completed = session.call(call("bad")).await;
        assert_eq!(code(&completed), "INTERNAL_ERROR");
        assert!(!completed.text().contains("1234"), "{}", completed.text());
        assert!(!completed.to_adm().unwrap().to_json().contains("1234"));
        still_serves(&session).await;
    }
}

/// Panics when it is dropped.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Bomb {
    armed: bool,
}

impl Drop for Bomb {
    fn drop(&mut self) {
        assert!(!self.armed, "a destructor");
    }
}

#[tokio::test]
async fn in_the_destructor_of_a_local() {
    for place in PLACES {
        let about = ToolSpec::new("bad", "Panics.").runs_on(place);
        let (_, session) = session(tool_fn(about, async |_: Nothing, _: Context| {
            let _bomb = Bomb { armed: true };
            Ok::<_, ToolError>(StringValue::success("nearly"))
        }));
        assert_eq!(code(&session.call(call("bad")).await), "INTERNAL_ERROR");
        still_serves(&session).await;
    }
}

#[tokio::test]
async fn in_the_destructor_of_a_tool_that_is_cancelled() {
    for place in [RunsOn::Pool, RunsOn::Caller] {
        let about = ToolSpec::new("bad", "Panics.").runs_on(place);
        let (registry, session) = session(tool_fn(about, async |_: Nothing, _: Context| {
            let _bomb = Bomb { armed: true };
            std::future::pending::<()>().await;
            Ok::<_, ToolError>(StringValue::success("never"))
        }));
        let soon = call("bad").timeout(std::time::Duration::from_millis(20));
        assert_eq!(code(&session.call(soon).await), "INTERNAL_TIMEOUT");
        still_serves(&session).await;
        super::eventually("the work ends", || registry.abandoned() == 0).await;
    }
}

#[tokio::test]
async fn in_the_destructor_of_a_result() {
    for place in PLACES {
        let about = ToolSpec::new("bad", "Panics.").runs_on(place);
        let (_, session) = session(tool_fn(about, async |_: Nothing, _: Context| {
            Ok::<_, ToolError>(Bomb { armed: true })
        }));
        let completed = session.call(call("bad")).await;
        assert!(completed.is_success());
        drop(completed);
        let reply = session.call_json(br#"{"name":"bad","args":{}}"#).await;
        assert!(String::from_utf8(reply).unwrap().contains("SUCCESS"));
        still_serves(&session).await;
    }
}

#[tokio::test]
async fn in_the_text_function() {
    let about = ToolSpec::new("bad", "Panics.");
    let tool = tool_fn(about, async |_: Nothing, _: Context| {
        Ok::<_, ToolError>(StringValue::success("the result"))
    });
    let (_, session) = session(tool.with_text(|_| panic!("no words")));
    let completed = session.call(call("bad")).await;
    // The words of the return type have to do.
    assert_eq!(completed.text(), "the result");
    still_serves(&session).await;
}

/// Panics when it is written, or cannot be.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
struct Unwritable {
    panics: bool,
}

impl Serialize for Unwritable {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        assert!(!self.panics, "cannot write");
        Err(serde::ser::Error::custom("the password is 1234"))
    }
}

#[tokio::test]
async fn while_a_result_is_written() {
    for (panics, expected) in [(true, "INTERNAL_ERROR"), (false, "INTERNAL_CONTRACT")] {
        let about = ToolSpec::new("bad", "Cannot be written.");
        let (_, session) = session(tool_fn(about, move |_: Nothing, _: Context| {
            std::future::ready(Ok::<_, ToolError>(Unwritable { panics }))
        }));
        let completed = session.call(call("bad")).await;
        assert_eq!(code(&completed), expected);
        assert!(!completed.text().contains("1234"), "{}", completed.text());
        still_serves(&session).await;
    }
}

/// Panics when it is read.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct Unreadable {}

impl<'de> Deserialize<'de> for Unreadable {
    fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        panic!("cannot read")
    }
}

#[tokio::test]
async fn while_arguments_are_read() {
    let about = ToolSpec::new("bad", "Cannot be read.");
    let (_, session) = session(tool_fn(about, async |_: Unreadable, _: Context| {
        Ok::<_, ToolError>(StringValue::success("never"))
    }));
    assert_eq!(code(&session.call(call("bad")).await), "INTERNAL_ERROR");
    still_serves(&session).await;
}
