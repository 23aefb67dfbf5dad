//! The config of identity.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::core::Pointer;

/// Who may call, and how that is found out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct IdentityConfig {
    /// Whether requests without credentials are answered, for the anonymous principal. Without this, they are if
    /// nothing else is said about who may call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anonymous: Option<bool>,
    /// Whether they are also answered if they can come from other machines. This needs `anonymous: true`, too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub open_to_network: bool,
    /// The file with named tokens, which `toolpact token` writes. Relative paths begin at the config.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<PathBuf>,
    /// The issuers whose JWTs are taken.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub jwt: Vec<JwtConfig>,
    /// What OAuth clients are told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oauth: Option<OAuthConfig>,
}

/// An issuer whose JWTs are taken.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JwtConfig {
    /// The claim `iss`, exactly.
    #[schemars(length(min = 1))]
    pub issuer: String,
    /// What the claim `aud` has to name, one of these at least. Without this, it is `resource` of `oauth`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub audience: Vec<String>,
    /// How tokens may be signed.
    #[serde(default = "rs256")]
    #[schemars(length(min = 1))]
    pub algorithms: Vec<Algorithm>,
    /// The keys that they are signed with.
    pub jwks: Jwks,
    /// By how many seconds the clock of the issuer may be wrong.
    #[serde(default = "leeway")]
    #[schemars(range(max = 300))]
    pub leeway_s: u64,
    /// After how many seconds the keys of an address are fetched again. A key that is not known is looked for at
    /// once.
    #[serde(default = "refresh")]
    #[schemars(range(min = 10))]
    pub refresh_s: u64,
    /// Which claims say what.
    #[serde(default)]
    pub claims: ClaimNames,
}

/// How a token may be signed. None of them has a key that could also sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[expect(missing_docs, reason = "these are the names of RFC 7518 and RFC 8037")]
#[expect(clippy::exhaustive_enums, reason = "the config has no others")]
pub enum Algorithm {
    RS256,
    RS384,
    RS512,
    PS256,
    PS384,
    PS512,
    ES256,
    ES384,
    #[serde(rename = "EdDSA")]
    EdDSA,
}

/// Where keys are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "the config has no others")]
pub enum Jwks {
    /// In a file, which is read again when it changes. Relative paths begin at the config.
    File(PathBuf),
    /// At an address.
    Url(String),
}

/// Which claims say what: the name of a claim, or a JSON Pointer such as `/realm_access/roles`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ClaimNames {
    /// The name of the principal, a text.
    pub name: String,
    /// Its groups, texts.
    pub groups: String,
    /// Its tenant, a text. Without this, there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
}

/// What OAuth clients are told: this server is a protected resource.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OAuthConfig {
    /// The address of this server as its clients know it, such as `https://tools.example.com/mcp`. Tokens have to
    /// be made for it.
    pub resource: String,
    /// Where clients get tokens. Without this, these are the issuers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authorization_servers: Vec<String>,
    /// Which scopes a token has to have for a tool, by its name, in which `*` stands for anything.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub scopes: BTreeMap<String, Vec<String>>,
}

impl Default for ClaimNames {
    fn default() -> Self {
        Self {
            name: "sub".to_owned(),
            groups: "groups".to_owned(),
            tenant: None,
        }
    }
}

fn rs256() -> Vec<Algorithm> {
    vec![Algorithm::RS256]
}

fn leeway() -> u64 {
    30
}

fn refresh() -> u64 {
    300
}

type Findings = Vec<(Pointer, String)>;

impl IdentityConfig {
    /// With paths that begin at a folder.
    pub fn base_on(&mut self, folder: &Path) {
        if let Some(tokens) = &mut self.tokens {
            *tokens = folder.join(&*tokens);
        }
        for jwt in &mut self.jwt {
            if let Jwks::File(path) = &mut jwt.jwks {
                *path = folder.join(&*path);
            }
        }
    }

    /// Whether there is a way to show who one is, besides one token for all and certificates.
    #[must_use]
    pub fn has_credentials(&self) -> bool {
        self.tokens.is_some() || !self.jwt.is_empty()
    }

    /// What is wrong beyond its shape, by the places below this one.
    #[must_use]
    pub fn findings(&self, at: &Pointer) -> Findings {
        let mut found = Vec::new();
        let mut issuers = BTreeSet::new();
        for (place, jwt) in self.jwt.iter().enumerate() {
            let at = at.key("jwt").index(place);
            if !issuers.insert(&jwt.issuer) {
                let message = format!("expected an issuer once, found `{}` again", jwt.issuer);
                found.push((at.key("issuer"), message));
            }
            self.of_jwt(jwt, &at, &mut found);
        }
        if let Some(oauth) = &self.oauth {
            self.of_oauth(oauth, &at.key("oauth"), &mut found);
        }
        if self.open_to_network && self.anonymous != Some(true) {
            let message = "expected `anonymous: true` beside it: who may call from everywhere without \
                           credentials is said twice";
            found.push((at.key("open_to_network"), message.to_owned()));
        }
        found
    }

    fn of_jwt(&self, jwt: &JwtConfig, at: &Pointer, found: &mut Findings) {
        if jwt.audience.is_empty() && self.oauth.is_none() {
            let message = "expected `audience`: what tokens have to be made for, such as the address of this \
                           server";
            found.push((at.clone(), message.to_owned()));
        }
        if jwt.audience.iter().any(String::is_empty) {
            let message = "expected texts that are not empty";
            found.push((at.key("audience"), message.to_owned()));
        }
        if let Jwks::Url(url) = &jwt.jwks
            && !is_safe(url)
        {
            let message = format!(
                "expected an address that begins with `https://`, or one of this machine, found `{url}`: whoever \
                 can change the keys can be anybody"
            );
            found.push((at.key("jwks").key("url"), message));
        }
    }

    fn of_oauth(&self, oauth: &OAuthConfig, at: &Pointer, found: &mut Findings) {
        let wrong = |url: &str| {
            format!("expected an address such as `https://tools.example.com`, found `{url}`")
        };
        if !is_safe(&oauth.resource) {
            found.push((at.key("resource"), wrong(&oauth.resource)));
        }
        for (place, server) in oauth.authorization_servers.iter().enumerate() {
            if !is_safe(server) {
                let at = at.key("authorization_servers").index(place);
                found.push((at, wrong(server)));
            }
        }
        if self.jwt.is_empty() {
            let message = "expected `jwt` beside it: whose tokens are taken";
            found.push((at.clone(), message.to_owned()));
        }
        for (tool, scopes) in &oauth.scopes {
            if scopes.is_empty() || !scopes.iter().all(|scope| is_scope(scope)) {
                let message = "expected scopes without spaces, quotes and backslashes";
                found.push((at.key("scopes").key(tool), message.to_owned()));
            }
        }
    }
}

/// Whether nobody on the way can change what an address answers.
fn is_safe(url: &str) -> bool {
    let Ok(url) = reqwest::Url::parse(url) else {
        return false;
    };
    let host = url.host_str().unwrap_or_default();
    let is_local = matches!(host, "localhost" | "127.0.0.1" | "[::1]");
    let has_nothing_odd =
        url.fragment().is_none() && url.username().is_empty() && url.password().is_none();
    has_nothing_odd && (url.scheme() == "https" || url.scheme() == "http" && is_local)
}

/// As RFC 6749 has it.
fn is_scope(scope: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_graphic() && c != '"' && c != '\\';
    !scope.is_empty() && scope.chars().all(is_allowed)
}
