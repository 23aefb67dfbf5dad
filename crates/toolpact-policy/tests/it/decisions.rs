//! Who may call what.

use toolpact::Principal;

use crate::support::{Desk, ada, asked};

const REFUND: &str = r#"{"amount": 100, "order": "A1"}"#;

#[test]
fn what_is_not_permitted_is_denied() {
    let desk = Desk::new(
        r#"permit(principal in Group::"support", action == Action::"refund", resource);"#,
    );
    assert_eq!(desk.call(&ada(), "refund", REFUND), "ok");
    let bob = Principal::new("bob");
    assert_eq!(desk.outcome(&bob, "refund", REFUND), "deny");
    assert_eq!(
        desk.outcome(&Principal::anonymous(), "refund", REFUND),
        "deny"
    );
    // The same tool of another source is another action.
    assert_eq!(desk.outcome(&ada(), "shop__refund", REFUND), "deny");
    let nothing = Desk::new("");
    assert_eq!(nothing.outcome(&ada(), "refund", REFUND), "deny");
}

#[test]
fn forbid_wins() {
    let desk = Desk::new(
        r#"@id("all") permit(principal, action, resource);
           @id("not destructive") forbid(principal, action in Action::"effects:destructive", resource)
           unless { principal in Group::"support" };"#,
    );
    assert_eq!(
        desk.outcome(&ada(), "delete_ticket", r#"{"number": 1}"#),
        "allow"
    );
    let bob = Principal::new("bob");
    let verdict = desk.verdict(&bob, "delete_ticket", r#"{"number": 1}"#);
    assert_eq!(verdict.outcome.as_str(), "deny");
    assert_eq!(verdict.policies, ["not destructive"]);
    assert_eq!(
        desk.outcome(&bob, "search_tickets", r#"{"text": "x"}"#),
        "allow"
    );
}

#[test]
fn arguments_decide() {
    let desk = Desk::new(
        r#"@id("up to 100")
           permit(principal in Group::"support", action == Action::"refund", resource)
           when { context.input.amount <= 100 };"#,
    );
    assert_eq!(desk.call(&ada(), "refund", REFUND), "ok");
    let more = r#"{"amount": 101, "order": "A1"}"#;
    assert_eq!(desk.call(&ada(), "refund", more), "FORBIDDEN_ACCESS");
    assert_eq!(
        desk.verdict(&ada(), "refund", REFUND).policies,
        ["up to 100"]
    );
    assert!(desk.verdict(&ada(), "refund", more).policies.is_empty());
}

#[test]
fn groups_tenants_and_claims_decide() {
    let desk = Desk::new(
        r#"permit(principal, action == Action::"refund", resource)
           when { principal has tenant && principal.tenant == "acme" };
           permit(principal, action == Action::"delete_ticket", resource)
           when { principal.hasTag("level") && principal.getTag("level") == "3" };
           permit(principal == Principal::"|acme|ada", action == Action::"search_tickets", resource);"#,
    );
    let claims = toolpact::core::json::Value::from_json(r#"{"level": 3}"#).unwrap();
    let ada = Principal::new("ada")
        .with_tenant("acme")
        .with_claims(claims);
    assert_eq!(desk.outcome(&ada, "refund", REFUND), "allow");
    assert_eq!(
        desk.outcome(&ada, "delete_ticket", r#"{"number": 1}"#),
        "allow"
    );
    assert_eq!(
        desk.outcome(&ada, "search_tickets", r#"{"text": "x"}"#),
        "allow"
    );
    let other = Principal::new("ada");
    for tool in ["refund", "delete_ticket", "search_tickets"] {
        assert_eq!(desk.outcome(&other, tool, "{}"), "deny", "{tool}");
    }
}

#[test]
fn sources_time_and_session_decide() {
    let desk = Desk::new(
        r#"permit(principal, action in Action::"source:shop", resource == Source::"shop")
           when { context.time > datetime("2020-01-01") && context.session == 7 };
           permit(principal, action == Action::"refund", resource)
           when { context.time < datetime("2020-01-01") };"#,
    );
    assert_eq!(desk.outcome(&ada(), "shop__refund", REFUND), "allow");
    assert_eq!(desk.outcome(&ada(), "refund", REFUND), "deny");
}

#[test]
fn a_question_is_asked_whatever_else_permits() {
    let desk = Desk::new(
        r#"permit(principal in Group::"support", action, resource);
           @ask("Really refund that much?")
           permit(principal, action == Action::"refund", resource) when { context.input.amount > 100 };"#,
    );
    assert_eq!(desk.outcome(&ada(), "refund", REFUND), "allow");
    let more = r#"{"amount": 101, "order": "A1"}"#;
    assert_eq!(
        asked(&desk.verdict(&ada(), "refund", more)),
        "Really refund that much?"
    );
    assert_eq!(
        asked(&desk.verdict(&Principal::new("bob"), "refund", more)),
        "Really refund that much?"
    );
    // Nobody is there to be asked.
    assert_eq!(desk.call(&ada(), "refund", more), "FORBIDDEN_ACCESS");
}

#[test]
fn callers_are_told_nothing_of_policies() {
    let desk = Desk::new(
        r#"@id("secret rule") permit(principal, action == Action::"refund", resource)
           when { context.input.amount < 5 };"#,
    );
    let session = desk.registry.session().principal(ada()).open().unwrap();
    let call = toolpact::Call::new(
        "refund",
        toolpact::core::json::Value::from_json(REFUND).unwrap(),
    );
    let completed = tokio::runtime::Runtime::new()
        .unwrap()
        .block_on(session.call(call));
    let error = completed.error().unwrap();
    assert_eq!(error.code(), "FORBIDDEN_ACCESS");
    assert_eq!(error.message(), "You are not allowed to make this call.");
}

#[test]
fn new_policies_hold_for_sessions_that_are_open() {
    let desk = Desk::new("permit(principal, action, resource);");
    let session = desk.registry.session().principal(ada()).open().unwrap();
    let call = || {
        let args = toolpact::core::json::Value::from_json(r#"{"number": 1}"#).unwrap();
        let call = session.call(toolpact::Call::new("delete_ticket", args));
        let completed = tokio::runtime::Runtime::new().unwrap().block_on(call);
        completed.error().map(|error| error.code().to_owned())
    };
    assert_eq!(call(), None);
    desk.replace(r#"permit(principal, action == Action::"refund", resource);"#);
    assert_eq!(call().as_deref(), Some("FORBIDDEN_ACCESS"));
}
