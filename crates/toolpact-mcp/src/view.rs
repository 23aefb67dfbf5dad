use std::fmt;

/// What of a result a client is sent.
///
/// Clients differ in what they show to the model: some only the text, some only the structure, some
/// both, so that it reads everything twice. So this can be chosen for a client: by its name with
/// [`ServerBuilder::view_for`](crate::ServerBuilder::view_for), by the client itself with the header
/// `Toolpact-View` or the key `toolpact/view` in the `_meta` of a request. The nearest counts: the
/// request, then its header, then the name of the client, then the server's own choice.
///
/// A tool whose structure is not sent is listed without `outputSchema`, because a client may insist
/// on the one if it was shown the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum View {
    /// The text that a model reads, and no structure.
    Text,
    /// The structure, and text only where there is none.
    Structure,
    /// Both.
    #[default]
    Both,
}

impl View {
    /// The key in `_meta` of a request.
    pub const META: &'static str = "toolpact/view";

    /// The header of an HTTP request.
    pub const HEADER: &'static str = "toolpact-view";

    const ALL: [(&'static str, View); 3] = [
        ("text", View::Text),
        ("structure", View::Structure),
        ("both", View::Both),
    ];

    /// The view of this name: `text`, `structure` or `both`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(known, _)| *known == name);
        found.map(|(_, view)| *view)
    }

    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            View::Text => "text",
            View::Structure => "structure",
            View::Both => "both",
        }
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::View;

    #[test]
    fn names_lead_back() {
        for (name, view) in View::ALL {
            assert_eq!(View::from_name(name), Some(view));
            assert_eq!(view.to_string(), name);
        }
        assert_eq!(View::from_name("Text"), None);
    }
}
