use std::path::Path;

use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::core::lock::Lock;
use toolpact::core::returns::ErrorKind;
use toolpact::{Call, Context, Definition, Registry, ToolError};

use super::{Place, Shelf};
use crate::config::{Config, Trust};
use crate::sources::{LockKeeper, write_lock};

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

/// What was agreed on: these tools of these sources.
fn keeper(folder: &Path, sources: &[(&str, &[Definition])]) -> LockKeeper {
    let mut lock = Lock::default();
    for (label, tools) in sources {
        let contracts = tools.iter().map(|tool| tool.contract().clone());
        lock.set_source(label, contracts);
    }
    let config = Config::default().with_lock_beside(folder);
    write_lock(config.lock.as_deref().unwrap(), &lock).unwrap();
    LockKeeper::reading(&config).unwrap()
}

async fn refusal(registry: &Registry, name: &str) -> Option<ErrorKind> {
    let session = registry.session().qualified().open().unwrap();
    let call = Call::new(name, Value::from_json("{}").unwrap());
    session
        .call(call)
        .await
        .error()
        .map(toolpact::ToolError::kind)
}

/// The order of the config gives nobody a name that was agreed on for another.
#[tokio::test]
async fn a_tool_that_nobody_agreed_on_takes_no_name_away() {
    let folder = tempfile::tempdir().unwrap();
    let agreed: (&str, &[Definition]) = ("shop", &[tool("order", "shop")]);
    let first: (&str, &[Definition]) = ("stranger", &[tool("other", "stranger")]);
    let (registry, keeper) = (Registry::new(), keeper(folder.path(), &[agreed, first]));
    let shelf = Shelf::new(registry.clone(), keeper, None);
    for id in ["stranger", "shop"] {
        shelf.add(place(id), None);
    }
    let strangers = vec![tool("other", "stranger"), tool("order", "stranger")];
    shelf.offer("stranger", strangers);
    shelf.offer("shop", vec![tool("order", "shop")]);
    assert_eq!(served(&registry), ["other stranger.", "order shop."]);
    assert_eq!(*shelf.verdict("stranger").quarantined, ["order".into()]);
    // The order of the config is another, and what holds is the same.
    shelf.arrange(["shop", "stranger"].map(place));
    assert_eq!(served(&registry).len(), 2);
    assert_eq!(*shelf.verdict("stranger").quarantined, ["order".into()]);
}

/// Who calls a tool that has changed does not mean one of the same name elsewhere.
#[tokio::test]
async fn the_name_of_a_tool_that_changed_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let both = [
        ("shop", &[tool("order", "shop")]),
        ("stranger", &[tool("order", "stranger")]),
    ];
    let both = both.each_ref().map(|(label, tools)| (*label, &tools[..]));
    let (registry, keeper) = (Registry::new(), keeper(folder.path(), &both));
    let shelf = Shelf::new(registry.clone(), keeper, None);
    for id in ["shop", "stranger"] {
        shelf.add(place(id), None);
    }
    shelf.offer("shop", vec![tool("order", "shop")]);
    shelf.offer("stranger", vec![tool("order", "stranger")]);
    assert_eq!(served(&registry), ["order shop."]);
    shelf.offer("shop", vec![tool("order", "shop that changed")]);
    assert!(served(&registry).is_empty());
    assert_eq!(
        refusal(&registry, "order").await,
        Some(ErrorKind::Quarantined)
    );
    shelf.offer("shop", vec![tool("order", "shop")]);
    assert_eq!(served(&registry), ["order shop."]);
    assert_ne!(
        refusal(&registry, "order").await,
        Some(ErrorKind::Quarantined)
    );
}

/// A source that is called otherwise now is another.
#[test]
fn a_source_is_held_to_what_it_is_called() {
    let folder = tempfile::tempdir().unwrap();
    let agreed: (&str, &[Definition]) = ("mcp", &[tool("order", "shop")]);
    let (registry, keeper) = (Registry::new(), keeper(folder.path(), &[agreed]));
    let shelf = Shelf::new(registry.clone(), keeper, None);
    shelf.add(place("mcp"), None);
    shelf.offer("mcp", vec![tool("order", "shop")]);
    assert_eq!(served(&registry).len(), 1);
    let second = Place {
        label: "mcp#2",
        ..place("mcp")
    };
    shelf.arrange([second]);
    assert!(served(&registry).is_empty());
    shelf.arrange([place("mcp")]);
    assert_eq!(served(&registry).len(), 1);
    shelf.arrange([Place {
        trust: Some(Trust::Any),
        ..second
    }]);
    assert_eq!(served(&registry).len(), 1);
}
