//! Who calls, signed by the host and bound to one attempt of one call.

use std::collections::HashMap;
use std::fmt;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use toolpact::Principal;
use toolpact::core::json::Value;

use crate::error::{Error, Reason};
use crate::headers::CallHeaders;

/// The key that a host signs the identity of its callers with.
pub struct HostKey {
    name: Box<str>,
    pair: Ed25519KeyPair,
}

impl HostKey {
    /// A key of 32 bytes that only hosts know, under the name that runtimes know it by.
    pub fn from_seed(name: impl Into<Box<str>>, seed: &[u8]) -> Result<Self, Error> {
        let pair = Ed25519KeyPair::from_seed_unchecked(seed);
        let wrong = |_| Error::new(Reason::Key("the 32 bytes of a key"));
        Ok(Self {
            name: name.into(),
            pair: pair.map_err(wrong)?,
        })
    }

    /// The name that runtimes know it by.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// What runtimes verify with.
    #[must_use]
    pub fn public(&self) -> Vec<u8> {
        self.pair.public_key().as_ref().to_vec()
    }

    pub(crate) fn sign(&self, bound: &Bound<'_>, principal: &Principal) -> Box<str> {
        let claims = Claims {
            key: (&*self.name).into(),
            invocation: bound.call.invocation.clone(),
            attempt: bound.call.attempt,
            runtime: bound.runtime.into(),
            tool: bound.tool.into(),
            digest: bound.call.digest.clone(),
            start_by: bound.call.start_by,
            principal: SignedPrincipal::of(principal),
        };
        let claims = serde_json::to_vec(&claims).unwrap_or_default();
        let claims = BASE64.encode(claims);
        let signature = self.pair.sign(claims.as_bytes());
        format!("{claims}.{}", BASE64.encode(signature)).into()
    }
}

impl fmt::Debug for HostKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostKey")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// What a signature is valid for.
pub(crate) struct Bound<'a> {
    pub(crate) call: &'a CallHeaders,
    pub(crate) runtime: &'a str,
    pub(crate) tool: &'a str,
}

/// The keys of hosts that a runtime believes.
#[derive(Debug, Clone, Default)]
pub struct HostKeys(HashMap<Box<str>, Box<[u8]>>);

impl HostKeys {
    /// None yet: with none, callers are anonymous whatever they say.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// One more, of 32 bytes: see [`HostKey::public`].
    pub fn add(mut self, name: impl Into<Box<str>>, public: &[u8]) -> Result<Self, Error> {
        if public.len() != 32 {
            return Err(Error::new(Reason::Key("the 32 bytes of a public key")));
        }
        self.0.insert(name.into(), public.into());
        Ok(self)
    }

    /// Who calls, or why that is not believed.
    pub(crate) fn verify(&self, bound: &Bound<'_>) -> Result<Principal, &'static str> {
        if self.0.is_empty() {
            return Ok(Principal::anonymous());
        }
        let sent = bound.call.identity.as_deref().ok_or("no identity")?;
        let (claims, signature) = sent.split_once('.').ok_or("an identity of one part")?;
        let decode = |text: &str| BASE64.decode(text).map_err(|_| "what is not base64url");
        let read: Claims =
            serde_json::from_slice(&decode(claims)?).map_err(|_| "claims that are none")?;
        let key = self.0.get(&read.key).ok_or("an unknown key")?;
        UnparsedPublicKey::new(&ED25519, key)
            .verify(claims.as_bytes(), &decode(signature)?)
            .map_err(|_| "a wrong signature")?;
        match read.is_about(bound) {
            true => Ok(read
                .principal
                .map_or_else(Principal::anonymous, SignedPrincipal::into_principal)),
            false => Err("the identity of another call"),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Claims {
    key: Box<str>,
    invocation: Box<str>,
    attempt: u32,
    runtime: Box<str>,
    tool: Box<str>,
    digest: Box<str>,
    start_by: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    principal: Option<SignedPrincipal>,
}

impl Claims {
    fn is_about(&self, bound: &Bound<'_>) -> bool {
        let call = bound.call;
        (&self.invocation, self.attempt) == (&call.invocation, call.attempt)
            && (&*self.runtime, &*self.tool) == (bound.runtime, bound.tool)
            && (&self.digest, self.start_by) == (&call.digest, call.start_by)
    }
}

#[derive(Serialize, Deserialize)]
struct SignedPrincipal {
    name: Box<str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    issuer: Option<Box<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tenant: Option<Box<str>>,
    #[serde(default)]
    groups: Vec<Box<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    claims: Option<Json>,
}

impl SignedPrincipal {
    fn of(principal: &Principal) -> Option<Self> {
        (!principal.is_anonymous()).then(|| Self {
            name: principal.name().into(),
            issuer: principal.issuer().map(Box::from),
            tenant: principal.tenant().map(Box::from),
            groups: principal.group_names().map(Box::from).collect(),
            claims: principal
                .claims()
                .and_then(|claims| claims.deserialize().ok()),
        })
    }

    fn into_principal(self) -> Principal {
        let mut principal = Principal::new(self.name).groups(self.groups);
        if let Some(issuer) = self.issuer {
            principal = principal.issued_by(issuer);
        }
        if let Some(tenant) = self.tenant {
            principal = principal.with_tenant(tenant);
        }
        match self
            .claims
            .and_then(|claims| Value::from_json(claims.to_string()).ok())
        {
            Some(claims) => principal.with_claims(claims),
            None => principal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bound, HostKey, HostKeys};
    use crate::headers::CallHeaders;
    use toolpact::Principal;
    use toolpact::core::json::Value;

    fn call() -> CallHeaders {
        CallHeaders {
            invocation: "0".repeat(32).into(),
            attempt: 1,
            digest: "d".repeat(64).into(),
            deadline: 2,
            start_by: 1,
            correlation: None,
            identity: None,
            questions: None,
            trace: None,
        }
    }

    fn bound<'a>(call: &'a CallHeaders, runtime: &'a str, tool: &'a str) -> Bound<'a> {
        Bound {
            call,
            runtime,
            tool,
        }
    }

    #[test]
    fn a_principal_travels_whole_and_for_one_call_only() {
        let key = HostKey::from_seed("h1", &[7; 32]).unwrap();
        let keys = HostKeys::new().add("h1", &key.public()).unwrap();
        let claims = Value::from_json(r#"{"level":3}"#).unwrap();
        let ada = Principal::new("ada")
            .issued_by("us")
            .with_tenant("acme")
            .groups(["a", "b"]);
        let ada = ada.with_claims(claims);
        let mut signed = call();
        signed.identity = Some(key.sign(&bound(&signed, "r1", "add"), &ada));
        let read = keys.verify(&bound(&signed, "r1", "add")).unwrap();
        assert!(read.is_exactly(&ada), "{read:?}");

        let other = Err("the identity of another call");
        assert_eq!(keys.verify(&bound(&signed, "r2", "add")).map(drop), other);
        assert_eq!(keys.verify(&bound(&signed, "r1", "sub")).map(drop), other);
        let changes: [fn(&mut CallHeaders); 4] = [
            |call| call.invocation = "1".repeat(32).into(),
            |call| call.attempt = 2,
            |call| call.digest = "e".repeat(64).into(),
            |call| call.start_by = 9,
        ];
        for change in changes {
            let mut other_call = signed.clone();
            change(&mut other_call);
            assert_eq!(
                keys.verify(&bound(&other_call, "r1", "add")).map(drop),
                other
            );
        }
    }

    #[test]
    fn what_nobody_signed_is_not_believed() {
        let key = HostKey::from_seed("h1", &[7; 32]).unwrap();
        let keys = HostKeys::new().add("h1", &key.public()).unwrap();
        let verify = |identity: Option<&str>| {
            let call = CallHeaders {
                identity: identity.map(Box::from),
                ..call()
            };
            keys.verify(&bound(&call, "r1", "add")).map(drop)
        };
        let plain = call();
        let good = key.sign(&bound(&plain, "r1", "add"), &Principal::anonymous());
        assert_eq!(verify(Some(&good)), Ok(()));
        assert_eq!(verify(None), Err("no identity"));
        assert_eq!(verify(Some("x")), Err("an identity of one part"));
        assert_eq!(verify(Some("!.!")), Err("what is not base64url"));
        let thief = HostKey::from_seed("h1", &[8; 32]).unwrap();
        let forged = thief.sign(&bound(&plain, "r1", "add"), &Principal::anonymous());
        assert_eq!(verify(Some(&forged)), Err("a wrong signature"));
        let stranger = HostKey::from_seed("h2", &[7; 32]).unwrap();
        let strange = stranger.sign(&bound(&plain, "r1", "add"), &Principal::anonymous());
        assert_eq!(verify(Some(&strange)), Err("an unknown key"));
    }
}
