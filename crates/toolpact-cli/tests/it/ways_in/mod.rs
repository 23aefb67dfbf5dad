//! Principals × tools × ways in, against a server that runs: no way leads around a policy, and each call leaves one line
//! in the audit. What is expected is what `Policies::decide` says.

mod oracle;
mod people;
mod place;
mod ways;

use serde_json::{Value as Json, json};

use self::oracle::Oracle;
use self::people::Person;
use self::place::{ALL_TOOLS, Place, calls};
use self::ways::{Kind, STDIO_WAYS, WAYS};
use crate::over_mcp::{Client, modern};

#[test]
fn no_way_in_leads_around_a_policy_and_each_call_is_recorded() {
    let place = Place::new("audit");
    let (oracle, server) = (Oracle::of(&place), place.serve());
    let (mut lines, mut ran, mut tried) = (Vec::new(), 0, 0);
    for person in place.people() {
        for (tool, args) in calls() {
            let expected = oracle.verdict(person, tool, &args);
            for way in &WAYS {
                let outcome = (way.call)(&server, person, tool, &args);
                let what = format!("{} by {}: {tool} {args}", person.label, way.name);
                assert_eq!(outcome, expected.code(), "{what}: {expected:?}");
                ran += usize::from(expected.is_allowed() && way.kind.runs_here());
                lines.extend(way.kind.lines(&oracle, person, tool, &expected));
                tried += 1;
                assert_eq!(place.ran(), ran, "{what}");
            }
        }
    }
    assert_eq!(tried, place.people().len() * calls().len() * WAYS.len());
    same(&place.audit(), &lines);
    eprintln!("{tried} calls, {ran} of them ran, {} lines", lines.len());
}

/// A client that starts its server is nobody to it: there is one caller only, whom the operating system let start it, and
/// no place for credentials.
#[test]
fn nor_does_standard_input() {
    let place = Place::new("audit-stdio");
    let (oracle, person) = (Oracle::of(&place), &place.people()[0]);
    assert!(person.principal.is_anonymous());
    let (mut client, _) = Client::begun(place.folder(), &json!({}));
    let (mut lines, mut ran) = (Vec::new(), 0);
    let listed = client.ask("tools/list", &json!({}));
    assert_sees(&oracle, person, "tools/list", &listed.to_string());
    for (tool, args) in calls() {
        let expected = oracle.verdict(person, tool, &args);
        for way in &STDIO_WAYS {
            let outcome = (way.call)(&mut client, tool, &args);
            let what = format!("{}: {tool} {args}", way.name);
            assert_eq!(outcome, expected.code(), "{what}: {expected:?}");
            ran += usize::from(expected.is_allowed());
            assert_eq!(place.ran(), ran, "{what}");
            lines.extend(way.kind.lines(&oracle, person, tool, &expected));
        }
    }
    drop(client);
    same(&place.audit(), &lines);
}

/// Wherever a message has room, a token says nothing; and nobody may come in by this way, whatever the config says about
/// requests over HTTP.
#[test]
fn standard_input_takes_no_credentials() {
    let place = Place::new("audit-stdio");
    let config = place.folder().read("toolpact.yaml");
    assert!(config.contains("anonymous: true"), "{config}");
    let closed = config.replace("anonymous: true", "anonymous: false");
    std::fs::write(place.folder().path("toolpact.yaml"), closed).unwrap();
    let oracle = Oracle::of(&place);
    let (nobody, bob) = (&place.people()[0], &place.people()[2]);
    let bearer = format!("Bearer {}", bob.token.as_ref().unwrap());
    let shown =
        json!({"authorization": bearer, "Authorization": bearer, "principal": {"name": "bob"}});
    let (mut client, _) = Client::begun(place.folder(), &json!({"experimental": shown}));
    let mut only_bob = 0;
    for (tool, args) in calls() {
        let expected = oracle.verdict(nobody, tool, &args);
        only_bob += usize::from(oracle.verdict(bob, tool, &args).code() != expected.code());
        for mut meta in [json!({}), modern(&json!({"experimental": shown}))] {
            for (name, value) in shown.as_object().unwrap() {
                meta[name] = value.clone();
            }
            let params = json!({"name": tool, "arguments": args, "_meta": meta});
            let answer = client.ask("tools/call", &params);
            assert_eq!(ways::of_mcp(&answer), expected.code(), "{tool} {args}");
        }
    }
    assert!(only_bob > 0, "the token says something elsewhere");
    drop(client);
    let audit = place.audit();
    assert_eq!(audit.len(), 2 * calls().len());
    assert!(
        audit.iter().all(|line| line["principal"].is_null()),
        "{audit:?}"
    );
}

/// What somebody may not call, whatever the arguments, is in nothing that they can read.
#[test]
fn what_is_hidden_is_nowhere() {
    let place = Place::new("audit");
    let (oracle, server) = (Oracle::of(&place), place.serve());
    for person in place.people() {
        for path in [
            "/v1/contracts",
            "/v1/exports/openai",
            "/v1/exports/anthropic",
            "/v1/exports/mcp",
            "/v1/stubs?lang=python",
            "/v1/stubs?lang=typescript",
            "/v1/docs",
            "/v1/openapi.json",
            "/v1/metrics",
            "/",
        ] {
            let answer = server.get(person, path);
            assert_eq!(answer.status(), 200, "{path}");
            assert_sees(&oracle, person, path, &answer.body);
        }
        for listed in ways::lists(&server, person) {
            assert_sees(&oracle, person, "tools/list", &listed);
        }
        for tool in ALL_TOOLS {
            let sees = oracle.sees(person, tool);
            let contract = server.get(person, &format!("/v1/contracts/{tool}"));
            assert_eq!(contract.status() == 200, sees, "{} {tool}", person.label);
            for part in ["args", "result"] {
                let body = json!({"name": tool, part: {}});
                let checked = server.post(person, "/v1/validate", &body);
                assert_eq!(checked.status() == 200, sees, "{} {tool}", person.label);
            }
            let plan = json!({"steps": [{"tool": tool, "args": {}}], "check": true});
            let plan = server.post(person, "/v1/plan", &plan);
            let is_unknown = plan.body.contains("plan-unknown-tool");
            assert_eq!(is_unknown, !sees, "{} {tool}: {}", person.label, plan.body);
        }
    }
}

/// Scripts have the functions of their caller, and no others: neither their declarations, nor by going around the type
/// checker, nor in what errors suggest.
#[test]
fn scripts_see_what_their_caller_sees() {
    let place = Place::new("audit");
    let (oracle, server) = (Oracle::of(&place), place.serve());
    for person in place.people() {
        for tool in ALL_TOOLS {
            let (sees, what) = (
                oracle.sees(person, tool),
                format!("{} {tool}", person.label),
            );
            let args = json!({"tools": [tool]});
            let declared = server.post(person, "/v1/tools/run_code_declarations", &args);
            assert_eq!(declared.status() == 200, sees, "{what}: {}", declared.body);
            if sees {
                assert!(declared.body.contains(&format!("def {tool}(")), "{what}");
            } else {
                assert_sees(
                    &oracle,
                    person,
                    "an error",
                    &declared.body.replace(tool, ""),
                );
            }
            let around = format!("x = {tool}  # type: ignore\n1");
            let ran = server.post(person, "/v1/tools/run_code", &json!({"script": around}));
            assert_eq!(ran.status() == 200, sees, "{what}: {}", ran.body);
        }
    }
    assert_eq!(place.ran(), 0);
}

#[track_caller]
fn assert_sees(oracle: &Oracle, person: &Person, place: &str, text: &str) {
    for tool in ALL_TOOLS {
        let is_there = text.contains(tool);
        // What is shown may be left out of an error.
        let sees = oracle.sees(person, tool);
        let is_right = is_there == sees || place == "an error" && !is_there;
        assert!(is_right, "{} {tool} in {place}: {is_there}", person.label);
    }
}

#[track_caller]
fn same(found: &[Json], expected: &[Json]) {
    for (place, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(found, expected, "line {place}");
    }
    assert_eq!(found.len(), expected.len());
}

impl Kind {
    /// Whether the server runs the tool.
    fn runs_here(self) -> bool {
        !matches!(self, Kind::Authorization)
    }

    /// The lines that a call leaves.
    fn lines(
        self,
        oracle: &Oracle,
        person: &Person,
        tool: &str,
        expected: &oracle::Expected,
    ) -> Vec<Json> {
        let own = expected.line(person, tool);
        match self {
            // A plan with a tool that is not there is refused as a whole.
            Kind::Plan if expected.is_hidden() => Vec::new(),
            Kind::Call | Kind::Plan | Kind::Authorization => vec![own],
            Kind::Script => {
                let run = oracle.verdict(person, "run_code", &json!({"script": "1"}));
                let mut run = run.line(person, "run_code");
                if !expected.is_allowed() {
                    run["outcome"] = "VALIDATION_FORMAT".into();
                }
                let own = (!expected.is_hidden()).then_some(own);
                own.into_iter().chain([run]).collect()
            }
        }
    }
}
