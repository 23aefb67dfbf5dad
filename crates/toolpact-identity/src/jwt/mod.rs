//! JWTs of issuers that are trusted.

mod claims;
mod crypto;
mod keys;
mod parts;
mod source;
mod verified;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, Validation, decode};
use serde::de::IgnoredAny;
use toolpact::Principal;
use toolpact_http::Secret;

use crate::{Algorithm as Allowed, ClaimNames, IdentityConfig, IdentityError, JwtConfig};
use keys::NoKey;
use parts::{Parts, Why};
use source::{KeySource, PAUSE};
use verified::{Verified, VerifiedTokens};

/// The issuers, and the tokens of theirs that were verified.
#[derive(Debug)]
pub(crate) struct JwtIssuers {
    issuers: Vec<Issuer>,
    verified: VerifiedTokens,
}

#[derive(Debug)]
struct Issuer {
    name: String,
    audience: Vec<String>,
    algorithms: Vec<Algorithm>,
    leeway: u64,
    refresh: Duration,
    claims: ClaimNames,
    source: Arc<KeySource>,
}

/// Why a token is not taken.
pub(crate) enum Rejected {
    /// It is wrong, for the log.
    Wrong(Why),
    /// Its key is not known. The issuer of this place may have a new one that was not there in this epoch.
    UnknownKey(usize, u64),
}

impl From<Why> for Rejected {
    fn from(why: Why) -> Self {
        Rejected::Wrong(why)
    }
}

impl JwtIssuers {
    pub(crate) fn new(config: &IdentityConfig) -> Result<Self, IdentityError> {
        crypto::install();
        let resource = config.oauth.as_ref().map(|oauth| &*oauth.resource);
        let issuers = config.jwt.iter().map(|jwt| Issuer::new(jwt, resource));
        Ok(Self {
            issuers: issuers.collect::<Result<_, _>>()?,
            verified: VerifiedTokens::default(),
        })
    }

    /// Who shows a token that was verified before.
    pub(crate) fn known(&self, shown: &Secret) -> Option<Principal> {
        let verified = self.verified.get(shown.digest())?;
        let issuer = self.issuers.get(verified.issuer)?;
        match verified.epoch == issuer.source.epoch() && now() < verified.until {
            true => Some(verified.principal),
            false => {
                self.verified.remove(shown.digest());
                None
            }
        }
    }

    /// Who shows a token.
    pub(crate) fn verify(&self, token: &str, shown: &Secret) -> Result<Principal, Rejected> {
        let parts = Parts::read(token)?;
        let issuer = parts.issuer();
        let place = { self.issuers.iter() }.position(|one| issuer.as_ref() == Some(&one.name));
        let place = place.ok_or("the token is of an issuer that is not trusted")?;
        let verified = self.issuers[place].verify(token, &parts, place)?;
        let principal = verified.principal.clone();
        self.verified.add(*shown.digest(), verified);
        Ok(principal)
    }

    /// Looks for the key of a token that was not known.
    pub(crate) async fn refetch(&self, issuer: usize, epoch: u64) -> bool {
        match self.issuers.get(issuer) {
            Some(issuer) => issuer.source.refetch(epoch, PAUSE).await,
            None => false,
        }
    }

    /// The files with keys.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.issuers
            .iter()
            .filter_map(|issuer| issuer.source.file())
    }

    /// Reads the keys of a file again.
    pub(crate) fn reload(&self, file: &Path) -> Result<(), IdentityError> {
        let same = |issuer: &&Issuer| issuer.source.file() == Some(file);
        let mut concerned = self.issuers.iter().filter(same);
        concerned.try_for_each(|issuer| issuer.source.read_file())
    }

    /// Fetches the keys at addresses again and again. It never ends.
    pub(crate) async fn refresh(&self) {
        let all = self
            .issuers
            .iter()
            .filter(|issuer| issuer.source.file().is_none());
        let all = all.map(|issuer| {
            let (source, every) = (Arc::clone(&issuer.source), issuer.refresh);
            async move {
                loop {
                    source.refetch(source.epoch(), Duration::ZERO).await;
                    tokio::time::sleep(every).await;
                }
            }
        });
        let mut tasks: tokio::task::JoinSet<()> = all.collect();
        tasks.join_next().await;
        std::future::pending::<()>().await;
    }
}

impl Issuer {
    fn new(config: &JwtConfig, resource: Option<&str>) -> Result<Self, IdentityError> {
        let audience = match config.audience.is_empty() {
            true => resource.into_iter().map(str::to_owned).collect(),
            false => config.audience.clone(),
        };
        if audience.is_empty() {
            let message = format!("expected an audience for the tokens of {}", config.issuer);
            return Err(IdentityError::new(message));
        }
        Ok(Self {
            name: config.issuer.clone(),
            audience,
            algorithms: config
                .algorithms
                .iter()
                .map(|one| algorithm(*one))
                .collect(),
            leeway: config.leeway_s,
            refresh: Duration::from_secs(config.refresh_s.max(1)),
            claims: config.claims.clone(),
            source: Arc::new(KeySource::new(&config.jwks)?),
        })
    }

    fn verify(&self, token: &str, parts: &Parts, place: usize) -> Result<Verified, Rejected> {
        let (algorithm, name) = parts.signed_by()?;
        if !self.algorithms.contains(&algorithm) {
            return Err("the token is signed by an algorithm that its issuer may not use".into());
        }
        // Before the keys are looked at: those of a later epoch may not be the ones that verified it.
        let epoch = self.source.epoch();
        let keys = self.source.keys();
        let key = keys
            .find(name.as_deref(), algorithm)
            .map_err(|none| match none {
                NoKey::Unknown => Rejected::UnknownKey(place, epoch),
                NoKey::Other(why) => Rejected::Wrong(why),
            })?;
        let checked = decode::<IgnoredAny>(token, key, &self.validation(algorithm));
        checked.map_err(|error| why(error.kind()))?;
        let expires = claims::expires(&parts.claims).ok_or("the token has no time when it ends")?;
        #[expect(clippy::cast_precision_loss, reason = "it is a few minutes")]
        let until = expires + self.leeway as f64;
        Ok(Verified {
            principal: claims::principal(&self.name, &parts.claims, &self.claims)?,
            issuer: place,
            epoch,
            until,
        })
    }

    fn validation(&self, algorithm: Algorithm) -> Validation {
        let mut validation = Validation::new(algorithm);
        validation.leeway = self.leeway;
        validation.validate_nbf = true;
        validation.set_audience(&self.audience);
        validation.set_issuer(&[&self.name]);
        validation.set_required_spec_claims(&["exp", "iss", "aud"]);
        validation
    }
}

fn algorithm(allowed: Allowed) -> Algorithm {
    match allowed {
        Allowed::RS256 => Algorithm::RS256,
        Allowed::RS384 => Algorithm::RS384,
        Allowed::RS512 => Algorithm::RS512,
        Allowed::PS256 => Algorithm::PS256,
        Allowed::PS384 => Algorithm::PS384,
        Allowed::PS512 => Algorithm::PS512,
        Allowed::ES256 => Algorithm::ES256,
        Allowed::ES384 => Algorithm::ES384,
        Allowed::EdDSA => Algorithm::EdDSA,
    }
}

fn why(error: &ErrorKind) -> Why {
    match error {
        ErrorKind::ExpiredSignature => "the token has expired",
        ErrorKind::ImmatureSignature => "the token is not valid yet",
        ErrorKind::InvalidAudience => "the token is made for another server",
        ErrorKind::InvalidIssuer => "the token is of another issuer",
        ErrorKind::InvalidSignature => "the signature of the token is wrong",
        ErrorKind::MissingRequiredClaim(_) => "the token lacks one of `exp`, `iss` and `aud`",
        ErrorKind::InvalidClaimFormat(_) => "a claim of the token is malformed",
        _ => "the token cannot be verified",
    }
}

/// In seconds since 1970.
fn now() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default().as_secs_f64()
}
