//! Bodies of requests.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value as Json;
use toolpact::ToolError;
use toolpact::core::json::{Kind, Node};

use super::style::{Style, deep, pairs, query, text};

/// What a body is made of.
#[derive(Debug, Clone)]
pub(super) enum Body {
    None,
    /// The arguments that go nowhere else, as JSON of this content type.
    Json(Box<str>),
    /// One argument as JSON of this content type.
    Argument(Box<str>, Box<str>),
    /// One argument as it is, of this content type.
    Raw(Box<str>, Box<str>),
    /// Pairs, as in a query.
    Form(Members),
    /// Parts, of which some are files.
    Multipart(Members),
}

/// The members of a form.
#[derive(Debug, Clone, Default)]
pub(super) struct Members {
    /// The argument that has them; without it, they are the arguments that go nowhere else.
    pub(super) argument: Option<Box<str>>,
    /// Those that are written as `name[key]`.
    pub(super) deep: Vec<Box<str>>,
    /// Those that are files.
    pub(super) files: Vec<Box<str>>,
}

/// A body and its content type.
pub(super) type Written = (Vec<u8>, String);

pub(super) const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";
const BYTES: &str = "application/octet-stream";

impl Body {
    /// The body for these arguments; `rest` are those that go nowhere else.
    pub(super) fn write(
        &self,
        args: Node<'_>,
        rest: &[(String, Node<'_>)],
    ) -> Result<Option<Written>, ToolError> {
        Ok(match self {
            Body::None => None,
            Body::Json(kind) => Some((object(rest).into_bytes(), kind.to_string())),
            Body::Argument(name, kind) => {
                let value = args.get(name);
                value.map(|value| (value.text().as_bytes().to_vec(), kind.to_string()))
            }
            Body::Raw(name, kind) => match args.get(name) {
                Some(value) => Some((content(name, value)?.0, kind.to_string())),
                None => None,
            },
            Body::Form(members) => {
                let mut all = Vec::new();
                for (name, value) in members.of(args, rest) {
                    all.extend(members.pairs(&name, value)?);
                }
                Some((query(&all).into_bytes(), FORM.to_owned()))
            }
            Body::Multipart(members) => {
                let mut parts = Vec::new();
                for (name, value) in members.of(args, rest) {
                    members.parts(&name, value, &mut parts)?;
                }
                Some(multipart(&parts))
            }
        })
    }
}

impl Members {
    fn of<'a>(&self, args: Node<'a>, rest: &[(String, Node<'a>)]) -> Vec<(String, Node<'a>)> {
        let Some(argument) = &self.argument else {
            return rest.to_vec();
        };
        let members = args.get(argument).into_iter().flat_map(Node::members);
        members
            .map(|(name, value)| (name.into_owned(), value))
            .collect()
    }

    fn pairs(&self, name: &str, value: Node<'_>) -> Result<Vec<(String, String)>, ToolError> {
        let is_deep = self.deep.iter().any(|deep| **deep == *name);
        // Of an object nothing but its name tells whose members they are.
        if is_deep || value.kind() == Kind::Object {
            let mut out = Vec::new();
            deep(&super::template::encode(name), value, &mut out);
            return Ok(out);
        }
        pairs(name, value, Style::Form)
    }

    fn parts(&self, name: &str, value: Node<'_>, parts: &mut Vec<Part>) -> Result<(), ToolError> {
        if value.kind() == Kind::Array {
            return value
                .items()
                .try_for_each(|item| self.parts(name, item, parts));
        }
        let part = match self.files.iter().any(|file| **file == *name) {
            true => {
                let (bytes, kind) = content(name, value)?;
                Part {
                    name: name.to_owned(),
                    kind: Some(kind),
                    is_file: true,
                    bytes,
                }
            }
            false => Part {
                name: name.to_owned(),
                kind: (value.kind() == Kind::Object).then(|| JSON.to_owned()),
                is_file: false,
                bytes: text(value)
                    .unwrap_or_else(|| value.text().to_owned())
                    .into_bytes(),
            },
        };
        parts.push(part);
        Ok(())
    }
}

/// The bytes of a file and their content type: those of a `data:` URL, or the text itself.
fn content(name: &str, value: Node<'_>) -> Result<(Vec<u8>, String), ToolError> {
    let Some(text) = text(value) else {
        return Err(ToolError::invalid(format!(
            "Expected `{name}` to be text, or a `data:` URL with base64 in it."
        )));
    };
    let data = text
        .strip_prefix("data:")
        .and_then(|data| data.split_once(";base64,"));
    let Some((kind, data)) = data else {
        return Ok((text.into_bytes(), BYTES.to_owned()));
    };
    let bytes = STANDARD.decode(data).map_err(|_| {
        ToolError::invalid(format!(
            "Expected `{name}` to have base64 after `;base64,`."
        ))
    })?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "/+-.".contains(c);
    let kind = match !kind.is_empty() && kind.chars().all(plain) {
        true => kind.to_owned(),
        false => BYTES.to_owned(),
    };
    Ok((bytes, kind))
}

struct Part {
    name: String,
    kind: Option<String>,
    is_file: bool,
    bytes: Vec<u8>,
}

fn multipart(parts: &[Part]) -> Written {
    let boundary = boundary(parts);
    let mut out = Vec::new();
    for part in parts {
        let name = quoted(&part.name);
        let file = if part.is_file {
            format!("; filename=\"{name}\"")
        } else {
            String::new()
        };
        let kind = part.kind.as_ref();
        let kind = kind.map_or(String::new(), |kind| format!("Content-Type: {kind}\r\n"));
        let head = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n{kind}\r\n"
        );
        out.extend_from_slice(head.as_bytes());
        out.extend_from_slice(&part.bytes);
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    (out, format!("multipart/form-data; boundary={boundary}"))
}

/// A line that is in none of the parts.
fn boundary(parts: &[Part]) -> String {
    let is_in = |line: &str| {
        let line = line.as_bytes();
        let mut windows = parts.iter().flat_map(|part| part.bytes.windows(line.len()));
        windows.any(|window| window == line)
    };
    let mut lines = (0_u64..).map(|number| format!("toolpact-{number:016x}"));
    lines.find(|line| !is_in(line)).unwrap_or_default()
}

/// A name between quotes, as HTML writes them.
fn quoted(name: &str) -> String {
    name.replace('"', "%22")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Members as an object. As text, so that numbers keep every digit.
fn object(members: &[(String, Node<'_>)]) -> String {
    let member = |(name, value): &(String, Node<'_>)| {
        format!("{}:{}", Json::from(name.as_str()), value.text())
    };
    let members: Vec<String> = members.iter().map(member).collect();
    format!("{{{}}}", members.join(","))
}
