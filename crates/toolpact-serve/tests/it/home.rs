//! The page at `/`, as a person and as a program sees it.

use crate::support::Running;

async fn get(server: &Running, path: &str, accept: &str) -> reqwest::Response {
    let request = server.client.get(server.url(path));
    request.header("accept", accept).send().await.unwrap()
}

#[tokio::test]
async fn the_page_says_what_is_served() {
    let server = Running::with("").await;
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    let response = get(&server, "/", browser).await;
    assert_eq!(response.status(), 200);
    assert_eq!(
        response.headers()["content-type"],
        "text/html; charset=utf-8"
    );
    let policy = response.headers()["content-security-policy"]
        .to_str()
        .unwrap();
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    let page = response.text().await.unwrap();
    for expected in [
        "3 tools",
        env!("CARGO_PKG_VERSION"),
        "href=\"/v1/openapi.json\"",
        "href=\"/v1/health\"",
        "href=\"/v1/metrics\"",
        "href=\"/v1/contracts\"",
        "href=\"/v1/docs#echo\"",
        "<small>Says what it was told.</small>",
        "--ground",
        &format!("http://{}/mcp", server.address),
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    let links = page.split("href=\"").skip(1);
    for link in links.map(|link| link.split_once('"').unwrap().0) {
        let path = link.split_once('#').map_or(link, |(path, _)| path);
        assert_eq!(get(&server, path, "*/*").await.status(), 200, "{link}");
    }
}

#[tokio::test]
async fn programs_get_json() {
    let server = Running::with("").await;
    let response = get(&server, "/", "application/json").await;
    assert_eq!(response.headers()["content-type"], "application/json");
    let json: serde_json::Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
    assert_eq!((&json["tools"], &json["mcp"]), (&3.into(), &"/mcp".into()));
    assert_eq!(json["links"]["openapi"], "/v1/openapi.json");
}

#[tokio::test]
async fn the_page_is_guarded_and_escaped() {
    let server =
        Running::with("auth_token: { literal: s3cret }\nallowed_hosts: [example.com]").await;
    assert_eq!(get(&server, "/", "*/*").await.status(), 401);
    assert_eq!(get(&server, "/v1/docs", "*/*").await.status(), 401);
    let request = server.client.get(server.url("/")).bearer_auth("s3cret");
    let page = request
        .header("host", "example.com:80")
        .send()
        .await
        .unwrap();
    let page = page.text().await.unwrap();
    assert!(page.contains("http://example.com:80/mcp"), "{page}");
    assert!(
        page.contains("&quot;Authorization&quot;: &quot;Bearer …&quot;"),
        "{page}"
    );
    assert!(!page.contains("s3cret"));
    let request = server.client.get(server.url("/")).bearer_auth("s3cret");
    let foreign = request
        .header("origin", "https://evil.example")
        .send()
        .await
        .unwrap();
    assert_eq!(foreign.status(), 403);
}
