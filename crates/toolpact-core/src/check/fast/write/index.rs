//! The index of what is written, made while it is written.

use super::Stop;
use crate::json::index::{Entry, Shape};
use crate::json::{Document, Limits};

/// The entries of the index. Without [`made`](Self::made), none are kept.
#[derive(Default)]
pub(super) struct Entries {
    entries: Vec<Entry>,
    is_made: bool,
}

impl Entries {
    pub(super) fn made() -> Self {
        Self {
            entries: Vec::with_capacity(16),
            is_made: true,
        }
    }

    pub(super) fn into_vec(self) -> Vec<Entry> {
        self.entries
    }

    /// Adds a value or a key that has no parts.
    #[inline(always)]
    pub(super) fn leaf(&mut self, start: usize, end: usize, shape: Shape) {
        if self.is_made {
            let id = self.open(start, shape);
            self.close(id, end);
        }
    }

    /// Adds an array or object that begins at `start`. The result is for [`close`](Self::close).
    #[inline(always)]
    pub(super) fn open(&mut self, start: usize, shape: Shape) -> usize {
        let id = self.entries.len();
        if self.is_made {
            self.entries.push(Entry {
                start: place(start),
                end: 0,
                next: 0,
                shape,
            });
        }
        id
    }

    /// An array or object that was opened ends at `end`.
    #[inline(always)]
    pub(super) fn close(&mut self, id: usize, end: usize) {
        let next = place(self.entries.len());
        if let Some(entry) = self.entries.get_mut(id) {
            (entry.end, entry.next) = (place(end), next);
        }
    }

    /// Adds what others have written from `start` on, by reading it.
    pub(super) fn read(&mut self, out: &[u8], start: usize) -> Result<(), Stop> {
        if !self.is_made {
            return Ok(());
        }
        let limits = Limits::default().depth(usize::MAX).bytes(usize::MAX);
        let document = Document::json(out.get(start..).unwrap_or_default(), &limits);
        let read = document.into_value().map_err(|_| Stop::Unsure)?;
        let (text, entries) = (place(start), place(self.entries.len()));
        self.entries
            .extend(read.0.entries.iter().map(|entry| Entry {
                start: entry.start.saturating_add(text),
                end: entry.end.saturating_add(text),
                next: entry.next.saturating_add(entries),
                shape: entry.shape,
            }));
        Ok(())
    }
}

/// A place in a text or an index. Texts that are longer than 32 bits can count are refused at the end.
#[inline(always)]
fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use crate::json::Value;
    use crate::returns::{Level, Returns, StandardType};
    use crate::schema::JsonSchema;

    /// What is indexed while it is written is what a reader finds.
    #[track_caller]
    fn assert_same(written: &Value) {
        let read = Value::from_json(written.text()).unwrap();
        assert_eq!(written.0.entries, read.0.entries, "{written}");
    }

    #[test]
    fn results_of_every_type() {
        let mut indexed = 0;
        for standard in StandardType::all() {
            let returns = Returns::Standard {
                standard,
                refinement: None,
            };
            let enforcer = returns.enforcer(Level::Shape);
            for example in standard.examples() {
                let value: serde_json::Value = serde_json::from_str(example.text()).unwrap();
                assert_same(&enforcer.to_value(&value).unwrap());
                indexed += 1;
            }
        }
        assert!(indexed >= 15, "{indexed}");
    }

    #[test]
    fn alternatives_and_keys_of_every_kind() {
        let schema = r#"{
            "properties": {"a": {"anyOf": [{"type": "array"}, {"type": "object"}, {"type": "null"}]}},
            "additionalProperties": true
        }"#;
        let schema = JsonSchema::from_value(&Value::from_json(schema).unwrap()).unwrap();
        let program = schema.checker();
        let program = program.program().as_ref().unwrap();
        for json in [
            r#"{"a":[1,{"b":[]},"x"],"z":null}"#,
            r#"{"a":{"b":{"c":[true,false]}},"q\"uote":"line\nbreak","é":"é"}"#,
            r#"{"a":null,"n":[-1,1.5,1e300,12345678901234567890]}"#,
            r#"[[],{},[[[]]],{"x":{}}]"#,
            "3",
            r#""text""#,
        ] {
            let value: serde_json::Value = serde_json::from_str(json).unwrap();
            let written =
                crate::check::with_scratch(|scratch| program.write_value(&value, scratch).ok());
            let written = written.unwrap_or_else(|| panic!("{json}"));
            assert_eq!(written, Value::from_json(json).unwrap());
            assert_same(&written);
        }
    }
}
