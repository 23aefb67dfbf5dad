use std::io::BufRead;

use serde::de::DeserializeOwned;

use crate::Error;

/// Reads JSON Lines: the log of [`JsonLines`](super::JsonLines) as [`LoggedCall`](super::LoggedCall)s, or
/// results that were stored with [`Completed::to_record`](crate::Completed::to_record) as
/// [`ResultRecord`](super::ResultRecord)s. Empty lines are passed over.
///
/// A line that cannot be read is an error that names it, and reading goes on after it.
///
/// ```
/// use toolpact::observe::{LoggedCall, read_lines};
///
/// let log = r#"{"time":"2026-11-16T09:30:00Z","session":1,"tool":"greet","outcome":"SUCCESS","micros":52}
/// {"time":"2026-11-16T09:30:01Z","session":1,"tool":"gre"#;
/// let mut calls = read_lines::<LoggedCall>(log.as_bytes());
/// assert_eq!(calls.next().unwrap()?.tool, "greet");
/// let error = calls.next().unwrap().unwrap_err();
/// assert_eq!(error.place(), "line 2");
/// # Ok::<(), toolpact::Error>(())
/// ```
pub fn read_lines<T: DeserializeOwned>(
    reader: impl BufRead,
) -> impl Iterator<Item = Result<T, Error>> {
    let lines = reader.lines().enumerate();
    lines.filter_map(|(before, line)| {
        let number = before + 1;
        match line {
            Ok(line) if line.trim().is_empty() => None,
            Ok(line) => {
                let read = serde_json::from_str(&line);
                Some(read.map_err(|error| Error::record(number, error)))
            }
            Err(error) => Some(Err(Error::record(number, error))),
        }
    })
}
