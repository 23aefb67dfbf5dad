//! Random entries of the short form, beside random policies: what they permit is what their fields say, as it is
//! written down here once more, without Cedar.

use proptest::prelude::*;
use toolpact::Registry;
use toolpact_policy::{Allow, CallFacts, Policies, PolicyConfig, ToolEffects};

use crate::random::{Caller, GROUPS, RandomCall, TOOLS, callers, calls, directly, policies, sets};
use crate::support::Desk;
use toolpact::core::json::Value;

fn entries() -> impl Strategy<Value = Allow> {
    let some = |all: &[&'static str]| {
        let most = all.len().min(2);
        prop::sample::subsequence(all.to_vec(), 0..=most)
            .prop_map(|some| some.into_iter().map(str::to_owned).collect::<Vec<String>>())
    };
    let tools = [
        TOOLS[0],
        TOOLS[1],
        TOOLS[4],
        "*refund",
        "shop__*",
        "*_tickets",
        "*",
        "s*d*",
    ];
    let people = ["ada", "eve%7Cx", "i0|t0|ada", "anonymous", "||anonymous"];
    let fields = (
        some(&GROUPS),
        some(&people),
        some(&["t0", "t\"2"]),
        some(&tools),
        some(&["shop", ""]),
    );
    let effects = prop::option::of(prop::sample::select(&ToolEffects::ALL[..]));
    let ask = prop::option::of(Just("May \"it\"?".to_owned()));
    (fields, effects, ask).prop_map(|(fields, effects, ask)| {
        let (groups, principals, tenants, tools, sources) = fields;
        Allow {
            groups,
            principals,
            tenants,
            tools,
            sources,
            effects,
            ask,
        }
    })
}

/// Whether a name is of a pattern: each way to leave out what a star stands for is tried.
fn is_of(pattern: &str, name: &str) -> bool {
    match pattern.strip_prefix('*') {
        Some(rest) => (0..=name.len()).any(|at| is_of(rest, &name[at..])),
        None => match (pattern.chars().next(), name.chars().next()) {
            (None, None) => true,
            (Some(one), Some(other)) if one == other => is_of(&pattern[1..], &name[1..]),
            _ => false,
        },
    }
}

fn has_effects(tool: &str, effects: ToolEffects) -> bool {
    let is_search = tool.ends_with("search_tickets");
    match effects {
        ToolEffects::ReadOnly => is_search,
        ToolEffects::Writes | ToolEffects::Destructive => !is_search,
        // No contract says so.
        ToolEffects::Idempotent | ToolEffects::OpenWorld => false,
    }
}

fn fits(allow: &Allow, caller: &Caller, tool: &str) -> bool {
    let (id, source) = (
        caller.id(),
        if tool.starts_with("shop__") {
            "shop"
        } else {
            ""
        },
    );
    let has = |all: &[String], one: &str| all.iter().any(|each| each == one);
    let is_anybody = allow.groups.is_empty() && allow.principals.is_empty();
    let in_group = caller.groups.iter().any(|group| has(&allow.groups, group));
    (is_anybody || in_group || has(&allow.principals, &id))
        && (allow.tenants.is_empty() || caller.tenant.is_some_and(|one| has(&allow.tenants, one)))
        && (allow.tools.is_empty() || allow.tools.iter().any(|pattern| is_of(pattern, tool)))
        && (allow.sources.is_empty() || has(&allow.sources, source))
        && allow
            .effects
            .is_none_or(|effects| has_effects(tool, effects))
}

fn read(text: &str, allow: &[Allow]) -> Policies {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("policies.cedar");
    std::fs::write(&file, text).unwrap();
    let config = PolicyConfig {
        files: vec![file],
        allow: allow.to_vec(),
        ..PolicyConfig::default()
    };
    Policies::read(&config).unwrap()
}

fn outcome(
    registry: &Registry,
    policies: &Policies,
    caller: &Caller,
    call: &RandomCall,
) -> &'static str {
    let args = Value::from_json(call.args.to_string()).unwrap();
    let session = registry.session().qualified().open().unwrap().unfiltered();
    let principal = caller.principal();
    let facts = CallFacts {
        principal: &principal,
        args: &args,
        session: 7,
        client: None,
    };
    let tool = session.get(call.tool).unwrap();
    let verdict = policies.decide(tool, facts);
    assert!(policies.may_call(&principal, tool) || verdict.outcome.as_str() == "deny");
    verdict.outcome.as_str()
}

proptest! {
    #![proptest_config(sets())]

    #[test]
    fn the_short_form_permits_what_it_says(
        text in prop_oneof![1 => Just(String::new()), 1 => policies()],
        allow in prop::collection::vec(entries(), 1..4),
        asked in prop::collection::vec((callers(), calls()), 10),
    ) {
        let desk = Desk::new("");
        let policies = read(&text, &allow);
        for (caller, call) in &asked {
            let said = directly(&text, caller, call);
            let fitting: Vec<&Allow> = allow.iter().filter(|one| fits(one, caller, call.tool)).collect();
            let is_permitted = said.is_permitted || !fitting.is_empty();
            let asks = said.is_permitted && said.asks || fitting.iter().any(|one| one.ask.is_some());
            let expected = match (is_permitted && !said.is_forbidden, asks) {
                (false, _) => "deny",
                (true, true) => "ask",
                (true, false) => "allow",
            };
            let ours = outcome(&desk.registry, &policies, caller, call);
            prop_assert_eq!(ours, expected, "{}\n{:?}\n{:?}\n{:?}", &text, &allow, caller, call);
        }
    }
}
