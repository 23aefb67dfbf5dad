//! Calls that wait for an approval.

use std::sync::Arc;

use axum::extract::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::core::returns::ErrorKind;
use toolpact::observe::LoggedPrincipal;

use super::App;
use super::body::{AnyJson, Checked, Segment, request_body};
use super::reply::{Failure, Reply};
use super::sender::Sender;
use crate::approvals::{Approvals, HeldCall, Refused};

#[derive(Serialize, JsonSchema)]
pub(super) struct ApprovalsReply {
    /// In the order they came.
    approvals: Vec<HeldReply>,
}

/// A call that is held.
#[derive(Serialize, JsonSchema)]
struct HeldReply {
    id: String,
    /// By the name that clients use.
    tool: String,
    /// Who makes the call.
    principal: CallerReply,
    /// What the client says about itself, which nobody has verified.
    #[serde(skip_serializing_if = "Option::is_none")]
    client: Option<String>,
    /// The identifier that the caller gave the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    call_id: Option<String>,
    session: u64,
    question: String,
    /// The arguments, without what is redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<AnyJson>,
    /// The beginning of their JSON, if they are too long to be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments_cut: Option<String>,
    /// When it came, as in RFC 3339.
    since: String,
    /// When it is denied if nobody has decided.
    until: String,
}

#[derive(Serialize, JsonSchema)]
struct CallerReply {
    name: String,
    /// Who says so, if it is not this server.
    #[serde(skip_serializing_if = "Option::is_none")]
    issuer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tenant: Option<String>,
}

/// What is decided about a call.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DecisionRequest {
    decision: Verb,
    /// Why. The caller of a call that is denied reads it, and it is in the audit.
    #[schemars(length(min = 1, max = 1000))]
    reason: Option<String>,
}

request_body!(DecisionRequest);

#[derive(Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Verb {
    Approve,
    Deny,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct DecisionReply {
    id: String,
    tool: String,
    /// `approved` or `denied`.
    outcome: &'static str,
}

/// `GET /v1/approvals`: those that the sender may decide about.
pub(super) async fn list(
    State(app): State<Arc<App>>,
    Sender { principal, .. }: Sender,
) -> Result<Reply<ApprovalsReply>, Failure> {
    let held = approvals(&app)?.list(&principal).map_err(refused)?;
    let approvals = held.into_iter().map(HeldReply::from).collect();
    Ok(Reply(ApprovalsReply { approvals }))
}

/// `POST /v1/approvals/{id}`
pub(super) async fn decide(
    State(app): State<Arc<App>>,
    Sender { principal, .. }: Sender,
    Segment(id): Segment,
    Checked { body, .. }: Checked<DecisionRequest>,
) -> Result<Reply<DecisionReply>, Failure> {
    let approves = body.decision == Verb::Approve;
    let decided = approvals(&app)?.decide(&id, &principal, approves, body.reason.as_deref());
    let HeldCall { id, tool, .. } = decided.map_err(refused)?;
    Ok(Reply(DecisionReply {
        id,
        tool,
        outcome: if approves { "approved" } else { "denied" },
    }))
}

fn approvals(app: &App) -> Result<&Approvals, Failure> {
    app.approvals
        .as_ref()
        .ok_or_else(|| refused(Refused::NoRight))
}

fn refused(why: Refused) -> Failure {
    let (kind, message) = match why {
        Refused::NoRight => (
            ErrorKind::NotAllowed,
            "You may not decide about calls. Who may is in `policy.approval.held.approvers` of the config.",
        ),
        Refused::Own => (
            ErrorKind::NotAllowed,
            "You may not decide about your own call. Somebody else has to.",
        ),
        Refused::Unknown => (
            ErrorKind::NotFound,
            "No such call is held: it was decided, it took too long, or its caller is gone. \
             `GET /v1/approvals` lists those that are.",
        ),
    };
    Failure::new(kind, message)
}

impl From<HeldCall> for HeldReply {
    fn from(call: HeldCall) -> Self {
        let (arguments, arguments_cut) = match call.is_cut {
            true => (None, Some(call.arguments)),
            false => (AnyJson::from_text(call.arguments), None),
        };
        let LoggedPrincipal {
            name,
            issuer,
            tenant,
        } = call.principal;
        Self {
            id: call.id,
            tool: call.tool,
            principal: CallerReply {
                name,
                issuer,
                tenant,
            },
            client: call.client,
            call_id: call.call_id,
            session: call.session,
            question: call.question,
            arguments,
            arguments_cut,
            since: call.since.to_string(),
            until: call.until.to_string(),
        }
    }
}
