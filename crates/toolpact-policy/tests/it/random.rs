//! Random policies, callers and calls: our decisions are those of Cedar asked directly, with entities and a context
//! that are made here, from JSON.

use std::cell::Cell;
use std::str::FromStr as _;

use cedar_policy::{
    AuthorizationError, Authorizer, Context, Decision, Effect, Entities, EntityUid, PolicySet,
    Request,
};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value as Json, json};
use toolpact::Principal;
use toolpact::core::json::Value;

use crate::support::Desk;

#[derive(Debug, Clone)]
pub(crate) struct Caller {
    /// There is nothing else about one without.
    pub(crate) name: Option<&'static str>,
    issuer: Option<&'static str>,
    pub(crate) tenant: Option<&'static str>,
    pub(crate) groups: Vec<&'static str>,
    claims: Option<Json>,
}

#[derive(Debug, Clone)]
pub(crate) struct RandomCall {
    pub(crate) tool: &'static str,
    pub(crate) args: Json,
}

pub(crate) const GROUPS: [&str; 4] = ["g0", "g1", "g2", "g\"3\\ ü"];
const NAMES: [&str; 4] = ["ada", "bob", "eve|x", "anonymous"];
pub(crate) const TOOLS: [&str; 6] = [
    "search_tickets",
    "refund",
    "delete_ticket",
    "shop__search_tickets",
    "shop__refund",
    "shop__delete_ticket",
];
const ACTION_GROUPS: [&str; 6] = [
    "effects:read_only",
    "effects:writes",
    "effects:destructive",
    "source:shop",
    "tools:*refund",
    "tools:shop__*",
];

pub(crate) fn callers() -> impl Strategy<Value = Caller> {
    let name = prop::sample::select(&NAMES[..]);
    let issuer = prop::option::of(prop::sample::select(&["i0", "i1"][..]));
    let tenant = prop::option::of(prop::sample::select(&["t0", "t1", "t\"2"][..]));
    let groups = prop::sample::subsequence(GROUPS.to_vec(), 0..=3);
    let known = (name, issuer, tenant, groups, prop::option::of(claims()));
    let known = known.prop_map(|(name, issuer, tenant, groups, claims)| Caller {
        name: Some(name),
        issuer,
        tenant,
        groups,
        claims,
    });
    let anonymous = Just(Caller {
        name: None,
        issuer: None,
        tenant: None,
        groups: Vec::new(),
        claims: None,
    });
    prop_oneof![8 => known, 1 => anonymous]
}

/// Claims of all kinds of JSON.
fn claims() -> impl Strategy<Value = Json> {
    let level = prop::option::of(0..3_u8);
    let role = prop::option::of(prop::sample::select(&["admin", "a\"b", "1", "true"][..]));
    let is_staff = prop::option::of(any::<bool>());
    let places = prop::option::of(prop::sample::subsequence(vec!["no", "se"], 0..=2));
    (level, role, is_staff, places).prop_map(|(level, role, is_staff, places)| {
        let mut claims = json!({"sub": "someone"});
        let known = [
            ("level", level.map(Json::from)),
            ("role", role.map(Json::from)),
            ("staff", is_staff.map(Json::from)),
            ("places", places.map(Json::from)),
        ];
        for (name, claim) in known {
            if let Some(claim) = claim {
                claims[name] = claim;
            }
        }
        claims
    })
}

pub(crate) fn calls() -> impl Strategy<Value = RandomCall> {
    let amount = prop_oneof![(-2..3_i64).prop_map(Json::from), Just(json!(i64::MAX))];
    let share = prop_oneof![Just(json!(0.25)), Just(json!(0.5)), Just(json!(0.75))];
    let optional = (
        prop::option::of(share),
        prop::option::of(prop::sample::select(&["A1", "B2"][..])),
        prop::option::of(prop::sample::subsequence(vec!["x", "y"], 0..=2)),
        prop::option::of(prop::option::of(-1..2_i64)),
    );
    let tool = prop::sample::select(&TOOLS[..]);
    (tool, amount, optional).prop_map(|(tool, amount, (share, order, labels, age))| {
        let mut args = json!({});
        if tool.ends_with("refund") {
            args["amount"] = amount;
            args["order"] = order.unwrap_or("C3").into();
            // What is null is not there for policies.
            args["reason"] = match share.is_some() {
                true => Json::Null,
                false => "late".into(),
            };
            if let Some(share) = share {
                args["share"] = share;
            }
            if let Some(labels) = labels {
                args["labels"] = labels.into();
            }
            if let Some(age) = age {
                args["customer"] = json!({"country": "NO"});
                if let Some(age) = age {
                    args["customer"]["age"] = age.into();
                }
            }
        } else if tool.ends_with("delete_ticket") {
            args["number"] = amount;
        } else {
            args["text"] = order.unwrap_or("").into();
        }
        RandomCall { tool, args }
    })
}

fn conditions() -> impl Strategy<Value = String> {
    let group = prop::sample::select(&GROUPS[..]);
    let actions = prop::sample::select(&ACTION_GROUPS[..]);
    let atom = prop_oneof![
        group.prop_map(|group| format!("principal in Group::{}", quoted(group))),
        Just("principal.anonymous".to_owned()),
        prop::sample::select(&NAMES[..]).prop_map(|name| format!("principal.name == {}", quoted(name))),
        Just("principal has tenant && principal.tenant == \"t0\"".to_owned()),
        Just("principal has tenant && principal.tenant like \"t\\\"*\"".to_owned()),
        // Fails for those without a tenant.
        Just("principal.tenant == \"t1\"".to_owned()),
        Just("principal has issuer".to_owned()),
        Just("principal.hasTag(\"role\") && principal.getTag(\"role\") == \"a\\\"b\"".to_owned()),
        Just("principal.hasTag(\"staff\") && principal.getTag(\"staff\") == \"true\"".to_owned()),
        Just("principal.hasTag(\"places\") && principal.getTag(\"places\") like \"*se*\"".to_owned()),
        // Fails for those without the claim.
        Just("principal.getTag(\"level\") == \"2\"".to_owned()),
        Just("context.input has reason && context.input.reason == \"late\"".to_owned()),
        Just("principal.hasTag(\"level\") && principal.getTag(\"level\") == \"1\"".to_owned()),
        actions.prop_map(|group| format!("action in Action::\"{group}\"")),
        Just("resource == Source::\"shop\"".to_owned()),
        (-2..3_i64).prop_map(|n| format!("context.input has amount && context.input.amount > {n}")),
        // Fails for tools without an amount.
        (-2..3_i64).prop_map(|n| format!("context.input.amount < {n}")),
        // Fails for large amounts.
        Just("context.input has amount && context.input.amount + 1 > 1".to_owned()),
        Just("context.input has order && context.input.order like \"A*\"".to_owned()),
        Just("context.input has labels && context.input.labels.contains(\"x\")".to_owned()),
        Just("context.input has share && context.input.share.lessThan(decimal(\"0.5\"))".to_owned()),
        Just("context.input has customer && context.input.customer has age && context.input.customer.age > 0".to_owned()),
        Just("context.input has customer && context.input.customer == {country: \"NO\"}".to_owned()),
        Just("context.session == 7".to_owned()),
        Just("context.time > datetime(\"2020-01-01\")".to_owned()),
        Just("context.time <= datetime(\"2020-01-01T10:00:00.5Z\")".to_owned()),
        Just("context.time.toDate() == datetime(\"2020-01-01\")".to_owned()),
        Just("context has client".to_owned()),
        compared(),
        about_sets(),
        about_records(),
    ];
    atom.prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(({a}) && ({b}))")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(({a}) || ({b}))")),
            inner.clone().prop_map(|a| format!("!({a})")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("(if ({a}) then ({b}) else true)")),
        ]
    })
}

/// A whole number that may overflow, and may be missing.
fn numbers() -> impl Strategy<Value = String> {
    let number = prop_oneof![
        3 => Just("context.input.amount".to_owned()),
        2 => (-2..3_i64).prop_map(|number| number.to_string()),
        1 => Just("context.session".to_owned()),
        1 => Just("context.input.customer.age".to_owned()),
        1 => Just(i64::MAX.to_string()),
        // Is none.
        1 => Just("context.input.order".to_owned()),
    ];
    number.prop_recursive(2, 4, 2, |inner| {
        let operator = prop::sample::select(&["+", "-", "*"][..]);
        prop_oneof![
            (inner.clone(), operator, inner.clone())
                .prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            inner.clone().prop_map(|number| format!("-({number})")),
            (conditions_of_shares(), inner.clone(), inner)
                .prop_map(|(test, a, b)| format!("(if {test} then {a} else {b})")),
        ]
    })
}

fn conditions_of_shares() -> impl Strategy<Value = String> {
    let method = [
        "lessThan",
        "lessThanOrEqual",
        "greaterThan",
        "greaterThanOrEqual",
    ];
    let method = prop::sample::select(method.to_vec());
    let literal = prop::sample::select(&["0.25", "0.5", "-1.0", "0.7500"][..]);
    (method, literal, any::<bool>()).prop_map(|(method, literal, is_asked)| {
        let there = if is_asked {
            "context.input has share && "
        } else {
            ""
        };
        format!("({there}context.input.share.{method}(decimal(\"{literal}\")))")
    })
}

fn compared() -> impl Strategy<Value = String> {
    let operator = prop::sample::select(&["==", "!=", "<", "<=", ">", ">="][..]);
    let pattern = prop::sample::select(
        &[
            "*", "A*", "*1", "A*1", "*A*1*", "**", "", "A1", "*B", "A**1",
        ][..],
    );
    let equal = prop::sample::select(&["==", "!="][..]);
    let text = prop::sample::select(
        &[
            "\"A1\"",
            "principal.name",
            "context.input.reason",
            "1",
            "context.input.share",
        ][..],
    );
    prop_oneof![
        (numbers(), operator, numbers()).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
        pattern.prop_map(|pattern| format!(
            "context.input has order && context.input.order like \"{pattern}\""
        )),
        (equal, text).prop_map(|(equal, text)| format!("context.input.order {equal} {text}")),
        conditions_of_shares(),
    ]
}

fn about_sets() -> impl Strategy<Value = String> {
    let sets = [
        "context.input.labels",
        "[\"x\", \"y\"]",
        "[\"x\"]",
        "[\"y\", \"y\", 1]",
        "[]",
        "context.input.order",
    ];
    let set = prop::sample::select(sets.to_vec());
    let method = prop::sample::select(&["containsAll", "containsAny", "contains"][..]);
    let item = prop::sample::select(&["\"x\"", "context.input.order", "\"A1\"", "1", "[]"][..]);
    let both = (set.clone(), method, set.clone(), any::<bool>());
    prop_oneof![
        both.prop_map(|(a, method, b, is_equal)| match is_equal {
            true => format!("{a} == {b}"),
            false => format!("{a}.{method}({b})"),
        }),
        (set.clone(), item).prop_map(|(set, item)| format!("{set}.contains({item})")),
        set.prop_map(|set| format!("{set}.isEmpty()")),
        Just("[\"A1\", \"C3\"].contains(context.input.order)".to_owned()),
    ]
}

fn about_records() -> impl Strategy<Value = String> {
    let conditions = [
        "context.input has customer.age",
        "context.input has customer.country",
        "context.input has customer.other",
        "context.input has other.customer",
        "context.input.customer has age",
        "context.input.customer has other",
        "context.input.order has age",
        "context has input.amount",
        "context has session",
        "context has other",
        "context.input.other == 1",
        "context.client.name == \"x\"",
        "context has client && context.client has version",
        "context.input.customer.country == \"NO\"",
        "context.input.customer == context.input.customer",
        "[context.input.customer].contains({country: \"NO\"})",
        "context.input.amount in [principal]",
        "principal == context.input.order",
        "(if context.input has order then principal else action) == principal",
        "context.input has amount || principal.tenant == \"t1\"",
        "principal.tenant == \"t1\" || context.input has amount",
    ];
    prop::sample::select(conditions.to_vec()).prop_map(str::to_owned)
}

pub(crate) fn policies() -> impl Strategy<Value = String> {
    let principal = prop_oneof![
        2 => Just("principal".to_owned()),
        1 => prop::sample::select(&GROUPS[..]).prop_map(|one| format!("principal in Group::{}", quoted(one))),
        1 => prop::sample::select(&["ada", "bob", "eve%7Cx", "i0|t0|ada", "|t1|bob", "anonymous", "||anonymous"][..])
            .prop_map(|one| format!("principal == Principal::\"{one}\"")),
    ];
    let action = prop_oneof![
        2 => Just("action".to_owned()),
        1 => prop::sample::select(&TOOLS[..]).prop_map(|one| format!("action == Action::\"{one}\"")),
        1 => prop::sample::select(&ACTION_GROUPS[..]).prop_map(|one| format!("action in Action::\"{one}\"")),
        1 => prop::sample::subsequence(TOOLS.to_vec(), 1..4).prop_map(|some| {
            let some: Vec<String> = some.iter().map(|one| format!("Action::\"{one}\"")).collect();
            format!("action in [{}]", some.join(", "))
        }),
    ];
    let resource = prop_oneof![
        3 => Just("resource".to_owned()),
        1 => prop::sample::select(&["shop", ""][..]).prop_map(|one| format!("resource == Source::\"{one}\"")),
    ];
    let kind = prop_oneof![
        3 => Just("permit"),
        1 => Just("@ask(\"May it?\") permit"),
        1 => Just("forbid"),
    ];
    let condition = prop::option::of((any::<bool>(), conditions()));
    let policy = (kind, principal, action, resource, condition).prop_map(
        |(kind, principal, action, resource, condition)| {
            let condition = condition.map(|(when, condition)| {
                let word = if when { "when" } else { "unless" };
                format!(" {word} {{ {condition} }}")
            });
            format!(
                "{kind} ({principal}, {action}, {resource}){};\n",
                condition.unwrap_or_default()
            )
        },
    );
    prop::collection::vec(policy, 0..6).prop_map(|all| all.concat())
}

/// A text as Cedar writes it.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

impl Caller {
    pub(crate) fn principal(&self) -> Principal {
        let Some(name) = self.name else {
            return Principal::anonymous();
        };
        let mut principal = Principal::new(name).groups(self.groups.clone());
        if let Some(issuer) = self.issuer {
            principal = principal.issued_by(issuer);
        }
        if let Some(tenant) = self.tenant {
            principal = principal.with_tenant(tenant);
        }
        match &self.claims {
            Some(claims) => principal.with_claims(Value::from_json(claims.to_string()).unwrap()),
            None => principal,
        }
    }

    pub(crate) fn id(&self) -> String {
        let Some(name) = self.name else {
            return "anonymous".to_owned();
        };
        let name = name.replace('|', "%7C");
        match (self.issuer, self.tenant) {
            (None, None) if name == "anonymous" => "||anonymous".to_owned(),
            (None, None) => name,
            (issuer, tenant) => format!("{}|{}|{name}", issuer.unwrap_or(""), tenant.unwrap_or("")),
        }
    }

    fn entity(&self) -> Json {
        let name = self.name.unwrap_or("anonymous");
        let mut attributes = json!({"name": name, "anonymous": self.name.is_none()});
        if let Some(issuer) = self.issuer {
            attributes["issuer"] = issuer.into();
        }
        if let Some(tenant) = self.tenant {
            attributes["tenant"] = tenant.into();
        }
        let parents: Vec<Json> = { self.groups.iter() }
            .map(|group| json!({"type": "Group", "id": group}))
            .collect();
        // A claim that is no text is its JSON.
        let text = |claim: &Json| claim.as_str().map_or(claim.to_string(), str::to_owned);
        let mut tags = json!({});
        for (name, claim) in self.claims.iter().filter_map(Json::as_object).flatten() {
            tags[name] = text(claim).into();
        }
        json!({"uid": {"type": "Principal", "id": self.id()}, "attrs": attributes, "parents": parents, "tags": tags})
    }
}

impl RandomCall {
    fn action(&self) -> Json {
        let mut groups = match self.tool {
            tool if tool.ends_with("search_tickets") => vec!["effects:read_only"],
            _ => vec!["effects:writes", "effects:destructive"],
        };
        if self.tool.starts_with("shop__") {
            groups.extend(["source:shop", "tools:shop__*"]);
        }
        if self.tool.ends_with("refund") {
            groups.push("tools:*refund");
        }
        let parents: Vec<Json> = { groups.iter() }
            .map(|group| json!({"type": "Action", "id": group}))
            .collect();
        json!({"uid": {"type": "Action", "id": self.tool}, "attrs": {}, "parents": parents})
    }

    fn context(&self) -> Context {
        let mut input = self.args.clone();
        input
            .as_object_mut()
            .unwrap()
            .retain(|_, value| !value.is_null());
        if let Some(share) = input.get("share").cloned() {
            input["share"] = json!({"__extn": {"fn": "decimal", "arg": share.to_string()}});
        }
        let time = json!({"__extn": {"fn": "datetime", "arg": "2026-01-01T12:00:00Z"}});
        let context = json!({"input": input, "session": 7, "time": time});
        Context::from_json_value(context, None).unwrap()
    }
}

/// What Cedar says, asked directly.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a different thing that it says"
)]
pub(crate) struct Said {
    /// Whether a forbid applies, or fails, which is our own rule.
    pub(crate) is_forbidden: bool,
    pub(crate) is_permitted: bool,
    /// Whether one of the permits that apply asks.
    pub(crate) asks: bool,
    /// The policies that it names as its reason, by their places from 1.
    reasons: Vec<usize>,
    has_failed: bool,
}

impl Said {
    pub(crate) fn outcome(&self) -> &'static str {
        match (self.is_permitted && !self.is_forbidden, self.asks) {
            (false, _) => "deny",
            (true, true) => "ask",
            (true, false) => "allow",
        }
    }

    /// Whether these are among its reasons. What nothing permits is denied without one, whatever forbids it.
    fn is_because_of(&self, policies: &[String]) -> bool {
        let place = |id: &String| id.rsplit_once('#').unwrap().1.parse::<usize>().unwrap();
        let is_known = policies.iter().all(|id| self.reasons.contains(&place(id)));
        // A forbid that fails decides here, and is left out there.
        self.has_failed || is_known && (!self.is_permitted || !policies.is_empty())
    }
}

pub(crate) fn directly(policies: &str, caller: &Caller, call: &RandomCall) -> Said {
    let set = PolicySet::from_str(policies).unwrap();
    let entities = json!([caller.entity(), call.action()]);
    let entities = Entities::from_json_value(entities, None).unwrap();
    let uid = |kind: &str, id: &str| {
        EntityUid::from_json(json!({"__entity": {"type": kind, "id": id}})).unwrap()
    };
    let source = if call.tool.starts_with("shop__") {
        "shop"
    } else {
        ""
    };
    let request = Request::new(
        uid("Principal", &caller.id()),
        uid("Action", call.tool),
        uid("Source", source),
        call.context(),
        None,
    );
    let response = Authorizer::new().is_authorized(&request.unwrap(), &set, &entities);
    let failed = response.diagnostics().errors().any(|error| {
        let AuthorizationError::PolicyEvaluationError(error) = error;
        set.policy(error.policy_id()).unwrap().effect() == Effect::Forbid
    });
    let reasons = response.diagnostics().reason();
    let place = |id: &cedar_policy::PolicyId| {
        let id: &str = id.as_ref();
        id["policy".len()..].parse::<usize>().unwrap() + 1
    };
    let asks = { response.diagnostics().reason() }
        .any(|id| set.policy(id).unwrap().annotation("ask").is_some());
    let is_permitted = response.decision() == Decision::Allow;
    let reasons: Vec<usize> = reasons.map(place).collect();
    Said {
        is_forbidden: failed || !is_permitted && !reasons.is_empty(),
        is_permitted,
        asks,
        reasons,
        has_failed: failed,
    }
}

/// How many sets of policies, each with this many callers and calls.
const SETS: u32 = 200;
const CALLS: usize = 10;

/// `PROPTEST_CASES` asks for another number of sets.
pub(crate) fn sets() -> ProptestConfig {
    let asked = ProptestConfig::default();
    let cases = match std::env::var_os("PROPTEST_CASES") {
        Some(_) => asked.cases,
        None => SETS,
    };
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..asked
    }
}

/// Decisions are found by quicker ways than by asking Cedar itself about each call.
#[test]
fn decisions_are_those_of_cedar() {
    let looked_at = Cell::new((0, 0));
    let strategy = (
        policies(),
        prop::collection::vec((callers(), calls()), CALLS),
    );
    let run = TestRunner::new(sets()).run(&strategy, |(text, asked)| {
        let desk = Desk::new(&text);
        for (caller, call) in &asked {
            let (principal, args) = (caller.principal(), call.args.to_string());
            let verdict = desk.verdict(&principal, call.tool, &args);
            let said = directly(&text, caller, call);
            let (ours, theirs) = (verdict.outcome.as_str(), said.outcome());
            prop_assert_eq!(ours, theirs, "{}\n{:?}\n{:?}", &text, caller, call);
            prop_assert!(
                said.is_because_of(&verdict.policies),
                "{:?}\n{}\n{:?}\n{:?}",
                verdict,
                &text,
                caller,
                call
            );
            // Twice, since the second time something is remembered.
            prop_assert_eq!(desk.outcome(&principal, call.tool, &args), theirs);
            // What may be called is shown.
            let is_shown = desk.names(&principal).iter().any(|name| name == call.tool);
            prop_assert!(
                is_shown || theirs == "deny",
                "{}\n{:?}\n{:?}",
                &text,
                caller,
                call
            );
        }
        let (evaluated, asked) = looked_at.get();
        let more = desk.guard.policies().unwrap().looked_at();
        looked_at.set((evaluated + more.evaluated, asked + more.asked_cedar));
        Ok(())
    });
    if let Err(failed) = run {
        panic!("{failed}");
    }
    let (evaluated, asked) = looked_at.get();
    eprintln!("{evaluated} calls were evaluated, Cedar was asked about {asked}");
    assert!(evaluated > asked && asked > 0, "{evaluated} {asked}");
}

proptest! {
    #![proptest_config(sets())]

    /// One condition at a time, so that nothing else decides.
    #[test]
    fn each_condition_is_that_of_cedar(
        condition in prop_oneof![compared(), about_sets(), about_records()],
        kind in prop::sample::select(&["permit", "permit(principal, action, resource); forbid"][..]),
        caller in callers(),
        asked in prop::collection::vec(calls().prop_filter("refunds", |call| call.tool == "refund"), 8),
    ) {
        let text = format!("{kind} (principal, action, resource) when {{ {condition} }};");
        let desk = Desk::new(&text);
        for call in &asked {
            let ours = desk.outcome(&caller.principal(), call.tool, &call.args.to_string());
            let theirs = directly(&text, &caller, call).outcome();
            prop_assert_eq!(ours, theirs, "{}\n{:?}\n{:?}", &text, &caller, call);
        }
    }

    /// With a value that Cedar cannot hold, a call is denied, or it would be decided so whatever the value is.
    #[test]
    fn what_cedar_cannot_hold_opens_no_door(text in policies(), caller in callers(), call in calls()) {
        let mut call = call;
        if !call.tool.ends_with("refund") {
            call = RandomCall { tool: "refund", args: json!({"amount": 1, "order": "A1"}) };
        }
        let desk = Desk::new(&text);
        let with = |share: f64| {
            let mut call = call.clone();
            call.args["share"] = share.into();
            call
        };
        let odd = with(0.123_456_789).args.to_string();
        let ours = desk.outcome(&caller.principal(), call.tool, &odd);
        for share in [-1.0, 0.0, 0.25, 0.5, 0.75] {
            let theirs = directly(&text, &caller, &with(share)).outcome();
            prop_assert!(ours == "deny" || ours == theirs, "{ours} {theirs}\n{}\n{:?}\n{:?}", &text, &caller, &call);
        }
    }
}
