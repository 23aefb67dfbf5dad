//! The test kit: fakes keep contracts, and assertions say what there is.

use std::panic::{AssertUnwindSafe, catch_unwind};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::core::returns::ErrorKind;
use toolpact::returns::{ListResult, StringValue};
use toolpact::{
    Call, Context, Registry, ToolError, define::IntoDefinition as _, testing, tool_fn,
    typed::ToolSpec,
};

use crate::support::{call, contract, returning, session, value};
use crate::world::Place as _;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(example = Lookup { word: "tide".to_owned() })]
struct Lookup {
    word: String,
}

fn dictionary() -> impl toolpact::Tool<Input = Lookup, Output = StringValue> {
    let about = ToolSpec::new("lookup", "Looks a word up.").read_only();
    tool_fn(about, async |_: Lookup, _: Context| {
        Err(ToolError::unavailable("The dictionary is far away."))
    })
    .with_text(|found: &StringValue| format!("found: {found:?}"))
}

#[tokio::test]
async fn a_fake_has_the_contract_and_the_text_of_the_real_one() {
    let fake = testing::fake(dictionary(), |asked: Lookup| {
        Ok(StringValue::success(asked.word.to_uppercase()))
    });
    let calls = fake.calls();
    let real = dictionary().into_definition().unwrap();
    let registry = Registry::new();
    registry.place(fake).unwrap();
    let session = registry.session().open().unwrap();
    assert_eq!(registry.get("lookup").unwrap().contract(), real.contract());

    let args = value(r#"{"word": "tide"}"#);
    let completed = session.call(Call::new("lookup", args)).await;
    testing::assert_success(&completed);
    assert!(
        completed.text().starts_with("found: "),
        "{}",
        completed.text()
    );
    let word = "tide".to_owned();
    assert_eq!(calls.all(), [Lookup { word }]);
    // Wrong arguments do not reach it.
    let completed = session.call(call("lookup")).await;
    testing::assert_failure(&completed, ErrorKind::MissingArgument);
    testing::assert_violation(&completed, "value-missing-key", "");
    assert_eq!(calls.count(), 1);
}

#[tokio::test]
async fn what_a_fake_returns_is_enforced() {
    // The type allows it; the contract, which counts, does not.
    let about = ToolSpec::new("list", "Lists.");
    let real = tool_fn(about, async |_: Lookup, _: Context| {
        Ok::<_, ToolError>(ListResult::<RegisteredTool>::success(Vec::new()))
    });
    let fake = testing::fake(real, |asked: Lookup| {
        Ok(ListResult::success(vec![RegisteredTool {
            mail: asked.word,
        }]))
    });
    let session = session(fake);
    let mail = |word: &str| Call::new("list", value(&format!(r#"{{"word": "{word}"}}"#)));
    testing::assert_success(&session.call(mail("ada@example.com")).await);
    let completed = session.call(mail("nobody")).await;
    testing::assert_violation(&completed, "value-format", "/data/0/mail");
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct RegisteredTool {
    #[schemars(email)]
    mail: String,
}

#[tokio::test]
async fn examples_are_run() {
    let examples = testing::run_examples(&dictionary().into_definition().unwrap()).await;
    let examples = examples.unwrap();
    assert_eq!(examples.runs()[0].args(), &value(r#"{"word": "tide"}"#));
    insta::assert_snapshot!(said(|| examples.assert_kept()), @r#"
    1 of 1 examples of `lookup` do not work
    {"word":"tide"}:
      it failed: EXTERNAL_API_ERROR: The dictionary is far away.
      it breaks no rule
    "#);
    let silent = returning(contract("silent", r#""returns": "NumberValue""#), "1");
    let examples = testing::run_examples(&silent).await.unwrap();
    insta::assert_snapshot!(
        said(|| examples.assert_kept()),
        @"`silent` has no examples: write `examples` in its parameters"
    );
}

#[tokio::test]
async fn assertions_say_what_there_is() {
    let list = contract("list", r#""returns": "ListResult""#);
    let broken = session(returning(
        list.clone(),
        r#"{"success": true, "data": [1, {}, "x"]}"#,
    ));
    let broken = broken.call(call("list")).await;
    testing::assert_violation(&broken, "value-type", "/data/0");
    insta::assert_snapshot!(said(|| testing::assert_violation(&broken, "value-type", "/data/1")), @r#"
    the call of `list`: expected it to break `value-type` at /data/1, but
      it failed: INTERNAL_CONTRACT: `list` returned something other than it promises, so its result was withheld.
      it breaks `value-type` at /data/0: expected the type object, found the number 1
      it breaks `value-type` at /data/2: expected the type object, found the string "x"
    "#);
    let good = session(returning(list, r#"{"success": true, "data": []}"#));
    let good = good.call(call("list")).await;
    insta::assert_snapshot!(said(|| testing::assert_violation(&good, "value-type", "")), @r#"
    the call of `list`: expected it to break `value-type` at the root (""), but
      it returned: {"success":true,"data":[]}
      it breaks no rule
    "#);
    insta::assert_snapshot!(said(|| testing::assert_failure(&good, ErrorKind::NotFound)), @r#"
    the call of `list`: expected it to fail with NOT_FOUND_RESOURCE, but
      it returned: {"success":true,"data":[]}
      it breaks no rule
    "#);
}

/// What an assertion says that fails.
fn said(assertion: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(assertion)).expect_err("it should fail");
    *panic.downcast::<String>().expect("a text")
}
