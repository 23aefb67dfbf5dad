//! An issuer with real keys, and a server that trusts it.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use http::Request;
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _, RSA_PKCS1_SHA256,
    RSA_PKCS1_SHA512, RSA_PSS_SHA256, RsaKeyPair,
};
use ring::{hmac, rsa};
use serde_json::{Value as Json, json};
use toolpact::Principal;
use toolpact_http::{Authentication, Authenticator as _, Credentials, Refusal};
use toolpact_identity::{Identity, IdentityConfig};

pub(crate) const ISSUER: &str = "https://login.example.com";
pub(crate) const AUDIENCE: &str = "https://tools.example.com/mcp";

/// A key that signs. Those of RSA are for these tests only.
pub(crate) enum Signer {
    Rsa(RsaKeyPair, &'static dyn ring::signature::RsaEncoding),
    Curve(EcdsaKeyPair),
    Edwards(Ed25519KeyPair),
    Shared(Vec<u8>),
    /// Signs nothing.
    Nobody,
}

pub(crate) fn rsa_of_issuer() -> RsaKeyPair {
    RsaKeyPair::from_pkcs8(include_bytes!("../keys/issuer.pk8")).unwrap()
}

pub(crate) fn rsa_of_stranger() -> RsaKeyPair {
    RsaKeyPair::from_pkcs8(include_bytes!("../keys/stranger.pk8")).unwrap()
}

impl Signer {
    pub(crate) fn issuer() -> Self {
        Self::Rsa(rsa_of_issuer(), &RSA_PKCS1_SHA256)
    }

    pub(crate) fn issuer_by(how: &'static dyn ring::signature::RsaEncoding) -> Self {
        Self::Rsa(rsa_of_issuer(), how)
    }

    pub(crate) fn rs512() -> Self {
        Self::issuer_by(&RSA_PKCS1_SHA512)
    }

    pub(crate) fn ps256() -> Self {
        Self::issuer_by(&RSA_PSS_SHA256)
    }

    pub(crate) fn stranger() -> Self {
        Self::Rsa(rsa_of_stranger(), &RSA_PKCS1_SHA256)
    }

    pub(crate) fn curve() -> Self {
        let (random, how) = (SystemRandom::new(), &ECDSA_P256_SHA256_FIXED_SIGNING);
        let key = EcdsaKeyPair::generate_pkcs8(how, &random).unwrap();
        Self::Curve(EcdsaKeyPair::from_pkcs8(how, key.as_ref(), &random).unwrap())
    }

    pub(crate) fn edwards() -> Self {
        let key = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        Self::Edwards(Ed25519KeyPair::from_pkcs8(key.as_ref()).unwrap())
    }

    fn sign(&self, message: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        match self {
            Self::Rsa(key, how) => {
                let mut signature = vec![0; key.public().modulus_len()];
                key.sign(*how, &random, message, &mut signature).unwrap();
                signature
            }
            Self::Curve(key) => key.sign(&random, message).unwrap().as_ref().to_vec(),
            Self::Edwards(key) => key.sign(message).as_ref().to_vec(),
            Self::Shared(secret) => {
                let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
                hmac::sign(&key, message).as_ref().to_vec()
            }
            Self::Nobody => Vec::new(),
        }
    }

    /// Its public key, as a JWK of this name.
    pub(crate) fn jwk(&self, name: &str) -> Json {
        match self {
            Self::Rsa(key, _) => {
                let public = rsa::PublicKeyComponents::<Vec<u8>>::from(key.public());
                json!({"kty": "RSA", "kid": name, "use": "sig", "n": encode(&public.n), "e": encode(&public.e)})
            }
            Self::Curve(key) => {
                let (x, y) = key.public_key().as_ref()[1..].split_at(32);
                json!({"kty": "EC", "kid": name, "crv": "P-256", "x": encode(x), "y": encode(y)})
            }
            Self::Edwards(key) => {
                let x = encode(key.public_key().as_ref());
                json!({"kty": "OKP", "kid": name, "crv": "Ed25519", "x": x})
            }
            Self::Shared(secret) => json!({"kty": "oct", "kid": name, "k": encode(secret)}),
            Self::Nobody => json!({"kty": "none", "kid": name}),
        }
    }
}

pub(crate) fn encode(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

/// A token of these texts.
pub(crate) fn token_of(header: &str, claims: &str, signer: &Signer) -> String {
    let message = format!(
        "{}.{}",
        encode(header.as_bytes()),
        encode(claims.as_bytes())
    );
    let signature = encode(&signer.sign(message.as_bytes()));
    format!("{message}.{signature}")
}

pub(crate) fn token(header: &Json, claims: &Json, signer: &Signer) -> String {
    token_of(&header.to_string(), &claims.to_string(), signer)
}

pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap().as_secs()
}

pub(crate) fn header() -> Json {
    json!({"alg": "RS256", "typ": "at+jwt", "kid": "one"})
}

/// What a good token says.
pub(crate) fn claims() -> Json {
    json!({
        "iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "exp": now() + 600, "iat": now(),
        "groups": ["support", "staff"], "org": "acme", "scope": "orders:read",
    })
}

/// The config that trusts the keys in a file.
pub(crate) fn config(keys: &Path) -> Json {
    json!({"jwt": [{
        "issuer": ISSUER, "audience": [AUDIENCE], "algorithms": ["RS256", "ES256"],
        "jwks": {"file": keys}, "claims": {"tenant": "org"},
    }]})
}

pub(crate) fn identity(config: &Json) -> Identity {
    let config: IdentityConfig = serde_json::from_value(config.clone()).unwrap();
    Identity::new(&config, None).unwrap()
}

/// Who is let in with a header.
pub(crate) async fn shown(identity: &Identity, authorization: &str) -> Result<Principal, Refusal> {
    let request = Request::builder()
        .header("authorization", authorization)
        .body(());
    match identity.authenticate(&Credentials::of(&request.unwrap())) {
        Authentication::Known(principal) => Ok(principal),
        Authentication::Refused(refusal) => Err(refusal),
        Authentication::Pending(pending) => pending.await,
    }
}

pub(crate) async fn ask(identity: &Identity, token: &str) -> Result<Principal, Refusal> {
    shown(identity, &format!("Bearer {token}")).await
}
