//! What is remembered of callers does not grow with how many there are.

use toolpact::Principal;
use toolpact::core::json::Value;
use toolpact_policy::CallFacts;

use crate::support::{Desk, tools};

/// Some decisions are the same for all calls, others depend on the call.
const POLICIES: &str = r#"
permit(principal, action in Action::"effects:read_only", resource);
permit(principal in Group::"support", action, resource)
when { context.input has amount && context.input.amount <= 100 };
forbid(principal, action == Action::"delete_ticket", resource) when { principal.name like "odd*" };
"#;

/// A caller of whom much is known.
fn caller(number: usize) -> Principal {
    let claims = format!(r#"{{"more": "{number}{}"}}"#, "x".repeat(4000));
    let name = match number % 2 {
        0 => format!("even{number}"),
        _ => format!("odd{number}"),
    };
    let caller = Principal::new(name).groups(["support", "staff"]);
    caller.with_claims(Value::from_json(claims).unwrap())
}

/// The memory of this process, in bytes.
#[cfg(target_os = "linux")]
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().nth(1));
    kib.and_then(|kib| kib.parse::<usize>().ok()).unwrap() << 10
}

/// So many, and so much known about each, that all that could be remembered would take 400 MB.
#[cfg(target_os = "linux")]
#[test]
fn thousands_of_callers_take_no_more_than_some() {
    const CALLERS: usize = 2000;
    let desk = Desk::new(POLICIES);
    for toolset in ["a", "b", "c", "d", "e", "f"] {
        let toolset = desk.registry.toolset(toolset).unwrap();
        toolset.add_all(tools()).unwrap();
    }
    let policies = desk.guard.policies().unwrap();
    let tools = desk.registry.list();
    let args = r#"{"amount": 7, "order": "A", "text": "x", "number": 1}"#;
    let args = Value::from_json(args).unwrap();
    let (before, mut most) = (resident(), 0);
    for number in 0..CALLERS {
        let principal = caller(number);
        for tool in &tools {
            let facts = CallFacts {
                principal: &principal,
                args: &args,
                session: 1,
                client: None,
            };
            let outcome = policies.decide(tool, facts).outcome.as_str();
            let name = tool.contract().name().as_str();
            let expected = match name {
                "delete_ticket" => "deny",
                _ => "allow",
            };
            assert_eq!(outcome, expected, "{principal:?} {name}");
        }
        most = most.max(resident().saturating_sub(before));
    }
    let (tools, most) = (tools.len(), most >> 20);
    eprintln!("{CALLERS} callers of {tools} tools: {most} MiB at most");
    assert!(most < 100, "{most} MiB");
}

/// Those who see the same tools share what they see, however many they are.
#[test]
fn sessions_of_thousands_share_what_they_see() {
    let desk = Desk::new(POLICIES);
    let base = desk.registry.session().qualified().open().unwrap();
    let sessions: Vec<_> = (0..3000)
        .map(|number| base.fork_for(caller(number)))
        .collect();
    let [even, odd] = [&sessions[0], &sessions[1]];
    assert!(!even.sees_same(odd));
    assert_eq!((even.len(), odd.len()), (6, 5));
    for (number, session) in sessions.iter().enumerate() {
        let other = if number % 2 == 0 { even } else { odd };
        assert!(session.sees_same(other), "{number}");
    }
}
