//! What OAuth clients read before they have a token, and what they are told when it is not enough.

use std::collections::BTreeSet;

use axum::Router;
use axum::response::Response;
use axum::routing::get;
use http::{StatusCode, header};
use toolpact::core::returns::ErrorKind;
use toolpact::{Call, Completed, Session, ToolError};
use toolpact_http::Refusal;
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

/// Why the scopes of a caller are not enough for a tool; `None` if they are, or if there is no such tool for it: what is
/// hidden from a caller needs nothing.
pub(super) fn refusal(
    resource: Option<&ProtectedResource>,
    session: &Session,
    tool: &str,
) -> Option<Refusal> {
    let (name, _) = session.get_named(tool)?;
    resource?.refuse(name, session.principal())
}

/// Answers a call that lacks scopes: it is denied and recorded like others, and its caller is told which scopes it needs.
/// `otherwise` answers a call that failed for another reason.
pub(super) async fn refuse(
    refusal: &Refusal,
    session: &Session,
    call: Call,
    otherwise: impl FnOnce(&Completed) -> Response,
) -> Response {
    let completed = session.call(call.refused(refusal.message())).await;
    let is_denied = |error: &ToolError| error.kind() == ErrorKind::NotAllowed;
    if !completed.error().is_some_and(is_denied) {
        return otherwise(&completed);
    }
    let mut response = refused(refusal);
    if let Some(challenge) = refusal.challenge() {
        let headers = response.headers_mut();
        headers.insert(header::WWW_AUTHENTICATE, challenge.clone());
    }
    response
}
