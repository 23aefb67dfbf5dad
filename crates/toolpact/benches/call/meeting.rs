//! `schedule_meeting` of the ADM specification, as one would write it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::returns::ObjectResult;
use toolpact::tool;

pub(crate) const CALL: &str = r#"{"name":"schedule_meeting","args":{"title":"Q1 Planning Session","start_time":"2025-02-15T14:00:00Z","duration_minutes":120,"participants":[{"email":"alice@company.com","role":"organizer","send_invitation":true},{"email":"bob@company.com","role":"required","send_invitation":true},{"email":"carol@company.com","role":"optional","send_invitation":false}],"location":{"type":"hybrid","address":"Conference Room A, 123 Business St","virtual_link":"https://meet.company.com/q1-planning","room_capacity":12},"recurrence":{"pattern":"monthly","interval":3,"occurrences":4}}}"#;

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Participant {
    email: String,
    role: Role,
    #[serde(skip_serializing_if = "Option::is_none")]
    send_invitation: Option<bool>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Role {
    Organizer,
    Required,
    Optional,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Location {
    r#type: Place,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    virtual_link: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    room_capacity: Option<i64>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Place {
    Physical,
    Virtual,
    Hybrid,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Recurrence {
    pattern: Pattern,
    #[serde(skip_serializing_if = "Option::is_none")]
    interval: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    occurrences: Option<i64>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Pattern {
    Daily,
    Weekly,
    Monthly,
    Yearly,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Meeting {
    title: String,
    start_time: String,
    duration_minutes: i64,
    participants: Vec<Participant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<Location>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recurrence: Option<Recurrence>,
}

/// Schedules a meeting. Here: says what it was told.
#[tool(inline)]
fn schedule_meeting(
    title: String,
    start_time: String,
    duration_minutes: i64,
    participants: Vec<Participant>,
    location: Option<Location>,
    recurrence: Option<Recurrence>,
) -> ObjectResult<Meeting> {
    ObjectResult::success(Meeting {
        title,
        start_time,
        duration_minutes,
        participants,
        location,
        recurrence,
    })
}

/// The same on the threads of tools.
#[tool(name = "schedule_meeting")]
async fn isolated(
    title: String,
    start_time: String,
    duration_minutes: i64,
    participants: Vec<Participant>,
    location: Option<Location>,
    recurrence: Option<Recurrence>,
) -> ObjectResult<Meeting> {
    std::future::ready(schedule_meeting(
        title,
        start_time,
        duration_minutes,
        participants,
        location,
        recurrence,
    ))
    .await
}

pub(crate) fn inline() -> impl toolpact::Tool {
    schedule_meeting::tool()
}

pub(crate) fn on_threads() -> impl toolpact::Tool {
    isolated::tool()
}
