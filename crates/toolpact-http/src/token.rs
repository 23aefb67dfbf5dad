//! The token that a client has to show.

use std::fmt;

use http::StatusCode;
use sha2::{Digest as _, Sha256};
use toolpact_core::Principal;

use crate::authenticate::Shown;
use crate::{Authentication, Authenticator, Credentials, Refusal};

/// A secret, kept as its digest, so that it is in no log and no memory dump.
#[derive(Clone, Copy)]
pub struct Secret([u8; 32]);

impl Secret {
    /// What is kept of a secret.
    #[must_use]
    pub fn new(secret: &str) -> Self {
        Self(Sha256::digest(secret.as_bytes()).into())
    }

    /// The secret of this digest.
    #[must_use]
    pub const fn of_digest(digest: [u8; 32]) -> Self {
        Self(digest)
    }

    /// Its SHA-256.
    #[must_use]
    pub const fn digest(&self) -> &[u8; 32] {
        &self.0
    }

    /// Whether this is it. How long that takes says nothing about how much of it was right.
    #[must_use]
    pub fn is(&self, shown: &Self) -> bool {
        let pairs = self.0.iter().zip(&shown.0);
        let different = pairs.fold(0, |different, (ours, theirs)| different | (ours ^ theirs));
        std::hint::black_box(different) == 0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// One token for all: whoever shows it is the same principal.
#[derive(Debug)]
pub struct OneToken {
    secret: Secret,
    principal: Principal,
}

impl OneToken {
    /// What its principal is called.
    pub const NAME: &'static str = "auth_token";

    /// This token.
    #[must_use]
    pub fn new(token: &str) -> Self {
        Self {
            secret: Secret::new(token),
            principal: Principal::new(Self::NAME),
        }
    }

    /// Its principal, if this is the token.
    #[must_use]
    pub fn find(&self, shown: &Secret) -> Option<Principal> {
        self.secret.is(shown).then(|| self.principal.clone())
    }
}

impl Authenticator for OneToken {
    fn authenticate(&self, credentials: &Credentials<'_>) -> Authentication {
        let found = match credentials.authorization() {
            Shown::Bearer(token) => self.find(&Secret::new(token)),
            Shown::Nothing | Shown::Other => None,
        };
        match found {
            Some(principal) => Authentication::Known(principal),
            None => Authentication::Refused(Refusal::new(
                StatusCode::UNAUTHORIZED,
                "expected the header `Authorization: Bearer …` with the token of this server",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn only_the_whole_token_will_do() {
        let token = Secret::new("s3cret");
        assert!(token.is(&Secret::new("s3cret")));
        for wrong in ["", "s3cre", "s3cret ", "S3cret"] {
            assert!(!token.is(&Secret::new(wrong)), "{wrong:?}");
        }
        assert_eq!(format!("{token:?}"), "Secret");
    }
}
