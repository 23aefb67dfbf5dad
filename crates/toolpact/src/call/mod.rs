//! A call, from its arguments to its result.

mod admit;
mod approve;
mod arguments;
mod broken;
mod enforcement;
mod execute;
mod failure;
mod guard;
mod job;
mod limits;
mod panic;
mod rate;
pub(crate) mod read;
mod request;
mod retry;
mod run;
mod unknown;

pub(crate) use admit::{Gate, Permits};
pub(crate) use broken::rules;
pub use enforcement::Enforcement;
pub use guard::{Approver, Decision, Guard, Proposal};
pub(crate) use job::{Job, Keep, Product};
pub use limits::Limits;
pub(crate) use panic::guarded;
pub(crate) use rate::Bucket;
pub use rate::Rate;
pub use request::Call;
pub use retry::Retries;
pub(crate) use run::{Answer, Order, run};
