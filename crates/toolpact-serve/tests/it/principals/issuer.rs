//! An issuer of JWTs with a real key.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use rcgen::{KeyPair, PKCS_ED25519, SigningKey as _};
use serde_json::{Value as Json, json};

pub(super) struct Issuer(KeyPair);

impl Issuer {
    /// Its public key is in a file.
    pub(super) fn new(keys: &Path) -> Self {
        let key = KeyPair::generate_for(&PKCS_ED25519).unwrap();
        let x = encode(key.public_key_raw());
        let jwk = json!({"kty": "OKP", "crv": "Ed25519", "kid": "one", "x": x});
        std::fs::write(keys, json!({"keys": [jwk]}).to_string()).unwrap();
        Self(key)
    }

    pub(super) fn token(&self, name: &str, mut claims: Json) -> String {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        claims["sub"] = name.into();
        claims["iss"] = "https://login.example.com".into();
        claims["aud"] = "tools".into();
        claims["exp"] = (now.unwrap().as_secs() + 3600).into();
        let header = json!({"alg": "EdDSA", "kid": "one"});
        let part = |json: &Json| encode(json.to_string().as_bytes());
        let message = format!("{}.{}", part(&header), part(&claims));
        let signature = self.0.sign(message.as_bytes()).unwrap();
        format!("{message}.{}", encode(&signature))
    }
}

fn encode(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}
