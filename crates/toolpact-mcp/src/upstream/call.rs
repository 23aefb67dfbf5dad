//! A call of a tool on another server.

use std::sync::Arc;

use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientRequest, ProgressNotificationParam, ServerResult,
};
use rmcp::service::{PeerRequestOptions, RequestHandle, ServiceError};
use toolpact::core::json::Value;
use toolpact::core::returns::ErrorKind;
use toolpact::define::UntypedOutput;
use toolpact::returns::Progress;
use toolpact::{Context, ToolError};

use super::UpstreamError;
use super::client::Listening;
use super::link::Link;
use super::result;
use super::tools::Remote;

/// Calls the tool, and passes on what happens on either side: how far it is, and that nobody waits.
pub(super) async fn run(
    link: &Arc<Link>,
    tool: &Remote,
    args: &Value,
    context: &Context,
) -> Result<UntypedOutput, ToolError> {
    let mut params = CallToolRequestParams::new(tool.name.to_string());
    params.arguments = Some(args.deserialize()?);
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
    let sent = link.send(request, PeerRequestOptions::no_options()).await;
    let (connection, handle) = sent.map_err(UpstreamError::into_tool_error)?;
    let listening = link.heard.listen(handle.progress_token.clone());
    let answer = wait(handle, listening, context).await?;
    let answer =
        answer.map_err(|error| UpstreamError::of_service(link.place(), error).into_tool_error())?;
    result::read(&answer, tool, connection.version().as_ref())
}

/// Waits for the answer, or until nobody waits for the call.
async fn wait(
    mut handle: RequestHandle<RoleClient>,
    mut listening: Listening,
    context: &Context,
) -> Result<Result<ServerResult, ServiceError>, ToolError> {
    loop {
        tokio::select! {
            biased;
            answer = &mut handle.rx => {
                return Ok(answer.unwrap_or(Err(ServiceError::TransportClosed)));
            }
            Some(said) = listening.updates.recv() => {
                if let Some(progress) = progress(&said) {
                    context.progress(progress).await;
                }
            }
            () = context.cancelled() => {
                // If the server is gone, there is nobody to tell.
                let _ = handle.cancel(Some("nobody waits for the result".to_owned())).await;
                return Err(ToolError::new(ErrorKind::Cancelled, ""));
            }
        }
    }
}

/// In our words, as far as they can say it.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "only whole numbers that fit come here"
)]
fn progress(said: &ProgressNotificationParam) -> Option<Progress> {
    let whole = |n: f64| ((0.0..1e15).contains(&n) && n.fract() == 0.0).then_some(n as u64);
    let steps = whole(said.progress).zip(said.total.and_then(whole));
    let mut progress = Progress::default();
    if let Some((done, total)) = steps {
        progress = progress.with_steps(done, total).ok()?;
    }
    Some(match &said.message {
        Some(message) => progress.with_message(message),
        None => progress,
    })
}
