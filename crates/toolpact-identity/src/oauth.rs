//! What OAuth clients are told: RFC 9728, and the challenges of RFC 6750.

use http::{HeaderValue, StatusCode};
use serde_json::{Value as Json, json};
use toolpact::Principal;
use toolpact_http::Refusal;

use crate::scopes::{NeededScopes, denied};
use crate::{IdentityConfig, OAuthConfig};

/// Where the metadata of a protected resource are.
pub const METADATA_PATH: &str = "/.well-known/oauth-protected-resource";

/// This server as OAuth clients see it: where they get tokens, and what for.
#[derive(Debug, Clone)]
pub struct ProtectedResource {
    metadata: String,
    document: Json,
    scopes: NeededScopes,
}

impl ProtectedResource {
    /// As a config has it; `None` if it has none.
    #[must_use]
    pub fn of(config: &IdentityConfig) -> Option<Self> {
        let oauth = config.oauth.as_ref()?;
        let scopes = NeededScopes::new(oauth.scopes.clone());
        let issuers = config.jwt.iter().map(|jwt| jwt.issuer.clone());
        let servers = match oauth.authorization_servers.is_empty() {
            true => issuers.collect(),
            false => oauth.authorization_servers.clone(),
        };
        let mut document = json!({
            "resource": oauth.resource,
            "authorization_servers": servers,
            "bearer_methods_supported": ["header"],
        });
        if !scopes.is_empty() {
            document["scopes_supported"] = json!(scopes.all());
        }
        Some(Self {
            metadata: metadata_url(oauth)?,
            document,
            scopes,
        })
    }

    /// The paths that clients look for it at: that of the server, of MCP, and of the resource.
    #[must_use]
    pub fn metadata_paths(&self) -> [String; 3] {
        let url = reqwest::Url::parse(&self.metadata);
        let own = url.map_or_else(|_| METADATA_PATH.to_owned(), |url| url.path().to_owned());
        [
            METADATA_PATH.to_owned(),
            format!("{METADATA_PATH}/mcp"),
            own,
        ]
    }

    /// The document at [`METADATA_PATH`].
    #[must_use]
    pub fn document(&self) -> &Json {
        &self.document
    }

    /// The scopes that tools need.
    #[must_use]
    pub fn scopes(&self) -> &NeededScopes {
        &self.scopes
    }

    /// Why a principal may not call a tool; `None` if its scopes allow it.
    #[must_use]
    pub fn refuse(&self, tool: &str, principal: &Principal) -> Option<Refusal> {
        if self.scopes.is_empty() || self.scopes.allow(tool, principal) {
            return None;
        }
        let needed = self.scopes.of(tool);
        let scope = format!("scope=\"{}\"", needed.join(" "));
        let challenge = self.challenge(Some("insufficient_scope"), Some(&scope));
        let refusal = Refusal::new(StatusCode::FORBIDDEN, denied(&needed));
        Some(refusal.challenging(challenge))
    }

    /// The header `WWW-Authenticate`.
    pub(crate) fn challenge(&self, error: Option<&str>, scope: Option<&str>) -> HeaderValue {
        let error = error.map(|error| format!("error=\"{error}\""));
        let metadata = format!("resource_metadata=\"{}\"", self.metadata);
        let parts = [error.as_deref(), scope, Some(&metadata)];
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        let challenge = HeaderValue::try_from(format!("Bearer {}", parts.join(", ")));
        challenge.unwrap_or_else(|_| HeaderValue::from_static("Bearer"))
    }
}

/// The well-known path stands between the host of a resource and its path.
fn metadata_url(oauth: &OAuthConfig) -> Option<String> {
    let url = reqwest::Url::parse(&oauth.resource).ok()?;
    let origin = url.origin().ascii_serialization();
    let path = url.path().trim_end_matches('/');
    Some(format!("{origin}{METADATA_PATH}{path}"))
}

#[cfg(test)]
mod tests {
    use super::{OAuthConfig, metadata_url};

    #[test]
    fn the_metadata_are_beside_the_resource() {
        for (resource, expected) in [
            (
                "https://a.example/mcp",
                "https://a.example/.well-known/oauth-protected-resource/mcp",
            ),
            (
                "https://a.example",
                "https://a.example/.well-known/oauth-protected-resource",
            ),
            (
                "https://a.example:8443/",
                "https://a.example:8443/.well-known/oauth-protected-resource",
            ),
            (
                "http://localhost:1/t/mcp/",
                "http://localhost:1/.well-known/oauth-protected-resource/t/mcp",
            ),
        ] {
            let oauth = OAuthConfig {
                resource: resource.to_owned(),
                authorization_servers: Vec::new(),
                scopes: std::collections::BTreeMap::new(),
            };
            assert_eq!(metadata_url(&oauth).as_deref(), Some(expected));
        }
    }
}
