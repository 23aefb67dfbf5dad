//! Arguments that a request repeats in its headers, so that proxies can route it: `x-mcp-header`.

use std::borrow::Cow;

use toolpact::core::json::{Kind, Node};

const KEYWORD: &str = "x-mcp-header";
const PREFIX: &str = "mcp-param-";

/// One argument, and the header that repeats it.
pub(crate) struct HeaderParam {
    /// The keys that lead to the argument.
    path: Vec<Box<str>>,
    /// The name of the header, in lower case.
    pub(crate) header: String,
}

impl HeaderParam {
    /// Those of a schema of parameters. They stand on properties, and properties of these.
    pub(super) fn of(schema: Node<'_>) -> Vec<Self> {
        let mut found = Vec::new();
        let mut open = vec![(Vec::new(), schema)];
        while let Some((path, schema)) = open.pop() {
            let properties = schema.get("properties");
            let properties = properties.filter(|node| node.kind() == Kind::Object);
            for (key, property) in properties.into_iter().flat_map(Node::members) {
                let mut path: Vec<Box<str>> = path.clone();
                path.push(key.into());
                let name = property.get(KEYWORD).and_then(Node::as_str);
                if let Some(name) = name.filter(|name| !name.is_empty()) {
                    let header = format!("{PREFIX}{}", name.to_ascii_lowercase());
                    found.push(Self {
                        path: path.clone(),
                        header,
                    });
                }
                open.push((path, property));
            }
        }
        found
    }

    /// What the header has to say for these arguments; `None` if it must not be there.
    pub(crate) fn expected<'a>(&self, arguments: Option<Node<'a>>) -> Option<Cow<'a, str>> {
        let mut node = arguments?;
        for key in &self.path {
            node = node.get(key)?;
        }
        match node.kind() {
            Kind::String => node.as_str(),
            Kind::Number | Kind::Bool => Some(node.text().into()),
            _ => None,
        }
    }
}
