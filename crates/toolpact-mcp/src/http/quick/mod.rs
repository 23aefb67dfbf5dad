//! Calls that ask for nothing but their answer, and soon have it.
//!
//! The library gives each call a task, channels and, in a session, a stream that can be taken up
//! again. Most calls are done before any of that is of use. So a call without anything unusual about
//! it is begun here, and answered at once if it can be; one that takes longer, or whose tool has to ask
//! its client in between, is handed to the library as it runs. Whatever is not as expected is left to the library from the start, which knows what to
//! say about it.

mod read;

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Response, header};
use http_body_util::{BodyExt as _, Full};
use rmcp::model::ErrorData;

use super::Body;
use crate::server::{Begun, Caller, Order, Reply};
pub(super) use read::Reader;

/// How long the library does not hear of a call.
const SOON: Duration = Duration::from_millis(20);

/// A call without anything unusual about it.
pub(super) struct Quick {
    order: Order,
    caller: Caller,
    id: Id,
    /// Whether the answer says that it is one.
    says_type: bool,
}

/// The identifier of a request.
struct Id {
    text: String,
    json: Box<str>,
}

impl Quick {
    /// Makes the call, or as much of it as can be made soon.
    pub(super) async fn make(self) -> Result<Response<Body>, Begun> {
        let mut calling = self.order.begin(self.id.text, self.caller);
        let asking = calling.asking();
        tokio::select! {
            biased;
            reply = &mut calling => Ok(respond(&self.id.json, &reply, self.says_type)),
            // Only the library can ask the client in the middle of a call.
            () = asking.wanted() => Err(Begun::new(calling)),
            () = tokio::time::sleep(SOON) => Err(Begun::new(calling)),
        }
    }
}

fn respond(id: &str, reply: &Result<Reply, ErrorData>, says_type: bool) -> Response<Body> {
    let body = write(id, reply, says_type);
    let mut response = Response::new(Full::new(Bytes::from(body)).boxed());
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}

fn write(id: &str, reply: &Result<Reply, ErrorData>, says_type: bool) -> Vec<u8> {
    let mut body = Vec::with_capacity(1024);
    body.extend(b"{\"jsonrpc\":\"2.0\",\"id\":");
    body.extend(id.as_bytes());
    // What is written here are texts and numbers, which can be written.
    let _ = match reply {
        Ok(reply) => {
            body.extend(b",\"result\":");
            reply.write(&mut body, says_type)
        }
        Err(error) => {
            body.extend(b",\"error\":");
            serde_json::to_writer(&mut body, error)
        }
    };
    body.push(b'}');
    body
}
