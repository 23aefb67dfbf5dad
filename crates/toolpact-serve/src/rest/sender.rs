//! Who sends a request, and from where.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use http::HeaderValue;
use http::header::USER_AGENT;
use http::request::Parts;
use toolpact::Principal;
use toolpact::session::ClientInfo;
use toolpact_http::{Owner, principal_of};

use super::route::Input;

/// Who sends a request.
pub(super) struct Sender {
    pub(super) principal: Principal,
    /// What the client says about itself.
    pub(super) client: Option<ClientInfo>,
    /// Whose its places are.
    pub(super) owner: Owner,
}

impl<S: Sync> FromRequestParts<S> for Sender {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self {
            principal: principal_of(&parts.extensions),
            client: parts.headers.get(USER_AGENT).and_then(client_of),
            owner: Owner::of(&parts.extensions),
        })
    }
}

impl Input for Sender {}

/// The first product of a `User-Agent`, such as `curl/8.5.0`.
fn client_of(agent: &HeaderValue) -> Option<ClientInfo> {
    let product = agent.to_str().ok()?.split_whitespace().next()?;
    Some(match product.split_once('/') {
        Some((name, version)) => ClientInfo::new(name).with_version(version),
        None => ClientInfo::new(product),
    })
}

#[cfg(test)]
mod tests {
    use super::client_of;
    use http::HeaderValue;

    #[test]
    fn the_first_product_is_the_client() {
        for (agent, expected) in [
            ("curl/8.5.0", Some("curl 8.5.0")),
            ("desk-agent", Some("desk-agent")),
            ("Mozilla/5.0 (X11) Gecko/1", Some("Mozilla 5.0")),
            ("", None),
            ("  ", None),
        ] {
            let client = client_of(&HeaderValue::from_static(agent));
            let client = client.map(|client| client.to_string());
            assert_eq!(client.as_deref(), expected);
        }
    }
}
