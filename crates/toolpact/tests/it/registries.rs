//! What is registered, replaced and removed, and what open sessions see of it.

use toolpact::core::contract::Contract;
use toolpact::{Definition, Registry, registry::ToolVersion, testing};

use crate::support::{call, contract, returning};
use crate::world::placed;

/// A tool whose contract differs by its description, and its result as well.
fn version(n: u32) -> Definition {
    let json = contract("tool", r#""returns": "NumberValue""#).to_json();
    let json = json.replace("For a test.", &format!("ToolVersion {n}."));
    placed(returning(
        Contract::from_json(json).unwrap(),
        &n.to_string(),
    ))
}

fn other(name: &str) -> Definition {
    placed(returning(
        contract(name, r#""returns": "NumberValue""#),
        "0",
    ))
}

fn digests(versions: &[ToolVersion]) -> Vec<(&str, bool)> {
    versions.iter().map(|v| (&*v.digest, v.current)).collect()
}

#[test]
fn a_name_can_be_taken_once() {
    let registry = Registry::new();
    registry.add(version(1)).unwrap();
    let error = registry.add(version(2)).unwrap_err();
    assert_eq!(error.tool(), Some("tool"));
    insta::assert_snapshot!(error, @"there is a tool `tool` in the toolset without a name already; replace it, or choose another name or toolset");
    assert_eq!(
        registry.get("tool").unwrap().contract().description(),
        "ToolVersion 1."
    );
}

#[test]
fn all_are_added_or_none() {
    let registry = Registry::new();
    registry.add(other("a")).unwrap();
    let error = registry
        .add_all([other("b"), other("a"), other("c")])
        .unwrap_err();
    assert_eq!(error.tool(), Some("a"));
    let error = registry.add_all([other("b"), other("b")]).unwrap_err();
    assert_eq!(error.tool(), Some("b"));
    assert_eq!(registry.list().len(), 1);
    registry.add_all([other("b"), other("c")]).unwrap();
    assert_eq!(registry.list().len(), 3);
}

#[test]
fn what_is_not_there_cannot_be_replaced_or_removed() {
    let registry = Registry::new();
    let error = registry.replace(version(1)).unwrap_err();
    insta::assert_snapshot!(error, @"there is no tool `tool` in the toolset without a name");
    assert!(registry.remove("tool").is_err());
    let error = registry
        .toolset("orders")
        .unwrap()
        .remove("tool")
        .unwrap_err();
    insta::assert_snapshot!(error, @"there is no tool `tool` in the toolset `orders`");
}

#[tokio::test]
async fn open_sessions_go_on_with_what_they_saw() {
    let registry = Registry::new();
    registry.add(version(1)).unwrap();
    let first = registry.session().open().unwrap();
    registry.replace(version(2)).unwrap();
    let second = registry.session().open().unwrap();
    registry.replace(version(3)).unwrap();
    let third = registry.session().open().unwrap();
    for (n, session) in [&first, &second, &third].into_iter().enumerate() {
        let n = n + 1;
        assert_eq!(session.call(call("tool")).await.text(), n.to_string());
        let description = session
            .contracts()
            .next()
            .unwrap()
            .1
            .description()
            .to_owned();
        assert_eq!(description, format!("ToolVersion {n}."));
    }

    let known = [3, 2, 1].map(|n| version(n).contract().digest().to_string());
    let [new, middle, old] = [&*known[0], &*known[1], &*known[2]];
    let versions = registry.versions("tool");
    assert_eq!(
        digests(&versions),
        [(new, true), (middle, false), (old, false)]
    );
    assert_eq!(registry.get("tool").unwrap().digest(), new);
    // A version lives as long as a session knows it.
    drop(second);
    assert_eq!(
        digests(&registry.versions("tool")),
        [(new, true), (old, false)]
    );
    drop(first);
    assert_eq!(digests(&registry.versions("tool")), [(new, true)]);
    assert!(registry.versions("other").is_empty());
}

#[tokio::test]
async fn a_removed_tool_is_gone_for_everybody() {
    let registry = Registry::new();
    registry.add_all([version(1), other("tool2")]).unwrap();
    let old = registry.session().open().unwrap();
    registry.replace(version(2)).unwrap();
    let new = registry.session().open().unwrap();
    registry.remove("tool").unwrap();
    assert!(registry.get("tool").is_none() && registry.versions("tool").is_empty());
    for session in [&old, &new] {
        let completed = session.call(call("tool")).await;
        let error = completed.error().unwrap();
        assert_eq!(error.code(), "NOT_FOUND_ENDPOINT");
        let said = "There is no tool `tool`. Did you mean `tool2`? There are: `tool2`.";
        assert_eq!(error.message(), said);
        assert!(session.names().eq(["tool2"]));
        assert_eq!(session.contracts().count(), 1);
        testing::assert_success(&session.call(call("tool2")).await);
    }
    // Under the same name there can be another one, for those who come later.
    registry.add(version(3)).unwrap();
    assert!(!old.call(call("tool")).await.is_success());
    let newest = registry.session().open().unwrap();
    assert_eq!(newest.call(call("tool")).await.text(), "3");
}

#[tokio::test]
async fn clones_are_the_same_registry() {
    let registry = Registry::new();
    registry.clone().add(version(1)).unwrap();
    let session = registry.session().open().unwrap();
    drop(registry);
    testing::assert_success(&session.call(call("tool")).await);
}

#[test]
fn many_tools_change_at_once() {
    let registry = Registry::new();
    let tools: Vec<Definition> = ["a", "b", "c", "d"].map(other).into();
    registry.update(tools.clone(), []);
    assert_eq!(*registry.changes().borrow(), 1);
    let names = |registry: &Registry| {
        let tools = registry.list();
        let names = tools.iter().map(|tool| tool.contract().name().to_string());
        names.collect::<String>()
    };
    assert_eq!(names(&registry), "abcd");
    let before = registry.list();
    let session = registry.session().qualified().open().unwrap();
    // What is there already stays the very same, and alone is no change.
    registry.update(tools.clone(), []);
    assert_eq!(*registry.changes().borrow(), 1);
    registry.update(
        [tools[0].clone(), other("b"), other("e")],
        ["c", "d", "no such tool"],
    );
    assert_eq!(*registry.changes().borrow(), 2);
    assert_eq!(names(&registry), "abe");
    let is_same = |name: &str| {
        let now = registry.get(name).unwrap();
        before.iter().any(|old| std::sync::Arc::ptr_eq(old, &now))
    };
    assert!(is_same("a") && !is_same("b"));
    // Of those that were replaced, open sessions keep the old one; those that were removed are gone.
    assert!(session.names().eq(["a", "b"]));
    assert_eq!(registry.session().qualified().open().unwrap().len(), 3);
    // One that is removed and added is another tool, which the session has not seen.
    registry.update([other("a")], ["a"]);
    assert!(session.names().eq(["b"]));
}
