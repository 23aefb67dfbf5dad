//! The short form of a config.

use toolpact::Principal;
use toolpact_policy::{Allow, Policies, PolicyConfig, ToolEffects};

use crate::support::{Desk, ada};

fn config() -> PolicyConfig {
    let texts = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect();
    PolicyConfig {
        allow: vec![
            Allow {
                groups: texts(&["support"]),
                tools: texts(&["search_*"]),
                effects: Some(ToolEffects::ReadOnly),
                ..Allow::default()
            },
            Allow {
                groups: texts(&["support", "sales"]),
                principals: texts(&["bob"]),
                tenants: texts(&["acme", "say \"hi\""]),
                tools: texts(&["refund", "shop__*"]),
                sources: texts(&["", "shop"]),
                ask: Some("May it?".to_owned()),
                ..Allow::default()
            },
            Allow {
                principals: texts(&["root"]),
                ..Allow::default()
            },
        ],
        ..PolicyConfig::default()
    }
}

#[test]
fn it_is_cedar() {
    let allow = config().allow;
    let text: String = { allow.iter().enumerate() }
        .map(|(place, one)| one.to_cedar(place))
        .collect();
    insta::assert_snapshot!("short_form", text);
}

#[test]
fn it_means_what_it_says() {
    let desk = Desk::new("");
    let policies = Policies::read(&config()).unwrap();
    policies.check(&desk.catalogue()).unwrap();
    desk.guard.replace(policies);
    desk.registry.refresh();
    assert_eq!(desk.outcome(&ada(), "search_tickets", "{}"), "allow");
    assert_eq!(desk.outcome(&ada(), "shop__search_tickets", "{}"), "deny");
    assert_eq!(desk.outcome(&ada(), "refund", "{}"), "deny");
    assert_eq!(
        desk.outcome(&ada().with_tenant("acme"), "refund", "{}"),
        "ask"
    );
    assert_eq!(
        desk.outcome(&ada().with_tenant("acme"), "shop__refund", "{}"),
        "ask"
    );
    assert_eq!(
        desk.outcome(&ada().with_tenant("acme"), "delete_ticket", "{}"),
        "deny"
    );
    assert_eq!(
        desk.outcome(&ada().with_tenant("other"), "refund", "{}"),
        "deny"
    );
    assert_eq!(
        desk.outcome(&Principal::new("root"), "shop__delete_ticket", "{}"),
        "allow"
    );
}
