//! Records: what is in them, and whether they answer as the tools did.

use std::sync::Arc;

use proptest::prelude::*;
use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::define::UntypedOutput;
use toolpact::{Call, Context, Definition, Registry, Session, ToolError};
use toolpact_audit::{Entry, Match, Playback, Record, Recorder};

use crate::support::{Audit, value};

/// Returns what its arguments say, or fails with it.
fn tool(name: &str, description: &str) -> Definition {
    let contract = format!(
        r#"{{"name": "{name}", "description": "{description}", "parameters": {{"type": "object", "properties": {{
            "give": {{"type": "integer"}}, "fail": {{"type": "string"}}}}, "additionalProperties": false}},
            "returns": {{"type": "object"}}}}"#
    );
    let body = async |args: Value, _: Context| {
        let text = |key: &str| args.root().get(key).map(|part| part.text().to_owned());
        match text("fail") {
            Some(why) => {
                Err(ToolError::with_code("CONFLICT_OWN", "No.").with_detail("why", value(&why)))
            }
            None => {
                let given = text("give").unwrap_or_else(|| "null".to_owned());
                let output = UntypedOutput::from(value(&format!(r#"{{"given":{given}}}"#)));
                Ok(output.with_text(format!("Here is {given}.")))
            }
        }
    };
    Definition::new(Contract::from_json(contract).unwrap(), body)
}

fn recorded(audit: &Audit, description: &str) -> (Arc<Recorder>, Registry) {
    let recorder = Arc::new(Recorder::open(&audit.path(), None).unwrap());
    let registry = Registry::builder().log(Arc::clone(&recorder)).build();
    registry.add(tool("give", description)).unwrap();
    registry
        .toolset("shop")
        .unwrap()
        .add(tool("give", description))
        .unwrap();
    (recorder, registry)
}

fn session(registry: &Registry) -> Session {
    registry.session().qualified().open().unwrap()
}

fn played(audit: &Audit, matching: Match) -> Session {
    let registry = Registry::new();
    let playback = Playback::new().matching(matching);
    for (toolset, tools) in playback.toolsets(&audit.path()).unwrap() {
        match toolset {
            Some(name) => registry.toolset(&name).unwrap().add_all(tools).unwrap(),
            None => registry.add_all(tools).unwrap(),
        }
    }
    session(&registry)
}

/// What clients see: the result or the error, and the text.
async fn ask(session: &Session, tool: &str, args: &str) -> (String, String) {
    let completed = session
        .call(Call::new(tool, value(args)).repair(true))
        .await;
    let json = match completed.error() {
        Some(error) => error.to_standard().to_json(),
        None => completed.to_value().unwrap().to_canonical(),
    };
    (json, completed.text_uncut())
}

fn tools_in(audit: &Audit) -> usize {
    let entries = audit.entries();
    let is_tool = |entry: &&Entry| {
        matches!(
            entry,
            Entry::Event {
                event: toolpact_audit::Event::Tool(_),
                ..
            }
        )
    };
    entries.iter().filter(is_tool).count()
}

#[tokio::test]
async fn each_contract_is_there_once_until_it_changes() {
    let audit = Audit::new();
    for _ in 0..3 {
        let (recorder, registry) = recorded(&audit, "Gives.");
        let session = session(&registry);
        recorder.offer(&session);
        recorder.offer(&session);
        ask(&session, "give", r#"{"give": 1}"#).await;
    }
    assert_eq!(tools_in(&audit), 2);
    {
        let (recorder, registry) = recorded(&audit, "Gives all.");
        // Not offered: the call itself brings its contract along.
        ask(&session(&registry), "shop__give", r#"{"give": 1}"#).await;
        assert_eq!(tools_in(&audit), 3);
        recorder.offer(&session(&registry));
        assert_eq!(tools_in(&audit), 4);
    }
    let (recorder, registry) = recorded(&audit, "Gives.");
    recorder.offer(&session(&registry));
    let record = Record::read(&audit.path()).unwrap();
    assert_eq!(
        record.tool("give").unwrap().contract.description(),
        "Gives."
    );
    assert_eq!((record.tools.len(), record.calls.len()), (6, 4));
    for tool in &record.tools {
        assert_eq!(tool.contract.digest().to_string(), tool.name.digest);
    }
    audit.assert_whole();
}

#[tokio::test]
async fn arguments_that_were_repaired_are_those_that_the_tool_had() {
    let audit = Audit::new();
    let (recorder, registry) = recorded(&audit, "Gives.");
    recorder.offer(&session(&registry));
    ask(&session(&registry), "give", r#"{"give": "5"}"#).await;
    drop((recorder, registry));
    let played = played(&audit, Match::Strict);
    let (json, _) = ask(&played, "give", r#"{"give": 5}"#).await;
    assert_eq!(json, r#"{"given":5}"#);
}

fn calls() -> impl Strategy<Value = Vec<(&'static str, String)>> {
    let args = prop_oneof![
        Just("{}".to_owned()),
        (0..4).prop_map(|number| format!(r#"{{"give":{number}}}"#)),
        (0..3).prop_map(|number| format!(r#"{{"fail":"no {number}"}}"#)),
        // What the contract refuses, before a tool or a record is asked.
        Just(r#"{"give":true}"#.to_owned()),
    ];
    let tool = prop_oneof![Just("give"), Just("shop__give"), Just("none")];
    prop::collection::vec((tool, args), 1..20)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The judge is the tool itself.
    #[test]
    fn a_record_answers_as_the_tools_did(calls in calls()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let audit = Audit::new();
            let (recorder, registry) = recorded(&audit, "Gives.");
            recorder.offer(&session(&registry));
            let mut answers = Vec::new();
            for (tool, args) in &calls {
                answers.push(ask(&session(&registry), tool, args).await);
            }
            drop((recorder, registry));
            for matching in [Match::Strict, Match::Nearest] {
                let played = played(&audit, matching);
                for ((tool, args), answer) in calls.iter().zip(&answers) {
                    assert_eq!(ask(&played, tool, args).await, *answer, "{tool} {args}");
                }
            }
        });
    }
}
