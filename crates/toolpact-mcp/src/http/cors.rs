//! What browsers have to be told before pages may read an answer.

use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};

use super::{Guard, Refusal};

const METHODS: HeaderValue = HeaderValue::from_static("GET, POST, DELETE");
const EXPOSED: HeaderValue = HeaderValue::from_static("mcp-session-id, toolpact-outcome");
const TEN_MINUTES: HeaderValue = HeaderValue::from_static("600");
const ORIGIN: HeaderValue = HeaderValue::from_static("origin");

/// The page that a request comes from, which may ask.
#[derive(Debug, Clone)]
pub struct Page(HeaderValue);

impl Page {
    /// Of a request that the guard has let pass; `None` for programs that are no browsers.
    #[must_use]
    pub fn of(request: &Parts) -> Option<Self> {
        request.headers.get(header::ORIGIN).cloned().map(Self)
    }

    /// Tells the browser that the page may read the answer.
    pub fn may_read(self, headers: &mut HeaderMap) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, self.0);
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
        headers.append(header::VARY, ORIGIN);
    }
}

impl Guard {
    /// The answer to a browser that asks whether a page may ask. It shows no token with that.
    pub fn preflight(&self, request: &Parts) -> Option<Result<Response<()>, Refusal>> {
        let asks = request
            .headers
            .contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
        let page = Page::of(request).filter(|_| asks && request.method == Method::OPTIONS)?;
        Some(self.check_place(request).map(|()| told(page, request)))
    }
}

fn told(page: Page, request: &Parts) -> Response<()> {
    let mut response = Response::new(());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, TEN_MINUTES);
    // The page is trusted, and headers are looked at when they come.
    if let Some(wanted) = request.headers.get(header::ACCESS_CONTROL_REQUEST_HEADERS) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, wanted.clone());
    }
    page.may_read(headers);
    response
}

#[cfg(test)]
mod tests {
    use super::Guard;
    use http::{Method, Request};

    fn preflight(origin: &str) -> Option<u16> {
        let guard = Guard::default()
            .origin("https://app.example.com")
            .token("s3cret");
        let request = Request::builder()
            .method(Method::OPTIONS)
            .uri("/mcp")
            .header("host", "localhost")
            .header("origin", origin)
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "authorization");
        let (parts, ()) = request.body(()).unwrap().into_parts();
        let answer = guard.preflight(&parts)?;
        Some(answer.map_or_else(
            |refusal| refusal.status().as_u16(),
            |answer| {
                let headers = answer.headers();
                assert_eq!(headers["access-control-allow-origin"], origin);
                assert_eq!(headers["access-control-allow-headers"], "authorization");
                answer.status().as_u16()
            },
        ))
    }

    #[test]
    fn only_pages_that_may_ask_are_told_so() {
        assert_eq!(preflight("https://app.example.com"), Some(204));
        assert_eq!(preflight("http://localhost:3000"), Some(204));
        assert_eq!(preflight("https://evil.example"), Some(403));
    }
}
