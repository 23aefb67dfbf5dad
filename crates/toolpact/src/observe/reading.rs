use std::borrow::Cow;

/// A number that a server measures, besides the [`Metrics`](super::Metrics) of its tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// Its name, as OpenTelemetry writes names: `toolpact.sessions`.
    pub name: &'static str,
    /// What it says, for people.
    pub description: &'static str,
    /// Whether it only grows.
    pub is_counter: bool,
    /// What it is about, if there are several of this name.
    pub label: Option<(&'static str, Cow<'static, str>)>,
    /// The number.
    pub value: u64,
}
