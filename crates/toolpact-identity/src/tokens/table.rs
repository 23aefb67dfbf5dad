//! The named tokens of a server, by their digests.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use serde_json::json;
use toolpact::Principal;
use toolpact::core::json::Value;
use toolpact_http::Secret;

use super::{NamedToken, TokenFile, now};
use crate::{IdentityError, secret_text};

/// The tokens of a file, as it was read last.
#[derive(Debug)]
pub(crate) struct Tokens {
    pub(crate) file: TokenFile,
    known: RwLock<Arc<Known>>,
}

/// A digest says nothing about those beside it, so that how long it takes to find one says nothing either.
type Known = HashMap<[u8; 32], Entry>;

#[derive(Debug)]
struct Entry {
    secret: Secret,
    principal: Principal,
    /// In seconds since 1970.
    expires: Option<i64>,
}

impl Tokens {
    pub(crate) fn open(file: TokenFile) -> Result<Self, IdentityError> {
        let known = RwLock::new(Arc::new(read(&file)?));
        Ok(Self { file, known })
    }

    /// Reads the file again. If it is wrong, the tokens from before stay.
    pub(crate) fn reload(&self) -> Result<(), IdentityError> {
        let known = Arc::new(read(&self.file)?);
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = known;
        Ok(())
    }

    /// Who shows a token, or why it is not one, for the log.
    pub(crate) fn find(&self, token: &str, shown: &Secret) -> Result<Principal, &'static str> {
        let known = Arc::clone(&self.known.read().unwrap_or_else(PoisonError::into_inner));
        let entry = known.get(shown.digest());
        let Some(entry) = entry.filter(|entry| entry.secret.is(shown)) else {
            return Err(match secret_text::is_well_formed(token) {
                true => "the token is not known: it was revoked, or is one of another server",
                false => "the token was mistyped or cut off: its checksum is wrong",
            });
        };
        match entry.expires {
            Some(expires) if expires <= now().as_second() => Err("the token has expired"),
            _ => Ok(entry.principal.clone()),
        }
    }
}

fn read(file: &TokenFile) -> Result<Known, IdentityError> {
    let tokens = file.list()?.into_iter();
    let entries = tokens.map(|token| {
        let digest = digest(&token.sha256);
        let wrong = || {
            file.wrong(format!(
                "expected 64 hexadecimal digits as `sha256` of `{}`",
                token.name
            ))
        };
        Ok((
            digest.ok_or_else(wrong)?,
            entry(digest.unwrap_or_default(), &token),
        ))
    });
    entries.collect()
}

fn entry(digest: [u8; 32], token: &NamedToken) -> Entry {
    let mut principal = Principal::new(&*token.name).groups(token.groups.iter().map(|g| &**g));
    if let Some(tenant) = &token.tenant {
        principal = principal.with_tenant(&**tenant);
    }
    let scope = json!({"scope": token.scopes.join(" ")});
    if let (false, Ok(claims)) = (token.scopes.is_empty(), Value::try_from(&scope)) {
        principal = principal.with_claims(claims);
    }
    Entry {
        secret: Secret::of_digest(digest),
        principal,
        expires: token.expires.map(jiff::Timestamp::as_second),
    }
}

fn digest(hex: &str) -> Option<[u8; 32]> {
    let mut digest = [0; 32];
    (hex.len() == 64 && hex.is_ascii()).then_some(())?;
    for (place, byte) in digest.iter_mut().enumerate() {
        *byte = u8::from_str_radix(hex.get(2 * place..2 * place + 2)?, 16).ok()?;
    }
    Some(digest)
}
