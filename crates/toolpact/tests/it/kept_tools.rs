//! What open sessions keep of tools that were replaced since.

use toolpact::core::contract::Contract;
use toolpact::{Definition, Registry};

use crate::support::{call, contract, returning};

/// A tool whose contract differs by its description, and its result as well.
fn version(n: u32) -> Definition {
    let json = contract("tool", r#""returns": "NumberValue""#).to_json();
    let json = json.replace("For a test.", &format!("Version {n}."));
    returning(Contract::from_json(json).unwrap(), &n.to_string())
}

#[tokio::test]
async fn what_open_sessions_keep_is_counted() {
    let registry = Registry::new();
    registry.add(version(0)).unwrap();
    let mut sessions = Vec::new();
    for n in 1..=1000 {
        sessions.push(registry.session().open().unwrap());
        registry.replace(version(n)).unwrap();
    }
    assert!(registry.wants_renewal());
    sessions.truncate(500);
    assert!(!registry.wants_renewal());
    // One who holds them goes on with new ones.
    let now = registry.session().open().unwrap();
    let renewed: Vec<_> = sessions.iter().map(|old| now.fork_after(old)).collect();
    drop(sessions);
    assert_eq!(registry.versions("tool").len(), 1);
    assert_eq!(renewed[0].call(call("tool")).await.text(), "1000");
}

/// The places of tools in the order of each session are memory, too.
#[test]
fn many_tools_of_which_one_changes_are_counted() {
    let registry = Registry::new();
    let many = (0..2000).map(|n| {
        returning(
            contract(&format!("other_{n}"), r#""returns": "NumberValue""#),
            "0",
        )
    });
    registry.add_all(many).unwrap();
    registry.add(version(0)).unwrap();
    let mut sessions = Vec::new();
    for n in 1..=200 {
        registry.replace(version(n)).unwrap();
        sessions.push(registry.session().qualified().open().unwrap());
    }
    assert!(registry.wants_renewal());
    sessions.truncate(50);
    assert!(!registry.wants_renewal());
}
