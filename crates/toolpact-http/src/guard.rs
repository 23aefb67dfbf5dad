use std::sync::Arc;

use http::{HeaderMap, HeaderName, Request, StatusCode, Uri, header};
use toolpact_core::Principal;

use crate::origin::{LOCAL, Origin, host, without_port};
use crate::token::OneToken;
use crate::{Authentication, Authenticator, Credentials, Refusal};

/// Who may ask: the hosts that a request may be sent to, the origins of the pages that may send it,
/// and who finds out who sends it.
///
/// By default these are the names of this machine to itself, so that a page in a browser can reach
/// a server on it neither directly nor by a name of its own that leads there.
///
/// ```
/// use toolpact_http::Guard;
///
/// let guard = Guard::default()
///     .host("tools.example.com")
///     .origin("https://app.example.com")
///     .token("s3cret");
/// assert!(!format!("{guard:?}").contains("s3cret"));
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Guard {
    /// `None` for any.
    hosts: Option<Vec<Box<str>>>,
    origins: Vec<Origin>,
    /// Without one, everybody is anonymous.
    authenticator: Option<Arc<dyn Authenticator>>,
}

impl Default for Guard {
    fn default() -> Self {
        Self {
            hosts: Some(LOCAL.map(Box::from).into()),
            origins: Vec::new(),
            authenticator: None,
        }
    }
}

impl Guard {
    /// One more host that requests may be sent to, whatever the port. One that cannot be read allows
    /// nobody.
    pub fn host(mut self, name: &str) -> Self {
        match (host(name), &mut self.hosts) {
            (Some(name), Some(hosts)) => hosts.push(name.into()),
            (Some(_), None) => {}
            (None, _) => {
                tracing::error!(target: "toolpact::http", name, "expected a host such as example.com");
            }
        }
        self
    }

    /// Requests may be sent to any host. This is for servers behind another that looks at it.
    pub fn any_host(mut self) -> Self {
        self.hosts = None;
        self
    }

    /// One more origin whose pages may ask: `https://app.example.com`, with a port if it is not the
    /// usual one. One that cannot be read allows nobody.
    pub fn origin(mut self, origin: &str) -> Self {
        match Origin::parse(origin) {
            Some(origin) => self.origins.push(origin),
            None => {
                tracing::error!(target: "toolpact::http", origin, "expected an origin such as https://example.com");
            }
        }
        self
    }

    /// The token that each request has to show, as `Authorization: Bearer …`.
    pub fn token(self, token: &str) -> Self {
        self.authenticator(Arc::new(OneToken::new(token)))
    }

    /// Who finds out who sends requests.
    pub fn authenticator(mut self, authenticator: Arc<dyn Authenticator>) -> Self {
        self.authenticator = Some(authenticator);
        self
    }

    /// Everybody is anonymous: for what has to be read before there are credentials.
    pub fn open(mut self) -> Self {
        self.authenticator = None;
        self
    }

    /// Who sends a request.
    pub fn authenticate<B>(&self, request: &Request<B>) -> Authentication {
        match &self.authenticator {
            Some(authenticator) => authenticator.authenticate(&Credentials::of(request)),
            None => Authentication::Known(Principal::anonymous()),
        }
    }

    /// Whether a request may be sent here, and from its page.
    pub fn check_place<B>(&self, request: &Request<B>) -> Result<(), Refusal> {
        let local = self.check_host(request.uri(), request.headers())?;
        self.check_origin(request.headers(), local)
    }

    /// Whether the request was sent to a name of this machine to itself.
    fn check_host(&self, uri: &Uri, headers: &HeaderMap) -> Result<bool, Refusal> {
        let named = one(headers, &header::HOST)?;
        // What nearly all clients send, without a copy.
        let plain = named.map(without_port);
        if let Some(local) = LOCAL.iter().find(|local| plain == Some(**local))
            && self.allows(local)
        {
            return Ok(true);
        }
        let named = match (named, uri.authority()) {
            (Some(named), _) => host(named),
            (None, Some(authority)) => host(authority.as_str()),
            (None, None) => None,
        };
        let local = named.as_deref().is_some_and(|named| LOCAL.contains(&named));
        match named {
            _ if self.hosts.is_none() => Ok(local),
            Some(named) if self.allows(&named) => Ok(local),
            named => {
                // An attack, or a name that was forgotten: only who runs the server can tell.
                tracing::warn!(
                    target: "toolpact::http",
                    host = shorten(named.as_deref().unwrap_or_default()),
                    "a request was refused for its `Host`; `allowed_hosts` and --allow-host allow more"
                );
                Err(forbidden(
                    "expected the `Host` to be one that this server is known by; who runs it allows more \
                     with `allowed_hosts` or --allow-host",
                ))
            }
        }
    }

    fn allows(&self, host: &str) -> bool {
        let hosts = self.hosts.as_ref();
        hosts.is_none_or(|hosts| hosts.iter().any(|allowed| **allowed == *host))
    }

    /// Programs that are no browsers send none. Pages of this machine may ask this machine.
    fn check_origin(&self, headers: &HeaderMap, local: bool) -> Result<(), Refusal> {
        let Some(text) = one(headers, &header::ORIGIN)? else {
            return Ok(());
        };
        match Origin::parse(text) {
            Some(origin) if local && origin.is_local() => Ok(()),
            Some(origin) if self.origins.contains(&origin) => Ok(()),
            _ => {
                tracing::warn!(
                    target: "toolpact::http",
                    origin = shorten(text),
                    "a request was refused for its `Origin`; `allowed_origins` and --allow-origin allow more"
                );
                Err(forbidden(
                    "expected the `Origin` to be one that may use this server; who runs it allows more with \
                     `allowed_origins` or --allow-origin",
                ))
            }
        }
    }
}

/// The value of a header that may be there once.
pub(crate) fn one<'h>(
    headers: &'h HeaderMap,
    name: &HeaderName,
) -> Result<Option<&'h str>, Refusal> {
    let mut values = headers.get_all(name).iter();
    let value = match (values.next(), values.next()) {
        (None, _) => return Ok(None),
        (Some(value), None) => value.to_str().ok(),
        (Some(_), Some(_)) => None,
    };
    let message = || format!("expected the header `{name}` once, as text");
    value
        .map(Some)
        .ok_or_else(|| Refusal::new(StatusCode::BAD_REQUEST, message()))
}

/// What a stranger sent, for a log.
fn shorten(text: &str) -> String {
    text.chars().take(100).collect()
}

fn forbidden(message: &'static str) -> Refusal {
    Refusal::new(StatusCode::FORBIDDEN, message)
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::Guard;
    use crate::Authentication;

    fn status(guard: &Guard, headers: &[(&str, &str)]) -> u16 {
        let mut request = Request::builder().uri("/mcp");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(()).unwrap();
        let checked = guard
            .check_place(&request)
            .map(|()| guard.authenticate(&request));
        match checked {
            Ok(Authentication::Known(_)) => 200,
            Ok(Authentication::Refused(refusal)) | Err(refusal) => refusal.status().as_u16(),
            Ok(Authentication::Pending(_)) => panic!("nothing is waited for"),
        }
    }

    #[test]
    fn strangers_are_refused() {
        let guard = Guard::default()
            .host("tools.example.com")
            .origin("https://app.example.com");
        let local = ("host", "127.0.0.1:7878");
        for (headers, expected) in [
            (&[local][..], 200),
            (&[("host", "tools.example.com")], 200),
            (&[("host", "[::1]:7878")], 200),
            (&[("host", "LOCALHOST")], 200),
            (&[local, ("origin", "http://localhost:3000")], 200),
            (&[local, ("origin", "https://app.example.com")], 200),
            (&[local, ("origin", "http://app.example.com")], 403),
            (&[local, ("origin", "https://app.example.com:8443")], 403),
            (&[local, ("origin", "https://evil.example")], 403),
            (&[local, ("origin", "null")], 403),
            (
                &[
                    ("host", "tools.example.com"),
                    ("origin", "http://localhost:3000"),
                ],
                403,
            ),
            (
                &[
                    local,
                    ("origin", "http://localhost"),
                    ("origin", "https://evil.example"),
                ],
                400,
            ),
            (&[("host", "evil.example")], 403),
            (&[("host", "127.0.0.1.evil.example")], 403),
            (&[("host", "localhost@evil.example")], 403),
            (&[local, local], 400),
            (&[], 403),
        ] {
            assert_eq!(status(&guard, headers), expected, "{headers:?}");
        }
        assert_eq!(
            status(&Guard::default().any_host(), &[("host", "evil.example")]),
            200
        );
    }

    #[test]
    fn tokens_are_asked_for() {
        let guard = Guard::default().token("s3cret");
        let local = ("host", "localhost");
        for (shown, expected) in [
            ("Bearer s3cret", 200),
            ("bearer s3cret", 200),
            ("Bearer wrong", 401),
            ("Bearer", 401),
            ("Basic s3cret", 401),
            ("s3cret", 401),
        ] {
            assert_eq!(
                status(&guard, &[local, ("authorization", shown)]),
                expected,
                "{shown}"
            );
        }
        assert_eq!(status(&guard, &[local]), 401);
    }
}
