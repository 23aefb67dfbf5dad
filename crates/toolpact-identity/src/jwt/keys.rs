//! The keys of an issuer.

use std::collections::HashMap;

use jsonwebtoken::jwk::{AlgorithmParameters, Jwk, KeyOperations, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use serde::Deserialize;
use serde_json::Value as Json;

use super::parts::Why;

/// Most keys of a set that are used.
const MOST_KEYS: usize = 100;

/// The keys that signatures are verified with.
#[derive(Debug, Default)]
pub(super) struct Keys {
    named: HashMap<String, Key>,
    /// Those without a name, and all others.
    all: Vec<Key>,
}

#[derive(Debug, Clone)]
struct Key {
    key: DecodingKey,
    /// The only algorithm that it is for, if it says so.
    algorithm: Option<Algorithm>,
}

#[derive(Deserialize)]
struct Set {
    keys: Vec<Json>,
}

impl Keys {
    /// Reads a JWK set. Keys of kinds that are not known, for other purposes or with secrets in them are left out.
    pub(super) fn read(text: &[u8]) -> Result<Self, String> {
        let set: Set = serde_json::from_slice(text)
            .map_err(|error| format!("expected a JWK set, `{{\"keys\": […]}}`: {error}"))?;
        let mut keys = Self::default();
        for jwk in set.keys.into_iter().take(MOST_KEYS) {
            let Some((name, key)) = read_key(jwk) else {
                continue;
            };
            if let Some(name) = name {
                keys.named.insert(name, key.clone());
            }
            keys.all.push(key);
        }
        match keys.all.is_empty() {
            true => Err("expected a key that verifies signatures, found none".to_owned()),
            false => Ok(keys),
        }
    }

    /// The key that a token is signed with. One that names none is taken if only one can be meant.
    pub(super) fn find(
        &self,
        name: Option<&str>,
        algorithm: Algorithm,
    ) -> Result<&DecodingKey, NoKey> {
        if let Some(name) = name {
            let key = self.named.get(name).ok_or(NoKey::Unknown)?;
            return match key.fits(algorithm) {
                true => Ok(&key.key),
                false => Err(NoKey::Other(
                    "the key of the token is for another algorithm",
                )),
            };
        }
        let mut fitting = self.all.iter().filter(|key| key.fits(algorithm));
        match (fitting.next(), fitting.next()) {
            (Some(key), None) => Ok(&key.key),
            (None, _) => Err(NoKey::Unknown),
            (Some(_), Some(_)) => Err(NoKey::Other(
                "the token does not name its key, and there are several",
            )),
        }
    }
}

/// Why there is no key for a token.
pub(super) enum NoKey {
    /// There is none now. The issuer may have a new one.
    Unknown,
    Other(Why),
}

impl Key {
    fn fits(&self, algorithm: Algorithm) -> bool {
        self.key.family() == algorithm.family()
            && self.algorithm.is_none_or(|only| only == algorithm)
    }
}

fn read_key(jwk: Json) -> Option<(Option<String>, Key)> {
    let jwk: Jwk = serde_json::from_value(jwk).ok()?;
    let common = &jwk.common;
    let is_for_signatures = matches!(common.public_key_use, None | Some(PublicKeyUse::Signature));
    let operations = common.key_operations.as_ref();
    let verifies = operations.is_none_or(|all| all.contains(&KeyOperations::Verify));
    let is_secret = matches!(jwk.algorithm, AlgorithmParameters::OctetKey(_));
    (is_for_signatures && verifies && !is_secret).then_some(())?;
    let algorithm = match &common.key_algorithm {
        Some(name) => Some(name.to_string().parse().ok()?),
        None => None,
    };
    let key = DecodingKey::from_jwk(&jwk).ok()?;
    let name = common.key_id.clone();
    Some((name, Key { key, algorithm }))
}
