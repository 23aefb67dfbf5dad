//! Who sends a request, and from where.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use http::request::Parts;
use toolpact::Principal;
use toolpact_http::{Network, Peer, principal_of};

use super::route::Input;

/// Who sends a request.
pub(super) struct Sender {
    pub(super) principal: Principal,
    /// The network that it comes from; none if that is this machine.
    pub(super) network: Option<Network>,
}

impl<S: Sync> FromRequestParts<S> for Sender {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self {
            principal: principal_of(&parts.extensions),
            network: Peer::network_of(&parts.extensions),
        })
    }
}

impl Input for Sender {}
