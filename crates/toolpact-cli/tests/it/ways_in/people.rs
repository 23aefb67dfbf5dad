//! Who calls: nobody, named tokens, and principals of an issuer with real keys.

use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use rcgen::{KeyPair, PKCS_ED25519, SigningKey as _};
use serde_json::{Value as Json, json};
use toolpact::Principal;
use toolpact_core::json::Value;
use toolpact_identity::{NewToken, TokenFile};

use crate::run::Folder;

pub(super) const ISSUER: &str = "https://login.example.com";
pub(super) const AUDIENCE: &str = "https://tools.example.com/mcp";

pub(super) struct Person {
    pub(super) label: &'static str,
    pub(super) token: Option<String>,
    /// As whom the server has to know them.
    pub(super) principal: Principal,
}

/// Everybody; the first is nobody.
pub(super) fn all(folder: &Folder) -> Vec<Person> {
    let tokens = TokenFile::at(folder.path("tokens.json"));
    let issuer = Issuer::new(folder);
    let nobody = Person {
        label: "nobody",
        token: None,
        principal: Principal::anonymous(),
    };
    vec![
        nobody,
        named(&tokens, "ada", &["support"], None),
        named(&tokens, "bob", &["support", "admins"], None),
        named(&tokens, "eve", &[], Some("acme")),
        named(&tokens, "zoe", &["strangers"], Some("other")),
        issuer.person(
            "mia of acme",
            &json!({"sub": "mia", "org": "acme", "groups": ["admins"]}),
        ),
        issuer.person(
            "mia of other",
            &json!({"sub": "mia", "org": "other", "level": 3}),
        ),
        // Whoever is called as somebody else is, by another issuer, is another.
        issuer.person("ada of the issuer", &json!({"sub": "ada", "level": "4"})),
    ]
}

fn named(
    tokens: &TokenFile,
    name: &'static str,
    groups: &[&'static str],
    tenant: Option<&'static str>,
) -> Person {
    let new = NewToken {
        name: name.to_owned(),
        groups: groups.iter().map(|&group| group.to_owned()).collect(),
        tenant: tenant.map(str::to_owned),
        ..NewToken::default()
    };
    let principal = Principal::new(name).groups(groups.iter().copied());
    Person {
        label: name,
        token: Some(tokens.add(new).unwrap()),
        principal: match tenant {
            Some(tenant) => principal.with_tenant(tenant),
            None => principal,
        },
    }
}

/// Signs tokens with a key that the server knows.
struct Issuer(KeyPair);

impl Issuer {
    fn new(folder: &Folder) -> Self {
        let key = KeyPair::generate_for(&PKCS_ED25519).unwrap();
        let x = encode(key.public_key_raw());
        let jwk = json!({"kty": "OKP", "crv": "Ed25519", "kid": "one", "x": x});
        let set = json!({"keys": [jwk]}).to_string();
        std::fs::write(folder.path("keys.json"), set).unwrap();
        Self(key)
    }

    fn person(&self, label: &'static str, claims: &Json) -> Person {
        let text = |key: &str| claims[key].as_str().map(str::to_owned);
        let groups = claims["groups"].as_array().into_iter().flatten();
        let groups = groups.filter_map(Json::as_str).map(str::to_owned);
        let principal = Principal::new(text("sub").unwrap())
            .issued_by(ISSUER)
            .groups(groups)
            .with_claims(Value::from_json(claims.to_string()).unwrap());
        Person {
            label,
            token: Some(self.token(claims)),
            principal: match text("org") {
                Some(tenant) => principal.with_tenant(tenant),
                None => principal,
            },
        }
    }

    fn token(&self, claims: &Json) -> String {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap()
            .as_secs();
        let mut claims = claims.clone();
        claims["iss"] = ISSUER.into();
        claims["aud"] = AUDIENCE.into();
        claims["exp"] = (now + 3600).into();
        let header = json!({"alg": "EdDSA", "kid": "one"}).to_string();
        let message = format!(
            "{}.{}",
            encode(header.as_bytes()),
            encode(claims.to_string().as_bytes())
        );
        let signature = self.0.sign(message.as_bytes()).unwrap();
        format!("{message}.{}", encode(&signature))
    }
}

fn encode(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}
