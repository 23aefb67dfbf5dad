//! Who sends a request, by everything that a config has for that.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use http::{HeaderValue, StatusCode};
use toolpact::Principal;
use toolpact_http::{Authentication, Authenticator, Credentials, OneToken, Refusal, Secret, Shown};

use crate::jwt::{JwtIssuers, Rejected};
use crate::tokens::Tokens;
use crate::{IdentityConfig, IdentityError, ProtectedResource, TokenFile, secret_text};

/// Finds out who sends requests. Cloning is cheap, and clones are the same.
///
/// What a token is wrong about is in the log only.
#[derive(Debug, Clone)]
pub struct Identity(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    one: Option<OneToken>,
    tokens: Option<Tokens>,
    jwt: Option<JwtIssuers>,
    takes_certificates: bool,
    allows_anonymous: bool,
    resource: Option<ProtectedResource>,
}

impl Identity {
    /// As a config has it, and with one token for all if there is one.
    pub fn new(config: &IdentityConfig, token: Option<&str>) -> Result<Self, IdentityError> {
        Self::with(config, token, false)
    }

    /// The same; clients may also show certificates.
    pub fn with(
        config: &IdentityConfig,
        token: Option<&str>,
        takes_certificates: bool,
    ) -> Result<Self, IdentityError> {
        let tokens = config.tokens.as_ref().map(TokenFile::at).map(Tokens::open);
        let jwt = (!config.jwt.is_empty()).then(|| JwtIssuers::new(config));
        let has_credentials = token.is_some() || config.has_credentials() || takes_certificates;
        Ok(Self(Arc::new(Inner {
            one: token.map(OneToken::new),
            tokens: tokens.transpose()?,
            jwt: jwt.transpose()?,
            takes_certificates,
            allows_anonymous: config.anonymous.unwrap_or(!has_credentials),
            resource: ProtectedResource::of(config),
        })))
    }

    /// Whether anybody is asked who they are.
    #[must_use]
    pub fn asks(&self) -> bool {
        let inner = &self.0;
        let has_tokens = inner.one.is_some() || inner.tokens.is_some() || inner.jwt.is_some();
        has_tokens || inner.takes_certificates || !inner.allows_anonymous
    }

    /// Whether requests without credentials are answered.
    #[must_use]
    pub fn allows_anonymous(&self) -> bool {
        self.0.allows_anonymous
    }

    /// What OAuth clients are told.
    #[must_use]
    pub fn resource(&self) -> Option<&ProtectedResource> {
        self.0.resource.as_ref()
    }

    /// The files that have to be [reloaded](Self::reload) when they change.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        let tokens = self.0.tokens.iter().map(|tokens| tokens.file.path());
        let keys = self.0.jwt.iter().flat_map(JwtIssuers::files);
        tokens.chain(keys).map(Path::to_owned).collect()
    }

    /// Reads one of its files again. If it is wrong, what it had before stays.
    pub fn reload(&self, file: &Path) -> Result<(), IdentityError> {
        if let Some(tokens) = self.0.tokens.as_ref().filter(|t| t.file.path() == file) {
            tokens.reload()?;
        }
        match &self.0.jwt {
            Some(jwt) => jwt.reload(file),
            None => Ok(()),
        }
    }

    /// Fetches the keys of issuers again and again. It never ends.
    pub async fn refresh(&self) {
        match &self.0.jwt {
            Some(jwt) => jwt.refresh().await,
            None => std::future::pending().await,
        }
    }

    /// A request that shows nothing, or nothing that is understood.
    fn unknown(&self) -> Refusal {
        let challenge = self.0.challenge(None);
        Refusal::new(StatusCode::UNAUTHORIZED, EXPECTED).challenging(challenge)
    }

    /// A request whose token is wrong.
    fn refuse(&self, why: &str) -> Refusal {
        tracing::warn!(target: "toolpact::identity", why, "a request was refused for its token");
        let challenge = self.0.challenge(Some("invalid_token"));
        Refusal::new(StatusCode::UNAUTHORIZED, EXPECTED).challenging(challenge)
    }

    fn of_token(&self, token: &str) -> Authentication {
        let shown = Secret::new(token);
        if let Some(principal) = { &self.0.one }.as_ref().and_then(|one| one.find(&shown)) {
            return Authentication::Known(principal);
        }
        if let (Some(tokens), true) = (&self.0.tokens, token.starts_with(secret_text::PREFIX)) {
            return match tokens.find(token, &shown) {
                Ok(principal) => Authentication::Known(principal),
                Err(why) => Authentication::Refused(self.refuse(why)),
            };
        }
        let Some(jwt) = &self.0.jwt else {
            return Authentication::Refused(self.refuse("the token is not known"));
        };
        if let Some(principal) = jwt.known(&shown) {
            return Authentication::Known(principal);
        }
        match jwt.verify(token, &shown) {
            Ok(principal) => Authentication::Known(principal),
            Err(Rejected::Wrong(why)) => Authentication::Refused(self.refuse(why)),
            Err(Rejected::UnknownKey(issuer, epoch)) => {
                let (identity, token) = (self.clone(), token.to_owned());
                Authentication::Pending(Box::pin(async move {
                    identity.verify_later(&token, &shown, issuer, epoch).await
                }))
            }
        }
    }

    /// Verifies a token whose key was not known, if there is one by now.
    async fn verify_later(
        &self,
        token: &str,
        shown: &Secret,
        issuer: usize,
        epoch: u64,
    ) -> Result<Principal, Refusal> {
        const UNKNOWN: &str = "the key of the token is not known";
        let Some(jwt) = &self.0.jwt else {
            return Err(self.unknown());
        };
        if !jwt.refetch(issuer, epoch).await {
            return Err(self.refuse(UNKNOWN));
        }
        jwt.verify(token, shown).map_err(|rejected| match rejected {
            Rejected::Wrong(why) => self.refuse(why),
            Rejected::UnknownKey(..) => self.refuse(UNKNOWN),
        })
    }
}

/// What everybody is told who is refused.
const EXPECTED: &str =
    "expected the header `Authorization: Bearer …` with a token that this server knows";

impl Inner {
    fn challenge(&self, error: Option<&str>) -> HeaderValue {
        match (&self.resource, error) {
            (Some(resource), error) => resource.challenge(error, None),
            (None, Some(_)) => HeaderValue::from_static("Bearer error=\"invalid_token\""),
            (None, None) => HeaderValue::from_static("Bearer"),
        }
    }
}

impl Authenticator for Identity {
    /// A token counts before a certificate: it says who uses the connection.
    fn authenticate(&self, credentials: &Credentials<'_>) -> Authentication {
        let certificate = credentials
            .certificate()
            .filter(|_| self.0.takes_certificates);
        match (credentials.authorization(), certificate) {
            (Shown::Bearer(token), _) if self.0.knows_tokens() => self.of_token(token),
            (Shown::Nothing, Some(certificate)) => {
                Authentication::Known(certificate.principal().clone())
            }
            (Shown::Nothing, None) if self.0.allows_anonymous => {
                Authentication::Known(Principal::anonymous())
            }
            _ => Authentication::Refused(self.unknown()),
        }
    }
}

impl Inner {
    fn knows_tokens(&self) -> bool {
        self.one.is_some() || self.tokens.is_some() || self.jwt.is_some()
    }
}
