//! Calls that the server allows and records, and whose tools clients run themselves.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;
use toolpact::core::json::Value;
use toolpact::core::returns::{ErrorKind, StandardError};
use toolpact::define::UntypedOutput;
use toolpact::session::AuthorizedCall;
use toolpact::{Completed, Principal, ToolError};

use super::App;
use super::body::{AnyJson, Checked, Segment, present, request_body};
use super::call::{CallRequest, answer};
use super::reply::{AnyReply, Created, Failure};
use super::route::{Operation, Output};
use super::sender::Sender;
use super::sessions::new_id;
use crate::view::View;

/// Most of them that are open at once.
const OPEN: usize = 10_000;

/// The calls that are authorized and not over.
#[derive(Default)]
pub(crate) struct Authorizations(Mutex<HashMap<String, Open>>);

struct Open {
    principal: Principal,
    view: View,
    kept: bool,
    report: oneshot::Sender<Result<UntypedOutput, ToolError>>,
    over: oneshot::Receiver<Completed>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct AuthorizationReply {
    authorization: String,
    /// The arguments as they were checked, and repaired if that was asked for.
    args: AnyJson,
    /// How long there is time to report what came of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    within_ms: Option<u64>,
}

/// What the server says to a call.
pub(super) enum Verdict {
    Allowed(Created<AuthorizationReply>),
    /// As a call that is made would be.
    Refused(Response),
}

impl IntoResponse for Verdict {
    fn into_response(self) -> Response {
        match self {
            Self::Allowed(reply) => reply.into_response(),
            Self::Refused(response) => response,
        }
    }
}

impl Output for Verdict {
    fn describe(operation: &mut Operation) {
        Created::<AuthorizationReply>::describe(operation);
    }
}

/// What came of a call: a result or an error.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReportRequest {
    /// What the tool returned, in any form that its contract takes.
    #[serde(default, deserialize_with = "present")]
    result: Option<AnyJson>,
    /// Why it failed: an ADL error, `{"code", "message", "details"}`.
    #[serde(default, deserialize_with = "present")]
    error: Option<AnyJson>,
}

request_body!(ReportRequest);

/// `POST /v1/authorizations`
pub(super) async fn authorize(
    State(app): State<Arc<App>>,
    sender: Sender,
    request: Checked<CallRequest>,
) -> Result<Verdict, Failure> {
    let name = request.body.name().to_owned();
    let prepared = request.body.prepare(&app, &sender)?;
    if let Some(refusal) = super::oauth::refusal(app.resource.as_ref(), &prepared.session, &name) {
        let failed = |completed: &Completed| answer(&app, completed, prepared.view, prepared.kept);
        let refused = super::oauth::refuse(&refusal, &prepared.session, prepared.call, failed);
        return Ok(Verdict::Refused(refused.await));
    }
    let allowed = match prepared.session.authorize(prepared.call).await {
        Ok(allowed) => allowed,
        Err(refused) => {
            let refused = answer(&app, &refused, prepared.view, prepared.kept);
            return Ok(Verdict::Refused(refused));
        }
    };
    let args = AnyJson::from_text(allowed.args().text().to_owned());
    let left = { allowed.deadline() }.map(|end| end.saturating_duration_since(Instant::now()));
    let (principal, view) = (sender.principal, prepared.view);
    Ok(Verdict::Allowed(Created(AuthorizationReply {
        authorization: app
            .authorizations
            .open(&app, allowed, (principal, view, prepared.kept))?,
        args: args.ok_or_else(|| Failure::invalid("Expected arguments."))?,
        within_ms: left.map(|left| u64::try_from(left.as_millis()).unwrap_or(u64::MAX)),
    })))
}

/// `POST /v1/authorizations/{id}`
pub(super) async fn report(
    State(app): State<Arc<App>>,
    Sender { principal, .. }: Sender,
    Segment(id): Segment,
    Checked { body, .. }: Checked<ReportRequest>,
) -> Result<AnyReply, Failure> {
    let outcome = body.outcome()?;
    let open = app.authorizations.take(&id, &principal)?;
    // It may be over in this moment, which its outcome then says.
    let _ = open.report.send(outcome);
    let completed = open.over.await.map_err(|_| unknown())?;
    Ok(AnyReply(answer(&app, &completed, open.view, open.kept)))
}

impl ReportRequest {
    fn outcome(self) -> Result<Result<UntypedOutput, ToolError>, Failure> {
        let value = |json: &AnyJson| Value::from_json(json.text());
        let read = |json: &AnyJson| value(json).map_err(|wrong| Failure::of_violations(&wrong));
        match (&self.result, &self.error) {
            (Some(result), None) => Ok(Ok(read(result)?.into())),
            (None, Some(error)) => {
                let error = StandardError::from_value(&read(error)?);
                let error = error.map_err(|wrong| Failure::of_violations(&wrong))?;
                Ok(Err(ToolError::of_standard(error)))
            }
            _ => Err(Failure::invalid("Expected either `result` or `error`.")),
        }
    }
}

impl Authorizations {
    /// Keeps a call until it is over.
    fn open(
        &self,
        app: &Arc<App>,
        allowed: AuthorizedCall,
        (principal, view, kept): (Principal, View, bool),
    ) -> Result<String, Failure> {
        let id = new_id()?;
        let (report, reported) = oneshot::channel();
        let (done, over) = oneshot::channel();
        {
            let mut all = self.lock();
            if all.len() >= OPEN {
                let message = "Too many calls are authorized and not reported. Report them, or try again later.";
                return Err(Failure::new(ErrorKind::TooManyAtOnce, message));
            }
            let open = Open {
                principal,
                view,
                kept,
                report,
                over,
            };
            all.insert(id.clone(), open);
        }
        let (app, key): (Weak<App>, _) = (Arc::downgrade(app), id.clone());
        tokio::spawn(async move {
            let completed = allowed.run(async { reported.await.ok() }).await;
            // Whoever reports it now is told what came of it.
            if done.send(completed).is_ok()
                && let Some(app) = app.upgrade()
            {
                app.authorizations.forget(&key);
            }
        });
        Ok(id)
    }

    /// The call of this name, if it is this principal's. It can be reported once.
    fn take(&self, id: &str, principal: &Principal) -> Result<Open, Failure> {
        let mut all = self.lock();
        let is_theirs = all.get(id).is_some_and(|open| open.principal == *principal);
        let open = is_theirs.then(|| all.remove(id)).flatten();
        open.ok_or_else(unknown)
    }

    fn forget(&self, id: &str) {
        self.lock().remove(id);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Open>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unknown() -> Failure {
    Failure::not_found(
        "There is no such call, or it is over. `POST /v1/authorizations` asks for one.",
    )
}
