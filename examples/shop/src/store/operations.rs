//! Jobs that run for a while, as the database knows them.

use jiff::{Timestamp as Time, Unit};
use rusqlite::{Connection, OptionalExtension as _, Row};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::ToolError;
use toolpact::core::returns::{ErrorKind, StandardError};
use toolpact::returns::{OperationStatus, Progress, Timestamp};

use crate::values::OperationId;

/// What came of writing the index anew.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Reindexed {
    /// How many orders can be found now.
    pub(crate) orders: u64,
}

/// A job as it is kept.
struct Operation {
    id: OperationId,
    state: String,
    done: i64,
    total: i64,
    created_at: String,
    updated_at: String,
}

/// The job that runs, if one does.
pub(crate) fn running(from: &Connection) -> Result<Option<OperationId>, ToolError> {
    let sql = "SELECT id FROM operations WHERE state = 'running'";
    Ok(from.query_row(sql, (), |row| row.get(0)).optional()?)
}

pub(crate) fn start(to: &Connection, total: i64) -> Result<OperationId, ToolError> {
    let now = now();
    to.execute(
        "INSERT INTO operations (state, done, total, created_at, updated_at)
         VALUES ('running', 0, ?, ?, ?)",
        (total, &now, &now),
    )?;
    Ok(OperationId(to.last_insert_rowid()))
}

/// Notes how far a job is. Returns whether it is still wanted.
pub(crate) fn advance(to: &Connection, id: OperationId, done: i64) -> Result<bool, ToolError> {
    let changed = to.execute(
        "UPDATE operations SET done = ?, updated_at = max(updated_at, ?)
         WHERE id = ? AND state = 'running'",
        (done, now(), id),
    )?;
    Ok(changed > 0)
}

/// Ends a job that runs. One that has ended stays as it is.
pub(crate) fn end(to: &Connection, id: OperationId, state: &str) -> Result<(), ToolError> {
    to.execute(
        "UPDATE operations SET state = ?, updated_at = max(updated_at, ?)
         WHERE id = ? AND state = 'running'",
        (state, now(), id),
    )?;
    Ok(())
}

/// What a caller is told about a job.
pub(crate) fn status(
    from: &Connection,
    id: OperationId,
) -> Result<OperationStatus<Reindexed>, ToolError> {
    status_or(from, id, None)
}

/// The same for a job that may have broken off without the database knowing, and why.
pub(crate) fn status_or(
    from: &Connection,
    id: OperationId,
    broken: Option<&StandardError>,
) -> Result<OperationStatus<Reindexed>, ToolError> {
    let mut statement = from.prepare_cached(
        "SELECT id, state, done, total, created_at, updated_at FROM operations WHERE id = ?",
    )?;
    match statement.query_row([id], Operation::read).optional()? {
        Some(operation) => operation.status(broken),
        None => Err(missing(from, id)?),
    }
}

fn missing(from: &Connection, id: OperationId) -> Result<ToolError, ToolError> {
    let sql = "SELECT max(id) FROM operations";
    let last: Option<OperationId> = from.query_row(sql, (), |row| row.get(0))?;
    Ok(match last {
        Some(last) => ToolError::not_found(format!(
            "There is no operation {id}. The last one is {last}."
        ))
        .with_detail("nearest", last.to_string()),
        None => ToolError::not_found(format!(
            "There is no operation {id}. `start_reindex` starts one."
        )),
    })
}

impl Operation {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            state: row.get(1)?,
            done: row.get(2)?,
            total: row.get(3)?,
            created_at: row.get(4)?,
            updated_at: row.get(5)?,
        })
    }

    fn status(
        &self,
        broken: Option<&StandardError>,
    ) -> Result<OperationStatus<Reindexed>, ToolError> {
        let updated: Timestamp = self.updated_at.parse()?;
        let status = OperationStatus::new(&self.id.to_string(), self.created_at.parse()?)?
            .advance(updated.clone(), self.progress()?)?;
        Ok(match self.state.as_str() {
            "completed" => status.complete(
                updated,
                Reindexed {
                    orders: u64::try_from(self.done)?,
                },
            )?,
            "cancelled" => status.cancel(updated)?,
            "failed" => status.fail(updated, broken.cloned().unwrap_or_else(failure))?,
            _ => match broken {
                Some(why) => status.fail(updated, why.clone())?,
                None => status,
            },
        })
    }

    fn progress(&self) -> Result<Progress, ToolError> {
        let total = self.total.max(self.done);
        let percent = (self.done * 100).checked_div(total).unwrap_or(100);
        Ok(Progress::default()
            .with_percent(u8::try_from(percent)?)?
            .with_steps(u64::try_from(self.done)?, u64::try_from(total)?)?)
    }
}

/// Why it failed is in the logs; mostly, the shop was closed.
fn failure() -> StandardError {
    StandardError::new(
        ErrorKind::DependencyFailed,
        "The job broke off before it was done. The index is still good for searching; start the \
         job again with `start_reindex`.",
    )
}

/// To the millisecond, always in the same number of digits, so that times sort as text.
fn now() -> String {
    let now = Time::now();
    let now = now.round(Unit::Millisecond).unwrap_or(now);
    format!("{now:.3}")
}
