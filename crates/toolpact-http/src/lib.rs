//! HTTP as all servers of toolpact speak it.
//!
//! - [`GuardLayer`] lets pass who may ask: hosts, origins and credentials ([`Guard`]), and CORS for pages. An
//!   [`Authenticator`] finds out who that is; [`principal_of`] tells it.
//! - [`BodyLayer`] reads bodies within [`BodyLimits`].
//! - [`listen`] serves [`Connections`], so that none of them can block others, behind [`Tls`] if wanted.
//! - [`Peer`] says who sends a request, and [`Room`] who makes room when there are too many.
//! - [`trace_of`] reads the trace that a request is part of, and [`add_trace`] passes one on.
//! - [`outgoing`] has the client that every outgoing request is made with.
//!
//! The layers are layers of `tower`. What they refuse is a [`Refusal`], which each server writes in its
//! own form.

mod authenticate;
mod body;
mod certificate;
mod connections;
mod cors;
mod guard;
mod guard_layer;
mod head_timer;
mod held_body;
mod origin;
#[doc(hidden)]
pub mod outgoing;
mod peer;
mod places;
mod read_body;
mod refusal;
mod tls;
mod token;
mod trace;
mod tracked;
mod turn_away;
mod write_timeout;

pub use authenticate::{
    Authentication, Authenticator, Credentials, PendingAuthentication, Shown, principal_of,
};
pub use body::{BodyFuture, BodyLayer, BodyLimits, BodyService};
pub use certificate::ClientCertificate;
pub use connections::{Connections, listen};
pub use guard::Guard;
pub use guard_layer::{GuardFuture, GuardLayer, GuardService};
pub use held_body::{HeldBody, held_bytes};
pub use peer::{Holder, Network, NoRoom, Owner, Peer, Room};
pub use read_body::SPENT;
pub use refusal::Refusal;
pub use tls::{Tls, TlsError, TlsFiles};
pub use token::{OneToken, Secret};
pub use trace::{add_trace, trace_of};
