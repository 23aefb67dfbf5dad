/// How an operation of an OpenAPI document is called over HTTP, and where its arguments go.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Route {
    /// In upper case: `GET`.
    pub method: Box<str>,
    /// With `{name}` where arguments go: `/orders/{orderId}`.
    pub path: Box<str>,
    /// What the path is appended to, its variables at their defaults. `None` if the document names
    /// no server.
    pub server: Option<Box<str>>,
    /// The content type of the request body; `None` if there is no body.
    pub body: Option<Box<str>>,
    /// The arguments that have a place of their own. All others are members of the body.
    pub placements: Vec<Placement>,
}

/// Where an argument goes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Placement {
    /// What it is called in the contract.
    pub argument: Box<str>,
    /// Where it goes.
    pub part: Part,
    /// What it is called there.
    pub name: Box<str>,
    /// How lists and objects are written: `form`, `simple`, … as OpenAPI has it. Empty if it is
    /// written in the content type.
    pub style: Box<str>,
    /// Whether each element of a list or an object is written on its own.
    pub explode: bool,
    /// The content type it is written in, if it has one.
    pub content: Option<Box<str>>,
}

/// A part of an HTTP request, in the order in which names are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Part {
    /// `{name}` in the path.
    Path,
    /// After the `?`.
    Query,
    /// A header.
    Header,
    /// A cookie.
    Cookie,
    /// The whole body.
    Body,
}

impl Route {
    /// Where an argument goes, if it has a place of its own. Others are members of the body.
    #[must_use]
    pub fn placement(&self, argument: &str) -> Option<&Placement> {
        self.placements
            .iter()
            .find(|placement| *placement.argument == *argument)
    }
}

impl Part {
    /// Its name in OpenAPI.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Part::Path => "path",
            Part::Query => "query",
            Part::Header => "header",
            Part::Cookie => "cookie",
            Part::Body => "body",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        let parts = [Part::Path, Part::Query, Part::Header, Part::Cookie];
        parts.into_iter().find(|part| part.as_str() == name)
    }

    /// How values are written unless the document says otherwise.
    pub(super) fn default_style(self) -> &'static str {
        match self {
            Part::Path | Part::Header => "simple",
            Part::Query | Part::Cookie => "form",
            Part::Body => "",
        }
    }
}
