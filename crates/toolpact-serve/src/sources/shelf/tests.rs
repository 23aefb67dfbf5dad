use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::{Context, Definition, Registry, ToolError};

use super::{Place, Shelf};
use crate::sources::LockKeeper;

/// A tool that is told apart by its description.
fn tool(name: &str, of: &str) -> Definition {
    let contract = format!(
        r#"{{"name": "{name}", "description": "{of}.", "parameters": {{"type": "object", "properties": {{}}}}, "returns": "StringValue"}}"#
    );
    let contract = Contract::from_json(contract).unwrap();
    Definition::new(contract, async |args: Value, _: Context| {
        Ok::<_, ToolError>(args)
    })
}

/// Without a lock.
fn shelf_of(registry: &Registry) -> Shelf {
    Shelf::new(registry.clone(), LockKeeper::default(), None)
}

fn place(id: &str) -> Place<'_> {
    Place {
        id,
        label: id,
        trust: None,
    }
}

/// The names that calls can use, each with its source.
fn served(registry: &Registry) -> Vec<String> {
    let session = registry.session().qualified().open().unwrap();
    let tools = session.contracts();
    let tools = tools.map(|(name, contract)| format!("{name} {}", contract.description()));
    tools.collect()
}

#[test]
fn an_unnamed_source_waits_for_those_before_it() {
    let registry = Registry::new();
    let shelf = shelf_of(&registry);
    for (id, toolset) in [("shop", None), ("stranger", None), ("named", Some("named"))] {
        shelf.add(place(id), toolset);
    }
    shelf.offer(
        "stranger",
        vec![tool("order", "stranger"), tool("other", "stranger")],
    );
    shelf.offer("named", vec![tool("order", "named")]);
    // It says itself whose its tools are, and need not wait.
    assert_eq!(served(&registry), ["named__order named."]);
    assert_eq!(shelf.verdict("stranger").waiting.len(), 2);
    shelf.offer("shop", vec![tool("order", "shop")]);
    let expected = ["named__order named.", "order shop.", "other stranger."];
    assert_eq!(served(&registry), expected);
    assert_eq!(*shelf.verdict("stranger").taken, ["order".into()]);
    // What is served stays so while a source that is new starts.
    shelf.add(place("new"), None);
    shelf.arrange(["new", "shop", "stranger", "named"].map(place));
    shelf.offer(
        "stranger",
        vec![tool("other", "stranger again"), tool("more", "stranger")],
    );
    let expected = [
        "named__order named.",
        "order shop.",
        "other stranger again.",
    ];
    assert_eq!(served(&registry), expected);
    shelf.release("new");
    assert_eq!(served(&registry).len(), 4);
    shelf.remove("shop");
    let expected = [
        "named__order named.",
        "other stranger again.",
        "more stranger.",
    ];
    assert_eq!(served(&registry), expected);
}

#[test]
fn a_source_that_is_named_has_its_names_before_it_starts() {
    let registry = Registry::new();
    let shelf = shelf_of(&registry);
    shelf.add(place("stranger"), None);
    shelf.add(place("books"), Some("books"));
    shelf.offer(
        "stranger",
        vec![
            tool("books__search", "stranger"),
            tool("bookshop", "stranger"),
        ],
    );
    assert_eq!(served(&registry), ["bookshop stranger."]);
    shelf.release("books");
    assert_eq!(served(&registry).len(), 2);
    shelf.offer("books", vec![tool("search", "books")]);
    let mut now = served(&registry);
    now.sort();
    assert_eq!(now, ["books__search books.", "bookshop stranger."]);
    assert_eq!(*shelf.verdict("stranger").taken, ["books__search".into()]);
}

#[test]
fn tools_of_the_program_have_their_names() {
    let registry = Registry::new();
    registry
        .toolset("a")
        .unwrap()
        .add(tool("b__c", "program"))
        .unwrap();
    let shelf = shelf_of(&registry);
    shelf.add(place("source"), Some("a__b"));
    shelf.offer("source", vec![tool("c", "source"), tool("d", "source")]);
    assert_eq!(served(&registry), ["a__b__c program.", "a__b__d source."]);
    assert!(shelf.verdict("source").is_retried);
    registry.toolset("a").unwrap().remove("b__c").unwrap();
    shelf.retry();
    assert_eq!(served(&registry).len(), 2);
    assert!(!shelf.verdict("source").is_retried);
    // A tool that the program adds later has it, too.
    registry
        .toolset("a")
        .unwrap()
        .add(tool("b__d", "program"))
        .unwrap();
    shelf.retry();
    let mut now = served(&registry);
    now.sort();
    assert_eq!(now, ["a__b__c source.", "a__b__d program."]);
}

#[test]
fn what_is_the_same_is_not_registered_again() {
    let registry = Registry::new();
    let shelf = shelf_of(&registry);
    shelf.add(place("source"), None);
    let tools = vec![tool("a", "source"), tool("b", "source")];
    shelf.offer("source", tools.clone());
    let generation = *registry.changes().borrow();
    shelf.offer("source", tools.clone());
    assert_eq!(*registry.changes().borrow(), generation);
    let before = registry.get("a").unwrap();
    shelf.offer("source", vec![tools[0].clone(), tool("b", "source again")]);
    assert!(std::sync::Arc::ptr_eq(&before, &registry.get("a").unwrap()));
    assert_eq!(*registry.changes().borrow(), generation + 1);
}
