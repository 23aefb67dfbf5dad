//! Tools that are HTTP calls.

mod answer;
mod api;
mod arguments;
mod body;
mod headers;
mod hosts;
mod http;
mod request;
mod send;
mod span;
mod style;
mod template;

pub(crate) use api::operation;
pub(crate) use http::HttpPlan;
pub(crate) use send::Sender;

/// What is wrong with the description of a call: the field, and what was expected of it.
#[derive(Debug)]
pub(crate) struct Wrong {
    pub(crate) field: &'static str,
    pub(crate) message: String,
}

impl Wrong {
    pub(crate) fn new(field: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { field, message }
    }
}
