//! Who sends a request: what it shows, and who finds out.

use std::fmt;
use std::pin::Pin;

use http::{Extensions, Request, header};
use toolpact_core::Principal;

use crate::guard::one;
use crate::peer::Peer;
use crate::{ClientCertificate, Refusal};

/// Finds out who sends requests. It does so for each of them, so it has to be fast.
pub trait Authenticator: fmt::Debug + Send + Sync + 'static {
    /// Who shows these credentials, or why they will not do.
    fn authenticate(&self, credentials: &Credentials<'_>) -> Authentication;
}

/// What came of looking at credentials.
#[expect(clippy::exhaustive_enums, reason = "there are no other outcomes")]
pub enum Authentication {
    /// It is known who sends the request.
    Known(Principal),
    /// The request is not answered.
    Refused(Refusal),
    /// It is not known yet: something has to be fetched first.
    Pending(PendingAuthentication),
}

/// Ends when it is known who sends a request.
pub type PendingAuthentication = Pin<Box<dyn Future<Output = Result<Principal, Refusal>> + Send>>;

/// What a request shows of its sender.
#[derive(Debug, Clone, Copy)]
pub struct Credentials<'r> {
    authorization: Shown<'r>,
    certificate: Option<&'r ClientCertificate>,
}

/// What the header `Authorization` has.
#[derive(Clone, Copy)]
#[expect(clippy::exhaustive_enums, reason = "there are no other cases")]
pub enum Shown<'r> {
    /// There is none.
    Nothing,
    /// A token, `Bearer …`.
    Bearer(&'r str),
    /// Something else, or more than one.
    Other,
}

impl<'r> Credentials<'r> {
    /// The credentials of a request.
    pub fn of<B>(request: &'r Request<B>) -> Self {
        let authorization = match one(request.headers(), &header::AUTHORIZATION) {
            Ok(None) => Shown::Nothing,
            Ok(Some(text)) => bearer(text).map_or(Shown::Other, Shown::Bearer),
            Err(_) => Shown::Other,
        };
        let peer = request.extensions().get::<Peer>();
        Self {
            authorization,
            certificate: peer.and_then(|peer| peer.certificate.as_deref()),
        }
    }

    /// What the header `Authorization` has.
    #[must_use]
    pub fn authorization(&self) -> Shown<'r> {
        self.authorization
    }

    /// The certificate of the client, which was checked when it connected.
    #[must_use]
    pub fn certificate(&self) -> Option<&'r ClientCertificate> {
        self.certificate
    }
}

/// The token of `Bearer …`.
fn bearer(text: &str) -> Option<&str> {
    let (scheme, token) = text.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Who sends a request that a guard let pass.
#[must_use]
pub fn principal_of(extensions: &Extensions) -> Principal {
    extensions.get::<Principal>().cloned().unwrap_or_default()
}

/// Without the token.
impl fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Shown::Nothing => "Nothing",
            Shown::Bearer(_) => "Bearer(…)",
            Shown::Other => "Other",
        })
    }
}

impl fmt::Debug for Authentication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Authentication::Known(principal) => f.debug_tuple("Known").field(principal).finish(),
            Authentication::Refused(refusal) => f.debug_tuple("Refused").field(refusal).finish(),
            Authentication::Pending(_) => f.write_str("Pending"),
        }
    }
}
