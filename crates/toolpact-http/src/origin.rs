//! Hosts and origins, and which of them are allowed.

use http::uri::{Authority, Uri};

/// The names of this machine to itself.
pub(crate) const LOCAL: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Where a page of a browser comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Origin {
    scheme: Box<str>,
    host: Box<str>,
    port: u16,
}

impl Origin {
    /// `https://example.com:8443`; `None` for what is no origin, `null` among it.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let uri: Uri = text.trim().parse().ok()?;
        let scheme = uri.scheme_str()?.to_ascii_lowercase();
        let nothing_more = matches!(uri.path(), "" | "/") && uri.query().is_none();
        let usual = match &*scheme {
            "http" => 80,
            "https" => 443,
            _ => return None,
        };
        let authority = uri.authority()?;
        nothing_more.then(|| Self {
            scheme: scheme.into(),
            host: authority.host().to_ascii_lowercase().into(),
            port: authority.port_u16().unwrap_or(usual),
        })
    }

    pub(crate) fn is_local(&self) -> bool {
        LOCAL.contains(&&*self.host)
    }
}

/// The host of `example.com:8080`, without the port.
pub(crate) fn host(authority: &str) -> Option<String> {
    let authority: Authority = authority.parse().ok()?;
    // Whoever writes a name in front of it wants to be taken for someone else.
    let host = authority.host().to_ascii_lowercase();
    (!authority.as_str().contains('@')).then_some(host)
}

/// The same, for a text that may be no authority.
pub(crate) fn without_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.parse::<u16>().is_ok() => host,
        _ => authority,
    }
}

#[cfg(test)]
mod tests {
    use super::{Origin, host};

    #[test]
    fn origins_are_compared_by_what_they_mean() {
        let parse = |text| Origin::parse(text).unwrap();
        assert_eq!(
            parse("https://Example.com"),
            parse("https://example.com:443")
        );
        assert_ne!(parse("http://example.com"), parse("https://example.com"));
        assert!(parse("http://[::1]:9000").is_local());
        assert!(!parse("http://localhost.example.com").is_local());
        for wrong in [
            "null",
            "",
            "example.com",
            "file:///x",
            "https://example.com/path",
            "https://",
        ] {
            assert_eq!(Origin::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn hosts_have_no_port_and_no_user() {
        assert_eq!(host("LOCALHOST:7878").as_deref(), Some("localhost"));
        assert_eq!(host("[::1]:7878").as_deref(), Some("[::1]"));
        assert_eq!(host("localhost@evil.example"), None);
        assert_eq!(host("a b"), None);
    }
}
