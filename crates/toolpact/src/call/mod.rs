//! One call, from its arguments to its result.

mod admit;
mod approve;
mod approver;
mod arguments;
mod contract_violation;
pub(crate) mod decode;
mod enforcement;
mod error_code;
mod execute;
mod guard;
mod limits;
mod panic;
mod principal_limits;
mod rate;
mod record;
mod reported_failure;
mod request;
mod result;
mod retry;
mod run;
mod typed_input;
mod unknown_tool;

pub(crate) use admit::{Gate, Gates, Permits};
pub use approver::{Answer, ApprovalRecord, Approver};
pub use enforcement::{Enforcement, ResultChecks};
pub use guard::{CallGuard, Decision, GuardDecision, Proposal, Verdict};
pub use limits::CallLimits;
pub(crate) use panic::catch_panic;
pub(crate) use principal_limits::{PrincipalGates, PrincipalLimits};
pub(crate) use rate::Bucket;
pub use rate::Rate;
pub use request::Call;
pub(crate) use result::{CheckedOutput, Keep, KeptResult, ResultChecker};
pub use retry::{Pauses, Retries};
pub(crate) use run::{CallOutcome, CallRequest, run};
pub(crate) use typed_input::{Arguments, CallArgs, TypedInput};
