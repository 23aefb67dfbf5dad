//! Calls that are held, for those who decide about them.

use http::header::CONTENT_TYPE;
use serde_json::{Value as Json, json};

use super::{Client, ClientError, list, refused};

impl Client {
    /// The calls that are held and that whoever has the token may decide about, each as `GET /v1/approvals` has it.
    pub async fn approvals(&self) -> Result<Vec<Json>, ClientError> {
        let asking = self.sender.get(self.at("/v1/approvals"));
        let list = list(&self.send(asking, "").await?)?;
        Ok(list["approvals"].as_array().cloned().unwrap_or_default())
    }

    /// Approves or denies a call that is held. Returns what the server says of it, or `None` if it is not held (any
    /// more).
    pub async fn decide(
        &self,
        id: &str,
        approves: bool,
        reason: Option<&str>,
    ) -> Result<Option<Json>, ClientError> {
        let decision = if approves { "approve" } else { "deny" };
        let mut body = json!({"decision": decision});
        if let Some(reason) = reason {
            body["reason"] = reason.into();
        }
        let mut url = self.at("/v1/approvals");
        if let Ok(mut path) = url.path_segments_mut() {
            path.push(id);
        }
        let request = self.sender.post(url);
        let request = request
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_string());
        let answer = self.send(request, "; it may have been decided").await?;
        if answer.status == http::StatusCode::NOT_FOUND {
            return Ok(None);
        }
        if !answer.status.is_success() {
            return Err(refused(&answer));
        }
        list(&answer).map(Some)
    }
}
