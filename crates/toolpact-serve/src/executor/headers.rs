//! Headers of requests. Some of them are secrets.

use http::{HeaderMap, HeaderName, HeaderValue};
use toolpact::ToolError;
use toolpact::core::json::Node;

use super::template::Template;
use crate::config::expand;

/// Headers that make a request another one than it looks like.
const OURS: [&str; 7] = [
    "connection",
    "content-length",
    "host",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// The headers of a request, with places for arguments.
#[derive(Clone, Default)]
pub(super) struct Headers(Vec<(HeaderName, Filling)>);

#[derive(Clone)]
enum Filling {
    /// The same for every call. It may be a secret.
    Fixed(HeaderValue),
    /// With arguments. It has no secrets in it.
    Arguments(Template),
}

impl Headers {
    /// Adds a header. Secrets and arguments do not go together: the value of one could show the
    /// other.
    pub(super) fn add(&mut self, name: &str, value: &str) -> Result<(), String> {
        let header = header_name(name)?;
        let secrets = value.matches("${").count();
        let filling = match (secrets, value.matches('{').count() > secrets) {
            (0, true) => Filling::Arguments(Template::read(value)?),
            (_, true) => return Err("expected arguments or secrets, found both".to_owned()),
            (_, false) => Filling::Fixed(fixed(name, value)?),
        };
        self.0.push((header, filling));
        Ok(())
    }

    /// Adds a header with the value of an argument.
    pub(super) fn add_argument(&mut self, name: &str, argument: &str) -> Result<(), String> {
        let template = Template::read(&format!("{{{argument}}}"))?;
        self.0
            .push((header_name(name)?, Filling::Arguments(template)));
        Ok(())
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0
            .iter()
            .any(|(header, _)| header.as_str().eq_ignore_ascii_case(name))
    }

    pub(super) fn arguments(&self) -> impl Iterator<Item = &str> {
        let templates = self.0.iter().filter_map(|(_, filling)| match filling {
            Filling::Arguments(template) => Some(template),
            Filling::Fixed(_) => None,
        });
        templates.flat_map(Template::arguments)
    }

    /// The headers for these arguments. One whose argument was not given is left out.
    pub(super) fn fill(&self, args: Node<'_>) -> Result<HeaderMap, ToolError> {
        let mut headers = HeaderMap::new();
        for (name, filling) in &self.0 {
            let value = match filling {
                Filling::Fixed(value) => value.clone(),
                Filling::Arguments(template) => match template.fill(args)? {
                    Some(text) => argument(name, template, &text)?,
                    None => continue,
                },
            };
            headers.append(name, value);
        }
        Ok(headers)
    }
}

fn header_name(name: &str) -> Result<HeaderName, String> {
    let header: HeaderName = name.parse().map_err(|_| {
        format!(
            "expected the name of a header, found `{}`",
            name.escape_debug()
        )
    })?;
    match OURS.contains(&header.as_str()) {
        true => Err(format!(
            "expected a header that may be set, found `{header}`"
        )),
        false => Ok(header),
    }
}

/// A value with its secrets filled in. What is wrong is said without them.
fn fixed(name: &str, value: &str) -> Result<HeaderValue, String> {
    let value = expand(value)?;
    let mut value = HeaderValue::from_str(&value)
        .map_err(|_| format!("expected `{name}` to have a value that HTTP can carry"))?;
    value.set_sensitive(true);
    Ok(value)
}

/// A value that a caller gave. A line break in it would begin another header.
fn argument(name: &HeaderName, template: &Template, text: &str) -> Result<HeaderValue, ToolError> {
    HeaderValue::from_str(text).map_err(|_| {
        let arguments: Vec<&str> = template.arguments().collect();
        ToolError::invalid(format!(
            "Expected `{}` without line breaks and control characters, because it is sent as the \
             header `{name}`.",
            arguments.join("` and `")
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::Headers;
    use toolpact::core::json::Value;

    #[test]
    fn line_breaks_are_refused() {
        let mut headers = Headers::default();
        headers.add("X-Trace", "{trace}").unwrap();
        let filled = |args: &str| headers.fill(Value::from_json(args).unwrap().root());
        assert_eq!(filled(r#"{"trace": "a"}"#).unwrap()["x-trace"], "a");
        assert!(filled("{}").unwrap().is_empty());
        for wrong in [r#""a\r\nX-Admin: 1""#, r#""a\nb""#, r#""\u0000""#] {
            let error = filled(&format!(r#"{{"trace": {wrong}}}"#)).unwrap_err();
            assert!(error.message().contains("`trace`"), "{error}");
        }
    }

    #[test]
    fn headers_that_frame_a_request_are_ours() {
        for wrong in ["Host", "content-length", "Transfer-Encoding", "a b", ""] {
            assert!(Headers::default().add(wrong, "x").is_err(), "{wrong}");
        }
        assert!(Headers::default().add("X", "a\nb").is_err());
        assert!(Headers::default().add("X", "${env:PATH} {a}").is_err());
    }
}
