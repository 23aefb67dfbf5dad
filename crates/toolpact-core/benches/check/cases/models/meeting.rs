//! `schedule_meeting`.

use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Participant {
    email: String,
    role: Role,
    #[serde(skip_serializing_if = "Option::is_none")]
    send_invitation: Option<bool>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Role {
    Organizer,
    Required,
    Optional,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Location {
    r#type: Place,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    virtual_link: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    room_capacity: Option<i64>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Place {
    Physical,
    Virtual,
    Hybrid,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Recurrence {
    pattern: Pattern,
    #[serde(skip_serializing_if = "Option::is_none")]
    interval: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    occurrences: Option<i64>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Pattern {
    Daily,
    Weekly,
    Monthly,
    Yearly,
}
