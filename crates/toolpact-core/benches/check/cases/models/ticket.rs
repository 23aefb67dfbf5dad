//! `create_support_ticket`.

use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ticket {
    title: String,
    description: String,
    priority: Priority,
    category: Category,
    #[serde(skip_serializing_if = "Option::is_none")]
    assignee: Option<Assignee>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attachments: Option<Vec<Attachment>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Priority {
    Low,
    Medium,
    High,
    Critical,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Category {
    Technical,
    Billing,
    Account,
    FeatureRequest,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Assignee {
    team: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Attachment {
    filename: String,
    content_type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<i64>,
}
