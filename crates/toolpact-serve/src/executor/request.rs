//! A request for a call.

use http::header::{CONTENT_TYPE, COOKIE, HeaderValue};
use http::{HeaderMap, Method};
use reqwest::Url;
use toolpact::ToolError;
use toolpact::core::json::{Node, Value};
use toolpact_http::outgoing;

use super::arguments::text_of;
use super::body::Body;
use super::headers::Headers;
use super::style::{self, Style};
use super::template::{UrlTemplate, encode};

/// How a request is made of arguments.
#[derive(Clone)]
pub(super) struct Form {
    pub(super) method: Method,
    pub(super) url: UrlTemplate,
    pub(super) query: Vec<Query>,
    pub(super) headers: Headers,
    /// The arguments that are cookies, and what they are called there.
    pub(super) cookies: Vec<(Box<str>, Box<str>)>,
    pub(super) body: Body,
    /// Arguments that are not sent, because the config says what is sent in their place.
    pub(super) ignored: Vec<Box<str>>,
}

/// An argument of the query, what it is called there, and how it is written.
#[derive(Clone)]
pub(super) struct Query {
    pub(super) argument: Box<str>,
    pub(super) name: Box<str>,
    pub(super) style: Style,
}

/// A request, ready to be sent.
pub(super) struct Request {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) body: Option<Vec<u8>>,
}

impl Request {
    /// What is asked for, without the query: what stands there may be secret.
    pub(super) fn told(&self) -> String {
        let (authority, path) = (outgoing::authority(&self.url), self.url.path());
        format!("{} {}://{authority}{path}", self.method, self.url.scheme())
    }
}

impl Form {
    pub(super) fn fill(&self, args: &Value) -> Result<Request, ToolError> {
        let args = args.root();
        let mut url = self.url.fill(args)?;
        let mut pairs = Vec::new();
        for Query {
            argument,
            name,
            style,
        } in &self.query
        {
            if let Some(value) = args.get(argument) {
                pairs.extend(style::pairs(name, value, *style)?);
            }
        }
        if !pairs.is_empty() {
            url.set_query(Some(&style::query(&pairs)));
        }
        let mut headers = self.headers.fill(args)?;
        self.add_cookies(args, &mut headers)?;
        let body = self.body.write(args, &self.rest(args))?;
        if let Some((_, content_type)) = &body
            && !headers.contains_key(CONTENT_TYPE)
            && let Ok(content_type) = HeaderValue::from_str(content_type)
        {
            headers.insert(CONTENT_TYPE, content_type);
        }
        Ok(Request {
            method: self.method.clone(),
            url,
            headers,
            body: body.map(|(body, _)| body),
        })
    }

    fn add_cookies(&self, args: Node<'_>, headers: &mut HeaderMap) -> Result<(), ToolError> {
        let mut cookies = Vec::new();
        for (argument, name) in &self.cookies {
            if let Some(text) = text_of(args, argument)? {
                cookies.push(format!("{}={}", encode(name), encode(&text)));
            }
        }
        if let Ok(value) = HeaderValue::from_str(&cookies.join("; "))
            && !cookies.is_empty()
        {
            headers.insert(COOKIE, value);
        }
        Ok(())
    }

    /// The arguments that go nowhere else.
    fn rest<'a>(&self, args: Node<'a>) -> Vec<(String, Node<'a>)> {
        let rest = args.members().filter(|(name, _)| !self.is_placed(name));
        rest.map(|(name, value)| (name.into_owned(), value))
            .collect()
    }

    fn is_placed(&self, name: &str) -> bool {
        self.url.arguments().any(|argument| argument == name)
            || self.headers.arguments().any(|argument| argument == name)
            || self.query.iter().any(|query| *query.argument == *name)
            || self.cookies.iter().any(|(argument, _)| **argument == *name)
            || self.ignored.iter().any(|argument| **argument == *name)
    }
}
