//! What is known of the sender of a request: from its session, or from the `_meta` of the request.

use std::borrow::Cow;

use toolpact::core::TraceContext;
use toolpact::core::json::{Kind, Node};
use toolpact::core::trace::{TRACEPARENT, TRACESTATE};
use toolpact::session::{ClientInfo, LogLevel};

use super::client::Client;
use super::elicitation::Capabilities;
use crate::View;
use crate::rpc::{Message, RpcError};
use crate::version::Version;

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const LEVEL: &str = "io.modelcontextprotocol/logLevel";
const INFO: &str = "io.modelcontextprotocol/clientInfo";

/// What the `_meta` of a request says of its sender.
pub(crate) struct Described<'m> {
    meta: Option<Node<'m>>,
    /// The version that the request is of.
    pub(crate) version: Option<Cow<'m, str>>,
    capabilities: Option<Node<'m>>,
}

impl<'m> Described<'m> {
    pub(crate) fn of(message: &'m Message) -> Self {
        let meta = message.param("_meta");
        let capabilities = meta.and_then(|meta| meta.get(CAPABILITIES));
        Self {
            meta,
            version: meta.and_then(|meta| meta.get(VERSION)?.as_str()),
            capabilities: capabilities.filter(|node| node.kind() == Kind::Object),
        }
    }

    /// The trace that it is part of.
    pub(crate) fn trace(&self) -> Option<TraceContext> {
        let meta = self.meta?;
        let text = |name| meta.get(name).and_then(Node::as_str);
        TraceContext::read(&text(TRACEPARENT)?, text(TRACESTATE).as_deref())
    }

    /// Whether it is everything that a client without a session has to say.
    pub(crate) fn is_self_contained(&self) -> bool {
        self.version.is_some() && self.capabilities.is_some()
    }
}

/// The sender of a request.
pub(crate) struct Caller<'m> {
    pub(crate) version: Version,
    pub(crate) capabilities: Capabilities,
    /// The capabilities as the client declared them.
    pub(crate) declared: Node<'m>,
    /// From which level on it wants log lines.
    pub(crate) level: Option<LogLevel>,
    /// Whether it describes itself in this request, and has no session.
    pub(crate) describes_itself: bool,
    meta: Option<Node<'m>>,
    client: Option<&'m Client>,
}

impl<'m> Caller<'m> {
    /// A request that describes its sender is taken at its word, also in a session.
    pub(crate) fn of(
        described: &Described<'m>,
        client: Option<&'m Client>,
    ) -> Result<Self, RpcError> {
        let Described {
            meta,
            ref version,
            capabilities: declared,
        } = *described;
        if meta.is_some_and(|meta| meta.kind() != Kind::Object) {
            return Err(RpcError::invalid_params("expected `_meta` to be an object"));
        }
        let negotiated = client.and_then(Client::negotiated);
        if let (None, Some(negotiated)) = (version, negotiated) {
            return Ok(Self {
                version: negotiated.version,
                capabilities: negotiated.capabilities,
                declared: negotiated.declared.root(),
                level: client.and_then(Client::level),
                describes_itself: false,
                meta,
                client,
            });
        }
        let (Some(version), Some(declared)) = (version, declared) else {
            return Err(undescribed(version.is_some(), declared.is_some()));
        };
        let known = Version::from_name(version);
        let version = known.ok_or_else(|| RpcError::unsupported_version(version))?;
        let level = meta.and_then(|meta| meta.get(LEVEL)?.as_str());
        Ok(Self {
            version,
            capabilities: Capabilities::of(declared, version),
            declared,
            level: level.and_then(|level| LogLevel::from_name(&level)),
            describes_itself: true,
            meta,
            client,
        })
    }

    /// What it wants of results: as the request says, else its header, else by the name of the client.
    pub(crate) fn view(
        &self,
        header: Option<&str>,
        shared: &super::Shared,
    ) -> Result<View, RpcError> {
        let asked = self.meta.and_then(|meta| meta.get(View::META));
        let asked = match (asked, header) {
            (Some(view), _) => Some((View::META, view.as_str())),
            (None, Some(view)) => Some((View::HEADER, Some(view.into()))),
            (None, None) => None,
        };
        if let Some((place, view)) = asked {
            let view = view.and_then(|view| View::from_name(&view));
            return view.ok_or_else(|| {
                let message = format!("expected `{place}` to be `text`, `structure` or `both`");
                RpcError::invalid_params(message)
            });
        }
        Ok(shared.view_for(|| self.info()))
    }

    /// What the client says about itself, if it does.
    pub(crate) fn info(&self) -> Option<ClientInfo> {
        if let (false, Some(negotiated)) = (
            self.describes_itself,
            self.client.and_then(Client::negotiated),
        ) {
            return Some(negotiated.info.clone());
        }
        let info = self.meta?.get(INFO)?;
        let client = ClientInfo::new(&info.get("name")?.as_str()?);
        Some(match info.get("version").and_then(Node::as_str) {
            Some(version) => client.with_version(&version),
            None => client,
        })
    }

    /// The token under which it wants progress, as JSON.
    pub(crate) fn progress_token(&self) -> Option<Box<str>> {
        let token = self.meta?.get("progressToken")?;
        let is_token = matches!(token.kind(), Kind::String | Kind::Number);
        is_token.then(|| token.text().into())
    }
}

fn undescribed(version: bool, capabilities: bool) -> RpcError {
    let missing = [(VERSION, version), (CAPABILITIES, capabilities)];
    let missing = missing.iter().filter(|(_, is_there)| !is_there);
    let missing: Vec<&str> = missing.map(|(key, _)| *key).collect();
    RpcError::invalid_params(format!(
        "expected a session that `initialize` began, or `_meta` with the text \
         `{VERSION}` and the object `{CAPABILITIES}`; missing or malformed: {}",
        missing.join(", ")
    ))
}
