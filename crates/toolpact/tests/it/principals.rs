//! Who makes a call is known to the tool, the guard and the log.

use std::sync::{Arc, Mutex};

use toolpact::call::{Decision, Proposal};
use toolpact::observe::{CallLog, CallRecord};
use toolpact::returns::StringValue;
use toolpact::{Context, Principal, Registry, ToolError, testing, tool_fn, typed::ToolSpec};

use crate::support::call;
use crate::world::Place as _;

#[derive(Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Nothing {}

#[derive(Clone, Default)]
struct Names(Arc<Mutex<Vec<String>>>);

impl CallLog for Names {
    fn write(&self, record: &CallRecord<'_>) {
        self.0.lock().unwrap().push(record.principal.to_string());
    }
}

#[tokio::test]
async fn a_call_has_the_principal_of_its_session() {
    let who = tool_fn(
        ToolSpec::new("who", "Says who calls."),
        async |_: Nothing, cx: Context| {
            Ok::<_, ToolError>(StringValue::success(cx.principal().to_string()))
        },
    );
    let names = Names::default();
    let guard = |proposal: &Proposal<'_>| match proposal.principal().is_in("support") {
        true => Decision::Allow,
        false => Decision::Deny("Only for support.".to_owned()),
    };
    let registry = Registry::builder().guard(guard).log(names.clone()).build();
    registry.place(who).unwrap();
    let ada = Principal::new("ada")
        .with_tenant("acme")
        .groups(["support"]);
    let session = registry.session().principal(ada.clone()).open().unwrap();
    for session in [session.clone(), session.fork()] {
        assert_eq!(session.principal(), &ada);
        let completed = session.call(call("who")).await;
        testing::assert_success(&completed);
        assert_eq!(completed.text(), "ada@acme");
    }
    for other in [Principal::anonymous(), Principal::new("eve")] {
        let refused = session.fork_for(other).call(call("who")).await;
        assert_eq!(refused.error().unwrap().code(), "FORBIDDEN_ACCESS");
    }
    let logged = names.0.lock().unwrap().clone();
    assert_eq!(logged, ["ada@acme", "ada@acme", "anonymous", "eve"]);
}
