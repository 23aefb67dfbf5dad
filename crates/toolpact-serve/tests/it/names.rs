//! Which source has a name, where two want it.

use serde_json::{Value as Json, json};

use crate::support::{PATIENCE, Running};

/// A file with tools that say who they are.
fn tools(who: &str, names: &[&str]) -> String {
    let tool = |name: &&str| {
        format!(
            "  - name: {name}\n    description: Says who it is.\n    \
             parameters: {{ type: object, properties: {{}} }}\n    \
             returns: StringValue\n    run: {{ command: [echo, '\"{who}\"'] }}\n"
        )
    };
    let tools: String = names.iter().map(tool).collect();
    format!("toolpact: 1\ntools:\n{tools}")
}

async fn who(server: &Running, name: &str) -> Json {
    server.call(name, json!({})).await.1
}

/// The names that an MCP client sees.
async fn listed(server: &Running) -> Vec<String> {
    let upstream = toolpact_upstream::Upstream::http(server.url("/mcp"));
    let tools = upstream.connect().await.unwrap().definitions();
    let names = tools.iter().map(|tool| tool.contract().name().to_string());
    names.collect()
}

/// Whatever the order: the one who named a source meant the source by that name.
#[tokio::test]
async fn a_name_that_clashes_takes_one_tool_away() {
    let stranger = tools("stranger", &["books__search", "other"]);
    let (books, shop) = (
        tools("books", &["search"]),
        tools("shop", &["create_order"]),
    );
    let config = "sources:\n  - files: { paths: [stranger.yaml] }\n  \
                  - files: { name: books, paths: [books.yaml] }\n  \
                  - files: { name: shop, paths: [shop.yaml] }\n";
    let files: [(&str, &str); 3] = [
        ("stranger.yaml", &stranger),
        ("books.yaml", &books),
        ("shop.yaml", &shop),
    ];
    let server = Running::of(config, &files).await;
    assert_eq!(who(&server, "books__search").await, "books");
    assert_eq!(who(&server, "other").await, "stranger");
    assert_eq!(who(&server, "shop__create_order").await, "shop");
    let mut names = listed(&server).await;
    names.sort();
    assert_eq!(names, ["books__search", "other", "shop__create_order"]);

    let (_, health) = server.get("/v1/health").await;
    assert_eq!(health["status"], "degraded", "{health}");
    assert_eq!(health["tools"], 3, "{health}");
    let stranger = &health["sources"][0];
    assert_eq!(
        (&stranger["tools"], &stranger["left_out"]),
        (&json!(1), &json!(1))
    );
    let reason = json!([{"reason": "name_taken", "tools": 1, "names": ["books__search"]}]);
    assert_eq!(stranger["reasons"], reason, "{health}");
    let (_, page) = server.get("/").await;
    let said = "1 tool left out, since others have their names (books__search)";
    assert!(page.as_str().unwrap().contains(said), "{page}");

    // Later changes are served as ever.
    std::fs::write(server.file("shop.yaml"), tools("shop", &["count_orders"])).unwrap();
    let changed = async {
        while who(&server, "shop__count_orders").await != "shop" {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, changed).await.unwrap();
    // And the name is for the other one if the first is gone.
    std::fs::write(server.file("books.yaml"), tools("books", &["find"])).unwrap();
    let freed = async {
        while who(&server, "books__search").await != "stranger" {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, freed).await.unwrap();
    assert_eq!(server.get("/v1/health").await.1["status"], "ok");
}

/// The first is slow to start, which must not matter.
#[tokio::test(flavor = "multi_thread")]
async fn the_order_of_the_config_decides_who_has_a_name() {
    let shop = crate::long_lists::Listing::new(&["create_order"]).await;
    shop.delay(std::time::Duration::from_millis(1500));
    let stranger = tools("stranger", &["create_order", "other"]);
    let config = format!(
        "sources:\n  - mcp: {{ url: '{}' }}\n  - files: {{ paths: [stranger.yaml] }}\n",
        shop.url()
    );
    let server = Running::of(&config, &[("stranger.yaml", &stranger)]).await;
    let (status, said) = server.call("create_order", json!({})).await;
    assert_eq!((status, &said["who"]), (200, &json!("listing")), "{said}");
    assert_eq!(who(&server, "other").await, "stranger");
    let (_, health) = server.get("/v1/health").await;
    assert_eq!(health["status"], "degraded", "{health}");
    assert_eq!(health["sources"][0]["tools"], 1, "{health}");
    assert_eq!(health["sources"][1]["tools"], 1, "{health}");
}

/// While a source fails, those after it are served; when it is there, it has its names.
#[tokio::test]
async fn a_source_that_comes_late_takes_its_names_over() {
    let stranger = tools("stranger", &["create_order", "other"]);
    let config =
        "sources:\n  - files: { paths: [shop.yaml] }\n  - files: { paths: [stranger.yaml] }\n";
    let server = Running::of(config, &[("stranger.yaml", &stranger)]).await;
    assert_eq!(who(&server, "create_order").await, "stranger");
    let (_, opened) = server.post("/v1/sessions", &json!({})).await;
    std::fs::write(server.file("shop.yaml"), tools("shop", &["create_order"])).unwrap();
    let taken = async {
        while who(&server, "create_order").await != "shop" {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, taken).await.unwrap();
    assert_eq!(who(&server, "other").await, "stranger");
    // Who saw the tool of the stranger cannot call it any more, nor another instead of it.
    let call = json!({"name": "create_order", "args": {}, "session": opened["session"]});
    let (status, error) = server.post("/v1/call", &call).await;
    assert_eq!(status, 404, "{error}");
}
