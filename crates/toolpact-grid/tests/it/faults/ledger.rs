//! What took effect, in an SQLite database outside of hosts and runtimes.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::types::Value;
use rusqlite::{Connection, Row};

/// The file of the ledger, for runtimes and hosts.
pub(crate) const LEDGER: &str = "GRID_TEST_LEDGER";

pub(crate) struct Ledger(pub(crate) Connection);

/// `keyed` has one row for each invocation; `effects` may have several, which would be a fault. `runs` are the
/// executions that began. `calls` are what hosts know of their calls: `ended` is null while one is not over.
const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS keyed (invocation TEXT PRIMARY KEY, name TEXT);
    CREATE TABLE IF NOT EXISTS effects (invocation TEXT, name TEXT, at INTEGER);
    CREATE TABLE IF NOT EXISTS runs (name TEXT, pid INTEGER, began INTEGER, deadline INTEGER);
    CREATE TABLE IF NOT EXISTS calls (name TEXT PRIMARY KEY, tool TEXT, made INTEGER, deadline INTEGER,
        ended INTEGER, outcome TEXT);";

impl Ledger {
    pub(crate) fn open(file: &Path) -> Self {
        let connection = Connection::open(file).unwrap();
        // Others write, too, and one of them may be stopped for seconds.
        connection.busy_timeout(Duration::from_secs(20)).unwrap();
        connection
            .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;")
            .unwrap();
        connection.execute_batch(TABLES).unwrap();
        Self(connection)
    }

    /// That of the environment.
    pub(crate) fn of_process() -> Option<Self> {
        let file = PathBuf::from(std::env::var_os(LEDGER)?);
        Some(Self::open(&file))
    }

    pub(crate) fn count(&self, query: &str) -> u64 {
        let count = self.0.query_row(query, [], |row| row.get::<_, i64>(0));
        u64::try_from(count.unwrap()).unwrap()
    }

    /// The first column of some rows, for messages.
    pub(crate) fn rows(&self, query: &str) -> Vec<String> {
        let mut statement = self.0.prepare(query).unwrap();
        let columns = statement.column_count();
        let text = |row: &Row<'_>| {
            let values = (0..columns).map(|at| row.get::<_, Value>(at).map(word));
            values.collect()
        };
        let rows = statement.query_map([], text).unwrap();
        rows.map(|row: Result<Vec<String>, _>| row.unwrap().join(" "))
            .collect()
    }
}

fn word(value: Value) -> String {
    match value {
        Value::Text(text) => text,
        Value::Integer(number) => number.to_string(),
        other => format!("{other:?}"),
    }
}

pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(since.as_millis()).unwrap()
}
