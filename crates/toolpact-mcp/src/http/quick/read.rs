//! Which calls have nothing unusual about them.

use std::sync::Arc;
use std::time::Duration;

use http::{HeaderMap, header};
use rmcp::model::{ClientCapabilities, Implementation};
use tokio_util::sync::CancellationToken;
use toolpact::core::json::{Kind, Node, Value};

use super::{Id, Quick};
use crate::View;
use crate::server::{Asking, Caller, Can, Clients, KnownCall, Order, Seen, Shared, message};
use crate::version::VERSIONS;

/// The names of the protocol's own in `_meta` begin with this.
const OWN: &str = "io.modelcontextprotocol/";
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const LEVEL: &str = "io.modelcontextprotocol/logLevel";
const CLIENT: &str = "io.modelcontextprotocol/clientInfo";

/// Reads calls, if there is nothing unusual about them.
pub(in crate::http) struct Reader<'a> {
    pub(in crate::http) shared: &'a Arc<Shared>,
    pub(in crate::http) clients: &'a Clients,
    /// How often the library has to hear of a client.
    pub(in crate::http) heard: Duration,
    /// Cancelled when the server has come to its end.
    pub(in crate::http) stop: &'a CancellationToken,
}

/// What a call says.
struct Said<'m> {
    id: Node<'m>,
    name: Box<str>,
    args: Value,
    meta: Option<Node<'m>>,
}

/// Who calls.
struct Who {
    seen: Seen,
    name: Option<Box<str>>,
    can: Can,
    cancel: CancellationToken,
    known: Option<KnownCall>,
}

impl Reader<'_> {
    pub(in crate::http) fn read(&self, message: Node<'_>, headers: &HeaderMap) -> Option<Quick> {
        let said = Said::read(message)?;
        if !is_usual(headers) || self.shared.needs.contains_key(&said.name) {
            return None;
        }
        let version = sole(headers, "mcp-protocol-version")?;
        let place = VERSIONS
            .iter()
            .position(|known| known.as_str() == version)?;
        let has_sessions = VERSIONS[place].has_initialize();
        let who = match has_sessions {
            true => self.in_session(&said, version, headers)?,
            false => self.alone(&said, version, headers)?,
        };
        let asked = said.meta.and_then(|meta| meta.get(View::META));
        let asked = asked.map(Node::as_str);
        let asked = match (&asked, headers.get(View::HEADER)) {
            (Some(view), _) => Some((View::META, view.as_deref())),
            (None, Some(view)) => Some((View::HEADER, view.to_str().ok())),
            (None, None) => None,
        };
        let view = self.shared.view(asked, || who.name).ok()?;
        let order = Order::new(who.seen, place, &said.name, &said.args, view)?;
        if !has_sessions && order.is_in_headers() {
            return None;
        }
        let asking = match has_sessions {
            true => Asking::in_session(who.can),
            false => Asking::in_rounds(who.can, order.round(self.shared, None, None).ok()?),
        };
        Some(Quick {
            order,
            caller: Caller {
                cancel: who.cancel,
                known: who.known,
                asking,
            },
            id: Id {
                text: said.id.as_str().unwrap_or(said.id.text().into()).into(),
                json: said.id.text().into(),
            },
            says_type: !has_sessions,
        })
    }

    /// A caller whose session has begun, in the version that was agreed upon.
    fn in_session(&self, said: &Said<'_>, version: &str, headers: &HeaderMap) -> Option<Who> {
        let known = self.clients.get(sole(headers, Clients::HEADER)?)?;
        let client = known.client()?;
        let agreed = client.agreed()?;
        let is_own = |(key, _): (std::borrow::Cow<'_, str>, _)| key.starts_with(OWN);
        let says_more = said.meta.is_some_and(|meta| meta.members().any(is_own));
        if agreed.version.as_str() != version || says_more || client.level().is_some() {
            return None;
        }
        if self.clients.is_due(&known, self.heard) {
            return None;
        }
        let cancel = agreed.gone();
        Some(Who {
            seen: client.seen(),
            name: Some((*agreed.name).into()),
            can: agreed.can,
            known: Some(known.begin(message::request_id(said.id)?, &cancel)),
            cancel,
        })
    }

    /// A caller without a session, whose request says everything itself, and some of it twice.
    fn alone(&self, said: &Said<'_>, version: &str, headers: &HeaderMap) -> Option<Who> {
        let meta = said.meta?;
        let agrees = meta.get(VERSION)?.as_str()? == version
            && sole(headers, "mcp-method")? == "tools/call"
            && sole(headers, "mcp-name")? == &*said.name;
        let capabilities = meta.get(CAPABILITIES)?.text();
        let capabilities = serde_json::from_str::<ClientCapabilities>(capabilities).ok()?;
        if !agrees || meta.get(LEVEL).is_some() {
            return None;
        }
        let client = meta.get(CLIENT).filter(|_| !self.shared.views.is_empty());
        let client = client.and_then(|c| serde_json::from_str::<Implementation>(c.text()).ok());
        Some(Who {
            seen: Seen::of(self.shared.catalog().ok()?),
            name: client.map(|client| client.name.into()),
            can: Can::of(&capabilities, &VERSIONS[VERSIONS.len() - 1]),
            cancel: self.stop.child_token(),
            known: None,
        })
    }
}

impl<'m> Said<'m> {
    fn read(message: Node<'m>) -> Option<Self> {
        let (mut name, mut args, mut meta) = (None, None, None);
        for (key, part) in message.get("params")?.members() {
            match &*key {
                "name" => name = part.as_str(),
                "arguments" => args = Some(part),
                "_meta" => meta = Some(part),
                _ => return None,
            }
        }
        let is_odd = |part: Option<Node<'_>>| part.is_some_and(|p| p.kind() != Kind::Object);
        let tells_progress = meta.is_some_and(|meta| meta.get("progressToken").is_some());
        if is_odd(args) || is_odd(meta) || tells_progress {
            return None;
        }
        let args = match args {
            Some(args) => args.to_value(),
            None => Value::from_json("{}").ok()?,
        };
        Some(Self {
            id: message.get("id")?,
            name: name?.into(),
            args,
            meta,
        })
    }
}

/// Whether the client says that it sends JSON and takes what clients have to take.
fn is_usual(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    text(header::CONTENT_TYPE).is_some_and(|sent| sent.starts_with("application/json"))
        && text(header::ACCEPT).is_some_and(|taken| {
            taken.contains("application/json") && taken.contains("text/event-stream")
        })
}

/// The value of a header that is there once.
fn sole<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}
