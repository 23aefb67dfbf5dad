//! Addresses with `{argument}` in their path, and texts with it anywhere.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::Url;
use toolpact::ToolError;
use toolpact::core::json::Node;

use super::arguments::text_of;

/// All that can mean something in an address.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// A text with places for arguments.
#[derive(Debug, Clone)]
pub(super) struct Template(Vec<Piece>);

#[derive(Debug, Clone)]
enum Piece {
    Text(Box<str>),
    Argument(Box<str>),
}

impl Template {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let (mut pieces, mut rest) = (Vec::new(), text);
        while let Some((before, after)) = rest.split_once('{') {
            let (name, behind) = after
                .split_once('}')
                .ok_or_else(|| "expected `{argument}`, found no `}` after `{`".to_owned())?;
            if name.is_empty() || name.contains('{') {
                return Err("expected the name of an argument between `{` and `}`".to_owned());
            }
            if before.ends_with('$') {
                return Err("expected no secrets here: they go into `headers` only".to_owned());
            }
            pieces.push(Piece::Text(before.into()));
            pieces.push(Piece::Argument(name.into()));
            rest = behind;
        }
        pieces.push(Piece::Text(rest.into()));
        Ok(Self(pieces))
    }

    /// The arguments that it has places for.
    pub(super) fn arguments(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Argument(name) => Some(&**name),
            Piece::Text(_) => None,
        })
    }

    /// The text with arguments in their places; `None` if one of them was not given.
    pub(super) fn fill(&self, args: Node<'_>) -> Result<Option<String>, ToolError> {
        self.fill_with(args, str::to_owned)
    }

    /// The same, with arguments written so that they mean nothing in an address.
    fn fill_encoded(&self, args: Node<'_>) -> Result<Option<String>, ToolError> {
        self.fill_with(args, encode)
    }

    fn fill_with(
        &self,
        args: Node<'_>,
        write: impl Fn(&str) -> String,
    ) -> Result<Option<String>, ToolError> {
        let mut out = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Argument(name) => match text_of(args, name)? {
                    Some(text) => out.push_str(&write(&text)),
                    None => return Ok(None),
                },
            }
        }
        Ok(Some(out))
    }
}

/// An address with places for arguments in its path. Its host is fixed.
#[derive(Debug, Clone)]
pub(super) struct UrlTemplate {
    base: Url,
    segments: Vec<Template>,
}

impl UrlTemplate {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let (scheme, rest) = text.split_once("://").ok_or_else(|| not_http(text))?;
        let (authority, path) = match rest.find(['/', '?', '#']) {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        if authority.contains(['{', '}', '@', '$']) {
            return Err("expected a fixed host without a user, found something else".to_owned());
        }
        if path.contains(['?', '#']) {
            return Err(
                "expected no `?` and no `#`: arguments of the query are in `query`".to_owned(),
            );
        }
        let base: Url = format!("{scheme}://{authority}/")
            .parse()
            .map_err(|error| format!("expected an address: {error}"))?;
        if !matches!(base.scheme(), "http" | "https") {
            return Err(not_http(text));
        }
        let segments = path.strip_prefix('/').unwrap_or(path).split('/');
        let segments = segments.map(Template::read).collect::<Result<_, _>>()?;
        Ok(Self { base, segments })
    }

    pub(super) fn arguments(&self) -> impl Iterator<Item = &str> {
        self.segments.iter().flat_map(Template::arguments)
    }

    /// The address for these arguments. None of them can leave its place in the path.
    pub(super) fn fill(&self, args: Node<'_>) -> Result<Url, ToolError> {
        let mut path = String::new();
        for segment in &self.segments {
            let filled = segment.fill_encoded(args)?;
            let filled = filled.ok_or_else(|| missing(segment))?;
            let dots = segment.arguments().next().is_some() && is_special(&filled);
            if dots {
                return Err(special(segment));
            }
            path.push('/');
            path.push_str(&filled);
        }
        let mut url = self.base.clone();
        url.set_path(&path);
        Ok(url)
    }

    pub(super) fn base(&self) -> &Url {
        &self.base
    }
}

pub(super) fn encode(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// A part of a path that means another part, or none.
fn is_special(segment: &str) -> bool {
    matches!(segment, "" | "." | "..")
}

fn missing(segment: &Template) -> ToolError {
    let names: Vec<&str> = segment.arguments().collect();
    ToolError::invalid(format!("Give `{}`.", names.join("` and `")))
}

fn special(segment: &Template) -> ToolError {
    let names: Vec<&str> = segment.arguments().collect();
    ToolError::invalid(format!(
        "Expected `{}` to be something other than nothing, `.` and `..`.",
        names.join("` and `")
    ))
}

fn not_http(text: &str) -> String {
    let scheme = text.split_once("://").map_or("none", |(scheme, _)| scheme);
    format!(
        "expected an address that begins with `https://` or `http://`, found the scheme `{scheme}`"
    )
}

#[cfg(test)]
mod tests {
    use super::UrlTemplate;
    use toolpact::core::json::Value;

    fn fill(template: &str, args: &str) -> Result<String, String> {
        let args = Value::from_json(args).unwrap();
        let url = UrlTemplate::read(template).unwrap().fill(args.root());
        url.map(|url| url.to_string())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn arguments_stay_in_their_place() {
        let template = "http://example.com/orders/{id}/lines";
        for (id, expected) in [
            (r#""a b""#, "a%20b"),
            (r#""../../admin""#, "..%2F..%2Fadmin"),
            (r#""x?y=1#z""#, "x%3Fy%3D1%23z"),
            (r#""%2e%2e""#, "%252e%252e"),
            ("7", "7"),
            ("true", "true"),
        ] {
            let url = fill(template, &format!(r#"{{"id": {id}}}"#)).unwrap();
            assert_eq!(url, format!("http://example.com/orders/{expected}/lines"));
        }
        for wrong in [r#""..""#, r#"".""#, r#""""#, "[1]", "null"] {
            assert!(
                fill(template, &format!(r#"{{"id": {wrong}}}"#)).is_err(),
                "{wrong}"
            );
        }
        assert!(fill(template, "{}").is_err());
    }

    #[test]
    fn hosts_are_fixed() {
        for wrong in [
            "http://{host}/x",
            "http://user@example.com/",
            "ftp://example.com/",
            "example.com",
            "http://example.com/a?b={c}",
            "http://example.com/{a",
            "http://example.com/{}",
            "http://example.com/${env:TOKEN}",
        ] {
            assert!(UrlTemplate::read(wrong).is_err(), "{wrong}");
        }
    }
}
