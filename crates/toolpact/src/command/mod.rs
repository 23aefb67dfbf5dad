//! Tools that are programs.
use toolpact_core::contract::Command;
use toolpact_core::returns::StandardError;
#[derive(Default)]
pub struct CommandLimits;
impl CommandLimits { pub(crate) fn stdout_bytes(self, _: usize) -> Self { self } }
#[derive(Debug)]
pub(crate) struct CommandError;
impl std::fmt::Display for CommandError { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str("x") } }
impl std::error::Error for CommandError {}
impl From<&CommandError> for StandardError { fn from(_: &CommandError) -> Self { StandardError::with_code("X", "x") } }
pub(crate) async fn run(_: &Command, _: &[u8], _: &CommandLimits) -> Result<Vec<u8>, CommandError> { Err(CommandError) }
