//! What a client carries from one round to the next, and cannot change.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rmcp::model::{RequestStateCodec, SealOptions};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use sha2::{Digest as _, Sha256};
use toolpact::Principal;
use toolpact::core::json::Value;

use super::ClientRequest;
use crate::rpc::RpcError;

/// How long there is to answer.
const LASTS: Duration = Duration::from_secs(24 * 60 * 60);

/// What is known of a call when it is made again. Questions are known by their digests.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct State {
    /// What was asked last.
    pub(super) asked: BTreeMap<String, String>,
    /// What was answered before that.
    pub(super) answered: BTreeMap<String, Known>,
}

/// An answer, and the question that it was given to.
#[derive(Serialize, Deserialize)]
pub(super) struct Known {
    pub(super) question: String,
    pub(super) answer: Json,
}

/// The digest of a question, as long as is needed to tell it from others.
pub(super) fn digest(question: &ClientRequest) -> String {
    let text = serde_json::to_vec(question).unwrap_or_default();
    let digest = u128::from_be_bytes(*Sha256::digest(text).first_chunk().unwrap_or(&[0; 16]));
    format!("{digest:032x}")
}

/// Seals what is known of calls. Cloning is cheap. Without a key it finds one when it is needed.
#[derive(Clone, Default)]
pub(crate) struct Seal(Arc<OnceLock<Option<RequestStateCodec>>>);

/// The call that a state is of, and whose it is.
pub(crate) struct Bound {
    tool: Box<str>,
    args: Value,
    principal: Principal,
}

impl Bound {
    pub(crate) fn new(tool: &str, args: &Value, principal: &Principal) -> Self {
        Self {
            tool: tool.into(),
            args: args.clone(),
            principal: principal.clone(),
        }
    }

    /// None of its parts has a zero byte.
    fn bytes(&self) -> Vec<u8> {
        let (tool, args) = (&self.tool, self.args.to_canonical());
        format!("{tool}\0{args}\0{}", self.principal.key()).into_bytes()
    }
}

impl Seal {
    /// A seal made of a key, which may have other uses.
    pub(crate) fn of(key: &[u8]) -> Self {
        let mut own = Sha256::new();
        own.update(b"toolpact/mcp/request-state\0");
        own.update(key);
        let codec = RequestStateCodec::try_new(own.finalize().to_vec());
        Self(Arc::new(OnceLock::from(codec.ok())))
    }

    fn codec(&self) -> Result<&RequestStateCodec, RpcError> {
        let by_chance = || {
            let mut key = [0; 32];
            getrandom::fill(&mut key).ok()?;
            RequestStateCodec::try_new(key).ok()
        };
        let codec = self.0.get_or_init(by_chance).as_ref();
        codec.ok_or_else(|| RpcError::internal("There is nothing to seal with."))
    }

    pub(super) fn close(&self, state: &State, call: &Bound) -> Result<String, RpcError> {
        let bound = call.bytes();
        let options = SealOptions::new().associated_data(&bound).ttl(LASTS);
        let unwritable = |_| RpcError::internal("The state could not be written.");
        let state = serde_json::to_vec(state).map_err(unwritable)?;
        Ok(self.codec()?.seal_with(&state, &options))
    }

    /// A state, if this server has sealed it for the same call of the same principal.
    pub(super) fn open(&self, state: &str, call: &Bound) -> Result<State, RpcError> {
        let opened = self.codec()?.open_with(state, &call.bytes()).ok();
        let state = opened.and_then(|state| serde_json::from_slice(&state).ok());
        state.ok_or_else(|| {
            let message = "expected `requestState` as this server gave it for a call of the same tool \
                           with the same arguments, within a day; call again without it";
            RpcError::invalid_params(message)
        })
    }
}
