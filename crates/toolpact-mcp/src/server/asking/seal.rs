//! What a client carries from one round to the next, and cannot change.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rmcp::model::{ErrorData, InputResponses, RequestStateCodec, SealOptions};
use sha2::{Digest as _, Sha256};
use toolpact::core::json::Value;

/// How long there is to answer.
const LASTS: Duration = Duration::from_secs(24 * 60 * 60);

/// Seals answers. Cloning is cheap. Without a key it finds one when it is needed.
#[derive(Clone, Default)]
pub(crate) struct Seal(Arc<OnceLock<Option<RequestStateCodec>>>);

/// The call that answers are for.
pub(crate) struct Bound {
    tool: Box<str>,
    args: Value,
}

impl Bound {
    pub(crate) fn new(tool: &str, args: &Value) -> Self {
        let (tool, args) = (tool.into(), args.clone());
        Self { tool, args }
    }

    pub(super) fn tool(&self) -> &str {
        &self.tool
    }

    fn bytes(&self) -> Vec<u8> {
        format!("{}\0{}", self.tool, self.args.to_canonical()).into_bytes()
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

    fn codec(&self) -> Result<&RequestStateCodec, ErrorData> {
        let by_chance = || {
            let mut key = [0; 32];
            getrandom::fill(&mut key).ok()?;
            RequestStateCodec::try_new(key).ok()
        };
        let codec = self.0.get_or_init(by_chance).as_ref();
        codec.ok_or_else(|| ErrorData::internal_error("There is nothing to seal with.", None))
    }

    pub(super) fn close(
        &self,
        answers: &InputResponses,
        call: &Bound,
    ) -> Result<String, ErrorData> {
        let bound = call.bytes();
        let options = SealOptions::new().associated_data(&bound).ttl(LASTS);
        let unwritable = |_| ErrorData::internal_error("The answers could not be written.", None);
        let answers = serde_json::to_vec(answers).map_err(unwritable)?;
        Ok(self.codec()?.seal_with(&answers, &options))
    }

    /// The answers of the rounds before, if this server has sealed them for the same call.
    pub(super) fn open(&self, state: &str, call: &Bound) -> Result<InputResponses, ErrorData> {
        let opened = self.codec()?.open_with(state, &call.bytes()).ok();
        let answers = opened.and_then(|answers| serde_json::from_slice(&answers).ok());
        answers.ok_or_else(|| {
            let message = "expected `requestState` as this server gave it for a call of the same tool \
                           with the same arguments, within a day; call again without it";
            ErrorData::invalid_params(message, None)
        })
    }
}
