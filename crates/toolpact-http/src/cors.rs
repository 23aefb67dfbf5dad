//! What browsers have to be told before pages may read an answer.
//!
//! `tower_http::cors` answers every `OPTIONS` with 200, refuses no foreign page, and writes headers for
//! programs that are no browsers, too.

use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, header};

const METHODS: HeaderValue = HeaderValue::from_static("GET, POST, DELETE");
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "mcp-session-id, toolpact-outcome, toolpact-stand-in, www-authenticate",
);
const TEN_MINUTES: HeaderValue = HeaderValue::from_static("600");
const ORIGIN: HeaderValue = HeaderValue::from_static("origin");

/// Whether a browser asks if a page may send a request.
pub(crate) fn is_preflight<B>(request: &Request<B>) -> bool {
    let headers = request.headers();
    request.method() == Method::OPTIONS
        && headers.contains_key(header::ORIGIN)
        && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// The answer to a preflight request of a page that may ask.
pub(crate) fn preflight<B, R: Default>(request: &Request<B>) -> Response<R> {
    let mut response = Response::new(R::default());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, TEN_MINUTES);
    // The page is trusted, and headers are looked at when they come.
    let asked = request.headers();
    if let Some(wanted) = asked.get(header::ACCESS_CONTROL_REQUEST_HEADERS) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, wanted.clone());
    }
    if let Some(origin) = asked.get(header::ORIGIN) {
        allow_reading(headers, origin.clone());
    }
    response
}

/// Tells the browser that the page of this origin may read the answer.
pub(crate) fn allow_reading(headers: &mut HeaderMap, origin: HeaderValue) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    headers.append(header::VARY, ORIGIN);
}
