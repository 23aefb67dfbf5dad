//! Tools that are programs.

use std::sync::Arc;

use toolpact_core::contract::Command;
use toolpact_core::json::Value;
use toolpact_core::returns::{Returns, StandardError};

use super::{Body, Produced, Work};
use crate::call::{Job, read};
use crate::command::{CommandLimits, run};
use crate::typed::Held;
use crate::{Context, ToolError};

/// A program: arguments on its standard input, the result on its standard output.
pub(super) struct CommandBody(pub(super) Command);

impl Body for CommandBody {
    fn start(self: Arc<Self>, args: &[u8], _: Context, job: Job) -> Result<Work, ToolError> {
        let args = read::untyped(args)?;
        Ok(Box::pin(async move {
            let limits = CommandLimits {
                stdout_bytes: job.most,
                ..CommandLimits::default()
            };
            let written = run(&self.0, args.text().as_bytes(), &limits).await;
            let written = written.map_err(|error| {
                let cause = error.to_string();
                ToolError::from(StandardError::from(error)).with_source(cause)
            })?;
            let produced = produced(&written, job.entry.contract().returns());
            let kept = job.keeps_input().then(|| Held::new(args));
            job.seal_untyped(kept, produced)
        }))
    }

    fn decode(&self, json: &[u8]) -> Result<Held, ToolError> {
        Ok(Held::new(Value::from_json(json)?))
    }

    fn text(&self, _: &Held) -> Option<String> {
        None
    }
}

/// What a program wrote: JSON, or text where the contract promises no more than that.
fn produced(written: &[u8], returns: &Returns) -> Produced {
    let text = String::from_utf8_lossy(written);
    let text = text.trim_end_matches(['\n', '\r']);
    match (Value::from_json(text.trim()), returns) {
        (Ok(value), Returns::Opaque) if value.root().as_str().is_none() => Produced::text(text),
        (Ok(value), _) => value.into(),
        (Err(_), _) => Produced::text(text),
    }
}
