use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How far an order is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    /// Not yet paid.
    Open,
    Paid,
    /// On its way.
    Sent,
    Delivered,
    Cancelled,
}

impl Status {
    pub(crate) const ALL: [Self; 5] = [
        Self::Open,
        Self::Paid,
        Self::Sent,
        Self::Delivered,
        Self::Cancelled,
    ];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Paid => "paid",
            Self::Sent => "sent",
            Self::Delivered => "delivered",
            Self::Cancelled => "cancelled",
        }
    }

    /// What an order may become next.
    pub(crate) fn next(self) -> &'static [Self] {
        match self {
            Self::Open => &[Self::Paid, Self::Cancelled],
            Self::Paid => &[Self::Sent, Self::Cancelled],
            Self::Sent => &[Self::Delivered],
            Self::Delivered | Self::Cancelled => &[],
        }
    }

    /// Whether nothing more will happen to an order.
    pub(crate) fn is_final(self) -> bool {
        self.next().is_empty()
    }
}

impl FromSql for Status {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let text = value.as_str()?;
        let status = Self::ALL.into_iter().find(|status| status.as_str() == text);
        status.ok_or(FromSqlError::InvalidType)
    }
}

impl ToSql for Status {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.as_str().into())
    }
}
