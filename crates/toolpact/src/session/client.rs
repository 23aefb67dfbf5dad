use std::sync::Arc;

/// What a client says about itself: the program that a principal uses. Nobody has verified it, so it is good for
/// logs and for rules that honest clients follow, and for nothing that must hold. Cloning is cheap.
///
/// ```
/// use toolpact::session::ClientInfo;
///
/// let client = ClientInfo::new("desk-agent").with_version("2.1");
/// assert_eq!(client.to_string(), "desk-agent 2.1");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientInfo(Arc<Said>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Said {
    name: Box<str>,
    version: Option<Box<str>>,
}

/// Most characters of a name or a version.
const MOST: usize = 200;

impl ClientInfo {
    /// A client of this name. What is too long for a name is cut.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self(Arc::new(Said {
            name: cut(name),
            version: None,
        }))
    }

    /// With its version.
    #[must_use]
    pub fn with_version(mut self, version: &str) -> Self {
        Arc::make_mut(&mut self.0).version = Some(cut(version));
        self
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Its version, if it says so.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        self.0.version.as_deref()
    }
}

fn cut(text: &str) -> Box<str> {
    match text.char_indices().nth(MOST) {
        Some((end, _)) => text.get(..end).unwrap_or_default().into(),
        None => text.into(),
    }
}

/// Its name, and its version after a space.
impl std::fmt::Display for ClientInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())?;
        match self.version() {
            Some(version) => write!(f, " {version}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ClientInfo, MOST};

    #[test]
    fn what_is_too_long_is_cut() {
        let long = "ä".repeat(MOST + 1);
        let client = ClientInfo::new(&long).with_version(&long);
        assert_eq!(client.name(), "ä".repeat(MOST));
        assert_eq!(client.version(), Some(client.name()));
    }
}
