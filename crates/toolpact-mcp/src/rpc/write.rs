use std::sync::Arc;

use serde::Serialize;
use toolpact::core::memory::{MemoryBudget, MemoryShare};

use super::{ErrorCode, Id, RpcError};

/// Answers up to this size take no memory of a budget.
const SMALL: usize = 64 << 10;

/// What clients are told whose answers have no place.
const UNREAD: &str = "The answers that are not read yet take all the memory that is set aside for them. Wait and try again.";

/// The answer to a request, as JSON.
pub(crate) struct Response {
    pub(crate) json: Vec<u8>,
    /// The code, if it is an error.
    pub(crate) error: Option<ErrorCode>,
    /// What a large result takes of the memory for results, until it is sent.
    pub(crate) memory: Option<Arc<MemoryShare>>,
    /// Whether it is the result of a call that was not allowed.
    pub(crate) is_denied: bool,
}

impl Response {
    /// A result that writes itself.
    pub(crate) fn result(id: &Id, write: impl FnOnce(&mut Vec<u8>)) -> Self {
        let mut json = Vec::with_capacity(1024);
        json.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
        json.extend_from_slice(id.json().as_bytes());
        json.extend_from_slice(b",\"result\":");
        write(&mut json);
        json.push(b'}');
        Self {
            json,
            error: None,
            memory: None,
            is_denied: false,
        }
    }

    pub(crate) fn of<T: Serialize>(id: &Id, result: &T) -> Self {
        match serde_json::to_vec(result) {
            Ok(result) => Self::result(id, |json| json.extend_from_slice(&result)),
            Err(_) => Self::error(
                Some(id),
                &RpcError::internal("The result cannot be written."),
            ),
        }
    }

    /// The same with its share of a budget until it is sent, if it is large; an error if there is none left.
    pub(crate) fn within(mut self, budget: &Arc<MemoryBudget>, id: &Id) -> Self {
        if self.json.len() <= SMALL {
            return self;
        }
        match budget.take(self.json.len()) {
            Some(share) => {
                self.memory = Some(Arc::new(share));
                self
            }
            None => Self::error(Some(id), &RpcError::overloaded(UNREAD)),
        }
    }

    /// Without an identifier if that could not be read.
    pub(crate) fn error(id: Option<&Id>, error: &RpcError) -> Self {
        let mut json = b"{\"jsonrpc\":\"2.0\",\"id\":".to_vec();
        json.extend_from_slice(id.map_or("null", Id::json).as_bytes());
        json.extend_from_slice(b",\"error\":");
        append(&mut json, error);
        json.push(b'}');
        let error = Some(error.code);
        Self {
            json,
            error,
            memory: None,
            is_denied: false,
        }
    }
}

pub(crate) fn notification<T: Serialize>(method: &str, params: Option<&T>) -> Vec<u8> {
    message(None, method, params)
}

pub(crate) fn request<T: Serialize>(id: &Id, method: &str, params: Option<&T>) -> Vec<u8> {
    message(Some(id), method, params)
}

fn message<T: Serialize>(id: Option<&Id>, method: &str, params: Option<&T>) -> Vec<u8> {
    let mut json = b"{\"jsonrpc\":\"2.0\"".to_vec();
    if let Some(id) = id {
        json.extend_from_slice(b",\"id\":");
        json.extend_from_slice(id.json().as_bytes());
    }
    json.extend_from_slice(b",\"method\":");
    append(&mut json, &method);
    if let Some(params) = params {
        json.extend_from_slice(b",\"params\":");
        append(&mut json, params);
    }
    json.push(b'}');
    json
}

/// Strings, numbers and maps of strings can always be written.
fn append<T: Serialize>(json: &mut Vec<u8>, value: &T) {
    let start = json.len();
    if serde_json::to_writer(&mut *json, value).is_err() {
        json.truncate(start);
        json.extend_from_slice(b"null");
    }
}
