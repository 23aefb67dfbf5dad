//! A request for a call.

use http::header::{CONTENT_TYPE, HeaderValue};
use http::{HeaderMap, Method};
use reqwest::Url;
use serde_json::Value as Json;
use toolpact::ToolError;
use toolpact::core::json::{Node, Value};
use toolpact_http::outgoing;

use super::arguments::texts_of;
use super::headers::Headers;
use super::template::UrlTemplate;

/// How a request is made of arguments.
#[derive(Clone)]
pub(super) struct Form {
    pub(super) method: Method,
    pub(super) url: UrlTemplate,
    /// The arguments of the query, and what they are called there.
    pub(super) query: Vec<(Box<str>, Box<str>)>,
    pub(super) headers: Headers,
    pub(super) body: Body,
}

/// What a body is made of.
#[derive(Clone)]
pub(super) enum Body {
    None,
    Json,
    Form,
    Argument(Box<str>),
}

/// A request, ready to be sent.
pub(super) struct Request {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) body: Option<String>,
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
        for (argument, name) in &self.query {
            let texts = texts_of(args, argument)?;
            pairs.extend(texts.into_iter().map(|text| (&**name, text)));
        }
        if !pairs.is_empty() {
            url.query_pairs_mut().extend_pairs(pairs);
        }
        let mut headers = self.headers.fill(args)?;
        let body = self.body(args)?;
        if let Some((_, content_type)) = &body
            && !headers.contains_key(CONTENT_TYPE)
        {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        }
        Ok(Request {
            method: self.method.clone(),
            url,
            headers,
            body: body.map(|(body, _)| body),
        })
    }

    fn body(&self, args: Node<'_>) -> Result<Option<(String, &'static str)>, ToolError> {
        match &self.body {
            Body::None => Ok(None),
            Body::Json => Ok(Some((self.rest_as_json(args), JSON))),
            Body::Form => Ok(Some((self.rest_as_form(args)?, FORM))),
            Body::Argument(name) => Ok(args.get(name).map(|value| (value.text().to_owned(), JSON))),
        }
    }

    /// The arguments that go nowhere else.
    fn rest<'a>(&self, args: Node<'a>) -> impl Iterator<Item = (String, Node<'a>)> {
        args.members()
            .filter(move |(name, _)| !self.is_placed(name))
            .map(|(name, value)| (name.into_owned(), value))
    }

    fn rest_as_json(&self, args: Node<'_>) -> String {
        // As text, so that numbers keep every digit.
        let member =
            |(name, value): (String, Node<'_>)| format!("{}:{}", Json::from(name), value.text());
        let members: Vec<String> = self.rest(args).map(member).collect();
        format!("{{{}}}", members.join(","))
    }

    fn rest_as_form(&self, args: Node<'_>) -> Result<String, ToolError> {
        let mut url = self.url.base().clone();
        for (name, _) in self.rest(args) {
            for text in texts_of(args, &name)? {
                url.query_pairs_mut().append_pair(&name, &text);
            }
        }
        Ok(url.query().unwrap_or_default().to_owned())
    }

    fn is_placed(&self, name: &str) -> bool {
        self.url.arguments().any(|argument| argument == name)
            || self.headers.arguments().any(|argument| argument == name)
            || self.query.iter().any(|(argument, _)| **argument == *name)
    }
}

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";
