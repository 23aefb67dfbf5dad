//! What OAuth clients read before they have a token, and what they are told when it is not enough.

use std::collections::BTreeSet;

use axum::Router;
use axum::response::Response;
use axum::routing::get;
use http::{StatusCode, header};
use toolpact::Principal;
use toolpact_identity::ProtectedResource;

use super::refused;
use super::reply::json_response;

/// The metadata of the resource, at every path that clients look for it: their own, that of the resource, and that of
/// the server.
pub(super) fn router(resource: &ProtectedResource) -> Router {
    let mut router = Router::new();
    let paths: BTreeSet<String> = resource.metadata_paths().into_iter().collect();
    for path in paths {
        let document = resource.document().to_string();
        router = router.route(
            &path,
            get(move || async move { json_response(StatusCode::OK, document) }),
        );
    }
    router
}

/// The answer to a call whose token lacks scopes; `None` if it does not.
pub(super) fn refuse(
    resource: Option<&ProtectedResource>,
    tool: &str,
    principal: &Principal,
) -> Option<Response> {
    let refusal = resource?.refuse(tool, principal)?;
    let mut response = refused(&refusal);
    if let Some(challenge) = refusal.challenge() {
        let headers = response.headers_mut();
        headers.insert(header::WWW_AUTHENTICATE, challenge.clone());
    }
    Some(response)
}
