//! What a line says of a call.

use toolpact::call::{Decision, Proposal, Verdict};
use toolpact::observe::Detail;
use toolpact::{Call, Principal, Registry};
use toolpact_audit::{Event, ToolAudit};

use crate::support::{Audit, echo, open, value};

#[tokio::test]
async fn every_call_has_a_line() {
    let audit = Audit::new();
    let session = audit.open(&audit.config());
    let ada = Principal::new("ada")
        .issued_by("https://login")
        .with_tenant("acme");
    let session = session.fork_for(ada);
    session.call(echo(1)).await;
    session.call(Call::new("failing", value("{}"))).await;
    session
        .call(Call::new("no_such_tool", value("{}")).id("c3"))
        .await;
    session
        .call(Call::new("echo", value(r#"{"txt": 1}"#)))
        .await;
    session
        .call_json(br#"{"name":"echo","args":{"text":}}"#)
        .await;
    let calls = audit.calls();
    let outcomes: Vec<&str> = calls.iter().map(|call| &*call.outcome).collect();
    let expected = [
        "SUCCESS",
        "INTERNAL_ERROR",
        "NOT_FOUND_ENDPOINT",
        "VALIDATION_FORMAT",
        "VALIDATION_FORMAT",
    ];
    assert_eq!(outcomes, expected);
    let one = &calls[0];
    let principal = one.principal.as_ref().unwrap();
    assert_eq!(principal.to_string(), "ada@acme");
    assert_eq!(principal.issuer.as_deref(), Some("https://login"));
    assert_eq!(one.session, session.id());
    assert_eq!(one.call_id.as_deref(), Some("c1"));
    assert_eq!((&*one.tool, one.attempts), ("echo", 1));
    assert_eq!(one.digest.as_deref().unwrap().len(), 64);
    assert_eq!(calls[1].toolset.as_deref(), Some("shop"));
    assert_eq!(calls[1].cause.as_deref(), Some("the disk is full"));
    assert_eq!((calls[2].attempts, &*calls[2].tool), (0, "no_such_tool"));
    assert_eq!(calls[3].violations, ["value-unknown-key at /txt"]);
    // These are no JSON.
    assert!(calls[4].args.is_none() && calls[4].args_digest.is_some());
    let mut ids: Vec<_> = calls
        .iter()
        .map(|call| call.invocation.clone().unwrap())
        .collect();
    ids.dedup();
    assert_eq!(ids.len(), calls.len());
    let numbers: Vec<u64> = calls.iter().map(|call| call.seq.unwrap()).collect();
    assert_eq!(numbers, [3, 4, 5, 6, 7]);
    audit.assert_whole();
}

#[tokio::test]
async fn arguments_and_results_as_configured() {
    let audit = Audit::new();
    let mut config = audit.config();
    config.tools.insert(
        "failing".to_owned(),
        ToolAudit {
            arguments: Some(Detail::None),
            results: Some(Detail::Whole),
            redact: None,
        },
    );
    let session = audit.open(&config);
    session.call(echo(1)).await;
    session.call(Call::new("failing", value("{}"))).await;
    let calls = audit.calls();
    // printf '%s' '{"text": "call 1", "password": "s3cret"}' | sha256sum
    let expected = "037b5787e9b4690bba21b0924e434decffee6ea0c04f74c6af646d92c0f79bbb";
    assert_eq!(calls[0].args_digest.as_deref(), Some(expected));
    assert!(calls[0].args.is_none() && calls[0].result.is_none());
    assert!(calls[0].result_digest.is_some());
    assert!(calls[1].args.is_none() && calls[1].args_digest.is_none());
    let error = calls[1].result.as_ref().unwrap();
    assert_eq!(
        error.root().get("code").unwrap().text(),
        "\"INTERNAL_ERROR\""
    );
    assert!(!audit.text().contains("s3cret"));
}

#[tokio::test]
async fn what_is_redacted_is_in_no_file() {
    for (fields, args, result) in [
        (
            &["Password"][..],
            r#"{"text":"call 1","password":"[redacted]"}"#,
            r#"{"success":true,"value":"call 1"}"#,
        ),
        (
            &[],
            r#"{"text":"[redacted]","password":"[redacted]"}"#,
            r#"{"success":"[redacted]","value":"[redacted]"}"#,
        ),
    ] {
        let audit = Audit::new();
        let mut config = audit.config();
        (config.arguments, config.results) = (Detail::Redacted, Detail::Redacted);
        config.redact = fields.iter().map(|field| (*field).to_owned()).collect();
        audit.open(&config).call(echo(1)).await;
        let call = &audit.calls()[0];
        assert_eq!(call.args.as_ref().unwrap().text(), args);
        assert_eq!(call.result.as_ref().unwrap().text(), result);
        assert!(!audit.text().contains("s3cret"));
    }
}

/// Line breaks between the tokens of JSON would be the ends of lines.
#[tokio::test]
async fn a_call_is_one_line_whatever_it_says() {
    let audit = Audit::new();
    let mut config = audit.config();
    (config.arguments, config.results) = (Detail::Whole, Detail::Whole);
    let session = audit.open(&config);
    let args = "{\r\n \"text\":\n \"a\\nb\u{2028}c\"\n}";
    session
        .call(Call::new("echo", value(args)).id("x\ny"))
        .await;
    let call = &audit.calls()[0];
    assert_eq!(
        call.args.as_ref().unwrap().text(),
        "{\"text\":\"a\\nb\u{2028}c\"}"
    );
    assert_eq!(call.call_id.as_deref(), Some("x\ny"));
    assert_eq!(audit.text().lines().count(), audit.entries().len());
    audit.assert_whole();
}

#[tokio::test]
async fn the_decision_and_its_policies() {
    let audit = Audit::new();
    let guard = |proposal: &Proposal<'_>| {
        proposal.decided_by(["support.cedar#2"]);
        match proposal.args().root().get("password") {
            Some(_) => Decision::Ask("Really?".to_owned()),
            None if proposal.args().root().get("text").is_some() => Decision::Allow,
            None => Decision::Deny("No.".to_owned()),
        }
    };
    let approve = |_: &Proposal<'_>, _: &str| true;
    let builder = Registry::builder().guard(guard).approver(approve);
    let session = open(builder, &audit.config());
    session.call(echo(1)).await;
    session
        .call(Call::new("echo", value(r#"{"text": "a"}"#)))
        .await;
    session.call(Call::new("echo", value("{}"))).await;
    session.call(Call::new("nowhere", value("{}"))).await;
    let calls = audit.calls();
    let verdicts: Vec<_> = calls
        .iter()
        .map(|call| Some(call.decision.as_ref()?.verdict))
        .collect();
    let expected = [
        Some(Verdict::Approved),
        Some(Verdict::Allowed),
        Some(Verdict::Denied),
        None,
    ];
    assert_eq!(verdicts, expected);
    assert_eq!(
        calls[2].decision.as_ref().unwrap().policies,
        ["support.cedar#2"]
    );
    assert_eq!(
        (&*calls[2].outcome, calls[2].attempts),
        ("FORBIDDEN_ACCESS", 0)
    );
}

/// What a server does is written down as well.
#[tokio::test]
async fn starts_are_written_down() {
    let audit = Audit::with_calls(1, |_| {}).await;
    audit.open(&audit.config()).call(echo(2)).await;
    let events = audit.events();
    let starts = events
        .iter()
        .filter(|event| matches!(event, Event::Started { .. }));
    assert_eq!(starts.count(), 2, "{events:?}");
    assert_eq!(audit.calls().len(), 2);
    audit.assert_whole();
}

/// Only one at a time, and only for its user.
#[cfg(unix)]
#[tokio::test]
async fn files_are_private_and_have_one_writer() {
    use std::os::unix::fs::PermissionsExt as _;
    let audit = Audit::new();
    let session = audit.open(&audit.config());
    session.call(echo(1)).await;
    for entry in std::fs::read_dir(audit.path()).unwrap() {
        let mode = entry.unwrap().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let error = toolpact_audit::AuditLog::open(&audit.config()).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("another server writes its audit to"),
        "{error}"
    );
}
