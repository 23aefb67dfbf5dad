//! Toolsets are namespaces.

use toolpact::{Definition, Registry, testing};

use crate::support::{call, contract, returning};
use crate::world::Place as _;

fn tool(name: &str, result: &str) -> Definition {
    returning(
        contract(name, r#""returns": "StringValue""#),
        &format!("{result:?}"),
    )
}

/// Two toolsets and none, each with a tool `search`.
fn registry() -> Registry {
    let registry = Registry::new();
    registry.place(tool("search", "of all")).unwrap();
    for name in ["orders", "books"] {
        let toolset = registry.toolset(name).unwrap();
        toolset.place(tool("search", name)).unwrap();
        toolset.place(tool(&format!("list_{name}"), name)).unwrap();
    }
    registry
}

#[tokio::test]
async fn a_name_that_is_there_twice_is_qualified() {
    let session = registry().session().open().unwrap();
    let names: Vec<&str> = session.names().collect();
    let expected = [
        "search",
        "orders__search",
        "list_orders",
        "books__search",
        "list_books",
    ];
    assert_eq!(names, expected);
    for (name, text) in [
        ("search", "of all"),
        ("orders__search", "orders"),
        ("books__search", "books"),
    ] {
        let completed = session.call(call(name)).await;
        testing::assert_success(&completed);
        assert_eq!((completed.name(), completed.text().as_str()), (name, text));
        // The result answers to the name that was called.
        let adm = completed.to_adm().unwrap().to_json();
        assert!(adm.contains(&format!(r#""name":"{name}""#)), "{adm}");
    }
}

#[tokio::test]
async fn a_name_that_is_there_once_is_not() {
    let session = registry().session().toolsets(["books"]).open().unwrap();
    assert!(session.names().eq(["search", "list_books"]));
    assert_eq!(session.call(call("search")).await.text(), "books");
    let completed = session.call(call("books__search")).await;
    assert_eq!(completed.error().unwrap().code(), "NOT_FOUND_ENDPOINT");
}

#[test]
fn toolsets_do_not_get_into_each_others_way() {
    let registry = registry();
    let orders = registry.toolset("orders").unwrap();
    assert!(orders.get("list_orders").is_some());
    assert!(orders.get("list_books").is_none());
    orders.remove("search").unwrap();
    assert!(registry.get("search").is_some());
    assert!(registry.toolset("books").unwrap().get("search").is_some());
    let listed = registry.list();
    let listed = listed
        .iter()
        .map(|entry| (entry.toolset(), entry.contract().name().as_str()));
    let expected = [
        ("", "search"),
        ("orders", "list_orders"),
        ("books", "search"),
        ("books", "list_books"),
    ];
    assert!(listed.eq(expected));
}

#[test]
fn names_that_cannot_be_told_apart_are_an_error() {
    let registry = registry();
    registry
        .place(tool("orders__search", "in between"))
        .unwrap();
    let error = registry.session().open().unwrap_err();
    insta::assert_snapshot!(error, @"a tool of the toolset without a name and one of the toolset `orders` would both be called `orders__search` in this session; choose another name for one of them, or let the session see fewer toolsets");
    // Who sees only one of them has no trouble.
    let session = registry
        .session()
        .toolsets(["orders", "books"])
        .open()
        .unwrap();
    assert_eq!(session.names().count(), 4);
}

#[tokio::test]
async fn tools_that_cannot_be_told_apart_are_left_out_if_that_is_wanted() {
    let registry = registry();
    registry
        .place(tool("orders__search", "in between"))
        .unwrap();
    let long = "x".repeat(60);
    registry
        .toolset("books")
        .unwrap()
        .place(tool(&long, "x"))
        .unwrap();
    for builder in [
        registry.session(),
        registry.session().without(["list_books"]),
    ] {
        let session = builder.qualified().leave_out_clashes().open().unwrap();
        let left_out: Vec<String> = session.left_out().map(ToString::to_string).collect();
        assert_eq!(left_out.len(), 2, "{left_out:?}");
        assert!(left_out[0].contains("`orders__search`"), "{left_out:?}");
        assert!(left_out[1].contains(&long), "{left_out:?}");
        let completed = session.call(call("orders__search")).await;
        assert_eq!(completed.text(), "in between");
        assert_eq!(session.call(call("books__search")).await.text(), "books");
    }
    assert!(registry.session().qualified().open().is_err());
}

#[test]
fn a_qualified_name_that_is_too_long_is_an_error() {
    let registry = Registry::new();
    let long = "x".repeat(40);
    for toolset in [&*"a".repeat(30), "b"] {
        registry
            .toolset(toolset)
            .unwrap()
            .place(tool(&long, "x"))
            .unwrap();
    }
    let error = registry.session().open().unwrap_err();
    assert_eq!(error.tool(), Some(&*long));
    assert!(
        error.to_string().contains("is there more than once"),
        "{error}"
    );
    assert!(registry.session().toolsets(["b"]).open().is_ok());
}

#[test]
fn a_toolset_has_a_name_that_could_be_that_of_a_tool() {
    for name in ["", "two words", "1st", &"x".repeat(65)] {
        let error = Registry::new().toolset(name).unwrap_err();
        assert!(error.violations().is_some(), "{error}");
    }
}
