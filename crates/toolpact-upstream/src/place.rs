//! Where a server is.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use http::{HeaderName, HeaderValue};

/// A program or an address, with the secrets it takes. These are in no log and no debugging output.
pub(crate) enum Place {
    Command(Program),
    Http(Address),
}

pub(crate) struct Program {
    pub(crate) path: OsString,
    pub(crate) args: Vec<OsString>,
    pub(crate) env: Vec<(OsString, OsString)>,
    pub(crate) folder: Option<PathBuf>,
}

pub(crate) struct Address {
    pub(crate) url: String,
    pub(crate) headers: HashMap<HeaderName, HeaderValue>,
}

/// The program or the host: arguments, paths and queries may hold secrets.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Command(program) => write!(f, "the program `{}`", program.path.display()),
            Place::Http(address) => match address.host() {
                Some(host) => write!(f, "the server at {host}"),
                None => f.write_str("a server without an address"),
            },
        }
    }
}

impl Place {
    /// A text about the place without what is secret in its address.
    pub(crate) fn hide(&self, text: &str) -> String {
        let Place::Http(address) = self else {
            return text.to_owned();
        };
        // Libraries write it as it was parsed.
        let parsed = reqwest::Url::parse(&address.url).map(String::from);
        let text = text.replace(&address.url, "…");
        parsed.map_or(text.clone(), |parsed| text.replace(&parsed, "…"))
    }
}

impl Place {
    /// What to try where a server does not answer as one of MCP.
    pub(crate) fn advice(&self) -> Option<&'static str> {
        let Place::Http(address) = self else {
            return None;
        };
        let uri: http::Uri = address.url.parse().ok()?;
        matches!(uri.path(), "" | "/")
            .then_some("the address of an MCP server often ends in `/mcp`")
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl Address {
    fn host(&self) -> Option<String> {
        let (host, port) = self.host_and_port()?;
        let port = port.map(|port| format!(":{port}"));
        Some(format!("{host}{}", port.unwrap_or_default()))
    }

    /// The port, if the address names one.
    pub(crate) fn host_and_port(&self) -> Option<(String, Option<u16>)> {
        let uri: http::Uri = self.url.parse().ok()?;
        let authority = uri.authority()?;
        Some((authority.host().to_owned(), authority.port_u16()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Address, Place, Program};
    use std::collections::HashMap;

    #[test]
    fn secrets_are_not_shown() {
        let address = Place::Http(Address {
            url: "https://user:s3cret@example.com:8443/mcp/s3cret?key=s3cret".to_owned(),
            headers: HashMap::from([(
                http::header::AUTHORIZATION,
                "Bearer s3cret".parse().unwrap(),
            )]),
        });
        assert_eq!(format!("{address:?}"), "the server at example.com:8443");
        let said = "no answer for url (https://user:s3cret@example.com:8443/mcp/s3cret?key=s3cret)";
        assert_eq!(address.hide(said), "no answer for url (…)");
        let program = Place::Command(Program {
            path: "server".into(),
            args: vec!["--token=s3cret".into()],
            env: vec![("TOKEN".into(), "s3cret".into())],
            folder: None,
        });
        assert_eq!(format!("{program:?}"), "the program `server`");
    }
}
