//! Calls that are held until somebody with the right has decided.

mod clients;
mod deciding;
mod ways;

use std::sync::Arc;
use std::time::Duration;

use reqwest::{Method, RequestBuilder};
use serde_json::{Value as Json, json};
use tokio::task::JoinHandle;
use toolpact_identity::{NewToken, TokenFile};

use crate::support::{PATIENCE, Running, TOOLS};

/// Name, groups and tenant of those who have a token.
const PEOPLE: [(&str, &str, Option<&str>); 5] = [
    ("ada", "staff", None),
    ("bob", "leads", None),
    ("lea", "leads", None),
    ("ann", "staff", Some("acme")),
    ("lee", "leads", Some("acme")),
];

/// A server whose callers need an approval to call `echo`.
pub(super) struct House {
    pub(super) server: Running,
    secrets: Vec<(&'static str, String)>,
}

/// A config whose calls are held, with more said about that and about the rest.
pub(super) fn config(held: &str, more: &str) -> String {
    format!(
        "identity: {{ tokens: tokens.json, anonymous: true }}\naudit: {{ directory: audit }}\n{more}\n\
         policy:\n  files: [policies.cedar]\n  approval: {{ {held} }}\n  allow:\n    \
         - {{ tools: [echo], ask: May this be said? }}\n    - {{ tools: [sleepy] }}\n\
         sources:\n  - files: {{ paths: [tools.yaml] }}\n"
    )
}

pub(super) const HELD: &str = "held: { approvers: { groups: [leads] } }";

impl House {
    pub(super) async fn open() -> Arc<Self> {
        Self::of(&config(HELD, "")).await
    }

    pub(super) async fn of(config: &str) -> Arc<Self> {
        let folder = tempfile::tempdir().unwrap();
        let file = TokenFile::at(folder.path().join("tokens.json"));
        let secrets = PEOPLE.map(|(name, group, tenant)| {
            let new = NewToken {
                name: name.to_owned(),
                groups: vec![group.to_owned()],
                tenant: tenant.map(str::to_owned),
                ..NewToken::default()
            };
            (name, file.add(new).unwrap())
        });
        let tokens = std::fs::read_to_string(file.path()).unwrap();
        let files = [
            ("tools.yaml", TOOLS),
            ("policies.cedar", ""),
            ("tokens.json", &tokens),
        ];
        Arc::new(Self {
            server: Running::of(config, &files).await,
            secrets: secrets.into(),
        })
    }

    /// A request of one of the people, or of nobody.
    pub(super) fn request(&self, who: &str, method: Method, path: &str) -> RequestBuilder {
        let request = self.server.client.request(method, self.server.url(path));
        let request = request.timeout(PATIENCE);
        match self.secrets.iter().find(|(name, _)| *name == who) {
            Some((_, secret)) => request.bearer_auth(secret),
            None => request,
        }
    }

    pub(super) async fn send(&self, request: RequestBuilder) -> (u16, Json) {
        let response = request.send().await.unwrap();
        let status = response.status().as_u16();
        let text = response.text().await.unwrap();
        let json = serde_json::from_str(&text);
        (status, json.unwrap_or(Json::String(text)))
    }

    pub(super) async fn post(&self, who: &str, path: &str, body: &Json) -> (u16, Json) {
        let request = self.request(who, Method::POST, path);
        self.send(request.body(body.to_string())).await
    }

    /// Calls `echo` in the background.
    pub(super) fn echo(self: &Arc<Self>, who: &'static str, text: &str) -> JoinHandle<(u16, Json)> {
        let (house, call) = (
            Arc::clone(self),
            json!({"name": "echo", "args": {"text": text}, "id": "c1"}),
        );
        tokio::spawn(async move { house.post(who, "/v1/call", &call).await })
    }

    /// What somebody may decide about.
    pub(super) async fn list(&self, who: &str) -> Vec<Json> {
        let request = self.request(who, Method::GET, "/v1/approvals");
        let (status, reply) = self.send(request).await;
        assert_eq!(status, 200, "{reply}");
        reply["approvals"].as_array().unwrap().clone()
    }

    /// The same as soon as there are so many.
    pub(super) async fn listed(&self, who: &str, number: usize) -> Vec<Json> {
        let listing = async {
            loop {
                let list = self.list(who).await;
                if list.len() == number {
                    return list;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, listing).await.unwrap()
    }

    pub(super) async fn decide(&self, who: &str, held: &Json, decision: &Json) -> (u16, Json) {
        let id = held["id"].as_str().unwrap();
        self.post(who, &format!("/v1/approvals/{id}"), decision)
            .await
    }

    /// A counter of `/v1/metrics`.
    pub(super) async fn count(&self, outcome: &str) -> u64 {
        let (_, metrics) = self.server.get("/v1/metrics").await;
        let name = format!("toolpact_approvals_total{{outcome=\"{outcome}\"}} ");
        let line = metrics
            .as_str()
            .unwrap()
            .lines()
            .find_map(|line| line.strip_prefix(&name));
        line.unwrap().parse().unwrap()
    }

    /// The last line of the audit about `echo`.
    pub(super) fn audited(&self) -> Json {
        let files = std::fs::read_dir(self.server.file("audit")).unwrap();
        let texts = files.filter_map(|file| std::fs::read_to_string(file.unwrap().path()).ok());
        let texts: Vec<String> = texts.collect();
        let lines = texts.iter().flat_map(|text| text.lines());
        let lines = lines.filter_map(|line| serde_json::from_str::<Json>(line).ok());
        let mut lines: Vec<Json> = lines.filter(|line| line["tool"] == "echo").collect();
        lines.sort_by_key(|line| line["seq"].as_u64());
        lines.pop().unwrap()
    }
}
