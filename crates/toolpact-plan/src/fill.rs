use toolpact_core::json::{Kind, Node, Value};
use toolpact_core::{Pointer, Violation};

use super::problem::brief;
use super::reference::StepReference;
use super::scan::Piece;
use super::words::count;

/// Arguments on their way to be whole.
pub(super) struct Filling<F> {
    result_of: F,
    most_bytes: usize,
    out: String,
    wrong: Vec<String>,
}

impl<'v, F: Fn(&str) -> Option<&'v Value>> Filling<F> {
    /// More lines than this nobody reads.
    const MOST_LINES: usize = 10;

    pub(super) fn new(result_of: F, most_bytes: usize) -> Self {
        Self {
            result_of,
            most_bytes,
            out: String::new(),
            wrong: Vec::new(),
        }
    }

    /// The arguments that are one reference. A whole result is shared and not copied.
    pub(super) fn object(
        mut self,
        reference: &StepReference,
        pointer: &Pointer,
    ) -> Result<Value, Vec<String>> {
        let Some(node) = self.find(reference, pointer) else {
            return Err(self.wrong);
        };
        match (self.result_of)(&reference.step) {
            _ if node.kind() != Kind::Object => Err(vec![format!(
                "at {}: expected `{reference}` to be an object of arguments, found {}",
                brief(pointer),
                node.kind()
            )]),
            Some(result) if reference.is_whole() => Ok(result.clone()),
            _ => Ok(node.to_value()),
        }
    }

    /// A string that has references in it. One that is nothing but a reference keeps the type of
    /// the value.
    pub(super) fn string(&mut self, pieces: &[Piece], pointer: &Pointer) {
        if let [Piece::Reference(reference)] = pieces {
            if let Some(node) = self.find(reference, pointer) {
                self.raw(node.text());
            }
            return;
        }
        self.raw("\"");
        for piece in pieces {
            match piece {
                Piece::Text(text) => self.escaped(text),
                Piece::Reference(reference) => {
                    if let Some(node) = self.find(reference, pointer) {
                        self.escaped(&node.as_str().unwrap_or(node.text().into()));
                    }
                }
            }
        }
        self.raw("\"");
    }

    /// A piece of JSON. Nothing is written once something is wrong, nor beyond the limit.
    pub(super) fn raw(&mut self, json: &str) {
        if !self.wrong.is_empty() {
            return;
        }
        if self.out.len().saturating_add(json.len()) > self.most_bytes {
            let most = count(self.most_bytes, "byte", "bytes");
            self.note(format!("expected arguments of at most {most}, found more"));
            return;
        }
        self.out.push_str(json);
    }

    pub(super) fn finish(self) -> Result<Value, Vec<String>> {
        if !self.wrong.is_empty() {
            return Err(self.wrong);
        }
        // Values that are well one by one can be too deep one inside of the other.
        Value::from_json(&self.out).map_err(|violations| {
            let line = |v: &Violation| format!("at {}: {}", brief(v.pointer()), v.message());
            violations.iter().take(Self::MOST_LINES).map(line).collect()
        })
    }

    fn find(&mut self, reference: &StepReference, pointer: &Pointer) -> Option<Node<'v>> {
        let Some(result) = (self.result_of)(&reference.step) else {
            self.note(format!(
                "expected a result of step `{}`, found none",
                reference.step
            ));
            return None;
        };
        match reference.find(result.root()) {
            Ok(node) => Some(node),
            Err(missing) => {
                self.note(format!("at {}: {missing}", brief(pointer)));
                None
            }
        }
    }

    fn escaped(&mut self, text: &str) {
        // Once something is wrong, a long text is not worth quoting again and again.
        if self.wrong.is_empty() {
            let quoted = serde_json::to_string(text).unwrap_or_default();
            self.raw(
                quoted
                    .get(1..quoted.len().saturating_sub(1))
                    .unwrap_or_default(),
            );
        }
    }

    fn note(&mut self, line: String) {
        if self.wrong.len() < Self::MOST_LINES && !self.wrong.contains(&line) {
            self.wrong.push(line);
        }
    }
}
