//! That the judges of exports can say no: what is right passes, and each thing that is wrong is
//! refused for what is wrong with it.

mod anthropic;
mod bedrock;
mod gemini;
mod mcp;
mod messages;
mod openai;
mod openapi;

use conformance::judge::Verdict;
use serde_json::Value;

/// A tool or a message, and a part of the problem it must have; nothing, if it is right.
type Case = (Value, &'static str);

/// Holds verdicts to their cases. Those on all together have no case.
fn hold(dialect: &str, verdicts: &[Verdict], cases: &[Case]) {
    let verdicts: Vec<_> = verdicts.iter().filter(|v| v.tool != "*").collect();
    assert_eq!(verdicts.len(), cases.len(), "{dialect}: {verdicts:?}");
    for (verdict, (case, expected)) in verdicts.iter().zip(cases) {
        let as_expected = match *expected {
            "" => verdict.ok && verdict.problems.is_empty(),
            part => !verdict.ok && verdict.problems.iter().any(|p| p.contains(part)),
        };
        let Verdict { problems, .. } = verdict;
        assert!(
            as_expected,
            "{dialect}: {case}\nexpected {expected:?}\nsaid {problems:?}"
        );
    }
}

fn tools(cases: &[Case]) -> Value {
    cases.iter().map(|(tool, _)| tool.clone()).collect()
}

/// What is said of all together.
fn together(verdicts: &[Verdict]) -> Vec<&str> {
    let all = verdicts.iter().filter(|v| v.tool == "*");
    all.flat_map(|v| &v.problems).map(String::as_str).collect()
}
