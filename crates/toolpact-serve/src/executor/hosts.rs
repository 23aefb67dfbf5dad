//! The hosts that may be asked.

use reqwest::Url;

/// The hosts that may be asked, with or without a port.
#[derive(Debug, Clone)]
pub(super) struct Hosts(Vec<Allowed>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Allowed {
    host: Box<str>,
    /// `None` for any.
    port: Option<u16>,
}

impl Hosts {
    /// That of the address itself, and others.
    pub(super) fn new(own: &Url, others: &[String]) -> Result<Self, String> {
        let mut hosts = vec![Allowed {
            host: own.host_str().unwrap_or_default().into(),
            port: own.port_or_known_default(),
        }];
        for other in others {
            hosts.push(read(other)?);
        }
        Ok(Self(hosts))
    }

    /// Whether an address, which has been parsed, may be asked.
    pub(super) fn allow(&self, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default();
        let port = url.port_or_known_default();
        matches!(url.scheme(), "http" | "https")
            && url.username().is_empty()
            && url.password().is_none()
            && self.0.iter().any(|allowed| {
                *allowed.host == *host && (allowed.port.is_none() || allowed.port == port)
            })
    }
}

/// `example.com` or `example.com:8080`, written as addresses have it.
fn read(text: &str) -> Result<Allowed, String> {
    let wrong =
        || format!("expected a host such as `example.com` or `example.com:8080`, found `{text}`");
    if text.contains(['/', '@', '?', '#', '\\']) {
        return Err(wrong());
    }
    let url: Url = format!("http://{text}/").parse().map_err(|_| wrong())?;
    let host = url.host_str().ok_or_else(wrong)?;
    // The usual port is not told from none by what was parsed.
    let has_port = text
        .rsplit_once(':')
        .is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    Ok(Allowed {
        host: host.into(),
        port: has_port.then(|| url.port_or_known_default()).flatten(),
    })
}

#[cfg(test)]
mod tests {
    use super::Hosts;

    #[test]
    fn only_what_is_listed() {
        let own = "http://api.example.com:8080/".parse().unwrap();
        let others = ["Other.example".to_owned(), "third.example:81".to_owned()];
        let hosts = Hosts::new(&own, &others).unwrap();
        for (url, expected) in [
            ("http://api.example.com:8080/x", true),
            ("http://API.example.com:8080/x", true),
            ("http://api.example.com/x", false),
            ("http://other.example:99/", true),
            ("http://third.example:81/", true),
            ("http://third.example/", false),
            ("http://api.example.com:8080@evil.example/", false),
            ("http://other.example.evil.example/", false),
            ("https://other.example/", true),
            ("https://api.example.com/", false),
            ("ftp://other.example/", false),
            ("http://user@other.example/", false),
        ] {
            assert_eq!(hosts.allow(&url.parse().unwrap()), expected, "{url}");
        }
        assert!(Hosts::new(&own, &["a/b".to_owned()]).is_err());
    }
}
