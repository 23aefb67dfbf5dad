/// How an operation of an OpenAPI document is called over HTTP, and where its arguments go.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Route {
    /// The method in upper case: `GET`.
    pub method: Box<str>,
    /// The path, with variables in braces: `/orders/{orderId}`.
    pub path: Box<str>,
    /// The base URL, with default variables. `None` if the document declares no server.
    pub server: Option<Box<str>>,
    /// The content type of the request body; `None` if there is no body.
    pub body: Option<Box<str>>,
    /// The arguments that are sent on their own. All others are members of the body.
    pub placements: Vec<Placement>,
    /// The members of a form that are written as `name[key]`.
    pub deep: Vec<Box<str>>,
    /// The members of a form that are files.
    pub files: Vec<Box<str>>,
}

/// Where an argument is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Placement {
    /// Its name in the contract.
    pub argument: Box<str>,
    /// The part of the request that it is sent in.
    pub part: RequestPart,
    /// Its name in the request.
    pub name: Box<str>,
    /// How arrays and objects are serialised, as in OpenAPI: `form`, `simple`, … Empty if `content`
    /// is set.
    pub style: Box<str>,
    /// Whether each element of an array or object is serialised separately.
    pub explode: bool,
    /// The content type that it is serialised in, if it has one.
    pub content: Option<Box<str>>,
}

/// A part of an HTTP request, in order of name precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum RequestPart {
    /// A variable in the path.
    Path,
    /// The query string.
    Query,
    /// A header.
    Header,
    /// A cookie.
    Cookie,
    /// The whole body.
    Body,
}

impl Route {
    /// Where an argument is sent, if on its own. Others are members of the body.
    #[must_use]
    pub fn placement(&self, argument: &str) -> Option<&Placement> {
        self.placements
            .iter()
            .find(|placement| *placement.argument == *argument)
    }
}

impl RequestPart {
    /// Its name in OpenAPI.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            RequestPart::Path => "path",
            RequestPart::Query => "query",
            RequestPart::Header => "header",
            RequestPart::Cookie => "cookie",
            RequestPart::Body => "body",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        let parts = [
            RequestPart::Path,
            RequestPart::Query,
            RequestPart::Header,
            RequestPart::Cookie,
        ];
        parts.into_iter().find(|part| part.as_str() == name)
    }

    /// The serialisation style unless the document declares another.
    pub(super) fn default_style(self) -> &'static str {
        match self {
            RequestPart::Path | RequestPart::Header => "simple",
            RequestPart::Query | RequestPart::Cookie => "form",
            RequestPart::Body => "",
        }
    }
}
