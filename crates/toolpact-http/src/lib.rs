//! HTTP as all servers of toolpact speak it.
//!
//! - [`GuardLayer`] lets pass who may ask: hosts, origins and tokens ([`Guard`]), and CORS for pages.
//! - [`BodyLayer`] reads bodies within [`BodyLimits`].
//! - [`listen`] serves [`Connections`], so that none of them can block others.
//! - [`outgoing`] has the client that every outgoing request is made with.
//!
//! The layers are layers of `tower`. What they refuse is a [`Refusal`], which each server writes in its
//! own form.

mod body;
mod connections;
mod cors;
mod guard;
mod guard_layer;
mod head_timer;
mod held_body;
mod origin;
#[doc(hidden)]
pub mod outgoing;
mod read_body;
mod refusal;
mod token;
mod write_timeout;

pub use body::{BodyFuture, BodyLayer, BodyLimits, BodyService};
pub use connections::{Connections, listen};
pub use guard::Guard;
pub use guard_layer::{GuardFuture, GuardLayer, GuardService};
pub use held_body::HeldBody;
pub use read_body::SPENT;
pub use refusal::Refusal;
