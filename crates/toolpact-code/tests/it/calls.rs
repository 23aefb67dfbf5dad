//! What scripts get of the tools that they call: values, errors, time-outs, answers to questions; and what becomes of a
//! call whose script is given up.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::core::returns::ErrorKind;
use toolpact::elicitation::{Form, PendingAnswer, Question, Responder, UserAnswer};
use toolpact::{Context, Definition, Registry, ToolError};

use crate::bench::{Bench, json, options, tool};
use crate::world::{Place as _, SHORT_MS};

/// The error of an expression as a script sees it: its code and its message.
fn failure(bench: &Bench, expression: &str) -> String {
    bench.value(&format!(
        "said = []\ntry:\n    {expression}\nexcept ToolError as error:\n    \
         found = tool_error(error)\n    said = [found['code'], found['message']]\nsaid"
    ))
}

#[test]
fn a_script_goes_from_one_tool_to_the_next() {
    let orders = r#"{"name": "orders", "description": "Finds orders.", "parameters": {"type": "object", "properties": {"customer": {"type": "string"}}, "required": ["customer"]}, "returns": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}, "total": {"type": "number"}}, "required": ["id", "total"]}}}"#;
    let ship = r#"{"name": "ship", "description": "Ships an order.", "parameters": {"type": "object", "properties": {"order": {"type": "integer"}}, "required": ["order"]}, "returns": "StringValue"}"#;
    let bench = Bench::with([
        tool(orders, |_| {
            Ok(json(
                r#"[{"id": 1, "total": 9.5}, {"id": 2, "total": 0.25}, {"id": 9007199254740993, "total": 1e3}]"#,
            ))
        }),
        tool(ship, |args| {
            let order = args.root().get("order").unwrap().text().to_owned();
            if order == "2" {
                let error = ToolError::new(ErrorKind::WrongState, "It is shipped already – „2“.");
                return Err(error.with_detail("order", 2));
            }
            Ok(json(format!(
                r#"{{"success": true, "value": "parcel {order}"}}"#
            )))
        }),
    ]);
    let script = "
import asyncio
found = orders('ada')
shipped = []
for order in found:
    try:
        shipped.append(ship(order=order['id']))
    except ToolError as error:
        shipped.append(tool_error(error)['code'])
again = await asyncio.gather(*[tool_task(ship, order['id']) for order in found if order['id'] != 2])
[sum(order['total'] for order in found), shipped, again]";
    assert_eq!(
        bench.value(script),
        r#"[1009.75,["parcel 1","CONFLICT_STATE","parcel 9007199254740993"],["parcel 1","parcel 9007199254740993"]]"#
    );
    let trace = bench.ran(script).trace;
    let called: Vec<(&str, bool)> = trace
        .iter()
        .map(|call| (&*call.tool, call.outcome.as_ref().unwrap().is_ok()))
        .collect();
    let (ship, failed) = (("ship", true), ("ship", false));
    assert_eq!(called, [("orders", true), ship, failed, ship, ship, ship]);
}

/// What went wrong in the tool, in its result, or in what nobody foresaw.
#[test]
fn errors_of_tools_are_typed() {
    let with = |name: &str| {
        format!(
            r#"{{"name": "{name}", "description": "A case.", "parameters": {{"type": "object", "properties": {{}}}}, "returns": {{"type": "integer"}}}}"#
        )
    };
    let bench = Bench::with([
        tool(&with("fails"), |_| {
            Err(ToolError::business_rule("Nobody divides by zero."))
        }),
        tool(&with("breaks_its_contract"), |_| Ok(json(r#""five""#))),
        tool(&with("panics"), |_| panic!("the secret is 1234")),
    ]);
    assert_eq!(
        failure(&bench, "fails()"),
        r#"["VALIDATION_BUSINESS_RULE","Nobody divides by zero."]"#
    );
    let broken = failure(&bench, "breaks_its_contract()");
    assert!(broken.starts_with(r#"["INTERNAL_CONTRACT","#), "{broken}");
    assert_eq!(
        failure(&bench, "panics()"),
        r#"["INTERNAL_ERROR","The tool failed."]"#
    );
}

/// The time-out is that of the contract; what is caught does not end the script.
#[test]
fn a_tool_that_takes_too_long_raises() {
    let contract = format!(
        r#"{{"name": "sleeps", "description": "Sleeps.", "timeout_ms": {SHORT_MS}, "parameters": {{"type": "object", "properties": {{}}}}, "returns": {{"type": "integer"}}}}"#
    );
    let contract = Contract::from_json(&contract).unwrap();
    let sleeps = Definition::new(contract, async |_: Value, _: Context| {
        tokio::time::sleep(Duration::from_mins(1)).await;
        Ok::<_, ToolError>(json("1"))
    });
    let bench = Bench::with([sleeps]);
    let late = failure(&bench, "sleeps()");
    assert!(late.starts_with(r#"["INTERNAL_TIMEOUT","#), "{late}");
}

/// Answers each question with what it was asked.
struct Parrot;

impl Responder for Parrot {
    fn can_ask(&self, what: Question) -> bool {
        what == Question::User
    }

    fn ask_user<'a>(
        &'a self,
        name: &'a str,
        form: &'a Form,
    ) -> PendingAnswer<'a, UserAnswer<Value>> {
        let said = format!(r#"{{"said": "{name}: {}"}}"#, form.message());
        Box::pin(async move { Ok(UserAnswer::Given(json(said))) })
    }
}

#[test]
fn a_tool_asks_whoever_made_the_session() {
    let contract = r#"{"name": "ask", "description": "Asks.", "parameters": {"type": "object", "properties": {}}, "returns": {"type": "string"}}"#;
    let contract = Contract::from_json(contract).unwrap();
    let ask = Definition::new(contract, async |_: Value, cx: Context| {
        let schema = r#"{"type": "object", "properties": {"said": {"type": "string"}}}"#;
        let form = Form::new("For whom?", &json(schema))?;
        match cx.ask_form("guest", &form).await? {
            UserAnswer::Given(answer) => Ok(answer.root().get("said").unwrap().to_value()),
            other => Err(ToolError::internal(format!("{other:?}"))),
        }
    });
    let registry = Registry::new();
    registry.place(ask).unwrap();
    let nobody = registry.session().open().unwrap();
    let unanswered = failure(&Bench::of(&nobody), "ask()");
    assert!(
        unanswered.starts_with(r#"["CONFLICT_STATE","#),
        "{unanswered}"
    );
    let asked = registry.session().answered_by(Parrot).open().unwrap();
    let bench = Bench::of(&asked);
    assert_eq!(
        bench.value("ask() + ' ' + ask()"),
        r#""guest: For whom? guest: For whom?""#
    );
}

/// Whoever waits for a script may give it up; the tool that it waits for hears of it.
#[test]
fn a_script_that_is_given_up_cancels_what_it_called() {
    #[derive(Clone, Default)]
    struct Flags(Arc<[AtomicBool; 2]>);

    /// However a call ends, what it had is dropped.
    struct OnEnd(Flags);

    impl Drop for OnEnd {
        fn drop(&mut self) {
            self.0.0[1].store(true, Ordering::SeqCst);
        }
    }

    impl Flags {
        async fn is_set(&self, number: usize) {
            let set = async {
                while !self.0[number].load(Ordering::SeqCst) {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            };
            let set = tokio::time::timeout(Duration::from_secs(40), set).await;
            set.unwrap_or_else(|_| panic!("flag {number} is not set"));
        }
    }

    let flags = Flags::default();
    let contract = r#"{"name": "waits", "description": "Waits.", "parameters": {"type": "object", "properties": {}}, "returns": {"type": "integer"}}"#;
    let contract = Contract::from_json(contract).unwrap();
    let shared = flags.clone();
    let waits = Definition::new(contract, move |_: Value, _: Context| {
        let flags = shared.clone();
        async move {
            let _on_end = OnEnd(flags.clone());
            flags.0[0].store(true, Ordering::SeqCst);
            std::future::pending::<Result<Value, ToolError>>().await
        }
    });
    let bench = Bench::with([waits]);
    let options = options();
    let run = bench.sandbox.run("waits()", &bench.tools, &options);
    bench.runtime.block_on(async {
        tokio::select! {
            ran = run => panic!("it ended: {ran:?}"),
            () = flags.is_set(0) => (),
        }
        flags.is_set(1).await;
    });
}
