use std::ops::Range;
use std::sync::Arc;

use toolpact_core::Pointer;
use toolpact_core::json::{Kind, Node, Value};

use super::fill::Filling;
use super::findings::{Draft, Findings};
use super::problem::PlanRule;
use super::reference::StepReference;
use super::scan::{Malformed, Piece, scan};

/// The arguments of a step with the places where values go.
#[derive(Debug, Clone)]
pub(super) struct Template {
    args: Value,
    holes: Vec<Hole>,
}

/// A string of the arguments that has braces in it.
#[derive(Debug, Clone)]
struct Hole {
    /// Where in the text of the arguments, quotes included.
    span: Range<usize>,
    pointer: Pointer,
    pieces: Arc<[Piece]>,
}

impl Template {
    /// Finds the references of a step's arguments, which are at `pointer` in the step.
    pub(super) fn read(args: Value, step: &str, pointer: &Pointer, found: &mut Findings) -> Self {
        let mut holes = Vec::new();
        if may_have_braces(args.text()) {
            strings(args.root(), pointer, |node, pointer| {
                let text = node.as_str().unwrap_or_default();
                match scan(&text) {
                    Ok(pieces) if is_changed(&text, &pieces) => holes.push(Hole {
                        span: span(&args, node),
                        pointer: pointer.clone(),
                        pieces: pieces.into(),
                    }),
                    Ok(_) => {}
                    Err(malformed) => found.add(PlanRule::Reference, || {
                        said(&malformed).in_step(step).at(pointer)
                    }),
                }
            });
        }
        Self { args, holes }
    }

    /// The arguments as they were written.
    pub(super) fn args(&self) -> &Value {
        &self.args
    }

    /// The references, and where each is in the step.
    pub(super) fn references(&self) -> impl Iterator<Item = (&Pointer, &StepReference)> {
        self.holes.iter().flat_map(|hole| {
            hole.pieces.iter().filter_map(|piece| match piece {
                Piece::Reference(reference) => Some((&hole.pointer, reference)),
                Piece::Text(_) => None,
            })
        })
    }

    /// Whether the whole of the arguments is one reference.
    pub(super) fn is_one_reference(&self) -> bool {
        self.whole().is_some()
    }

    /// The arguments with values in all places, of at most so many bytes; or why that cannot be,
    /// one line for each reference that leads nowhere.
    pub(super) fn fill<'v>(
        &self,
        result_of: impl Fn(&str) -> Option<&'v Value>,
        most_bytes: usize,
    ) -> Result<Value, Vec<String>> {
        if self.holes.is_empty() {
            return Ok(self.args.clone());
        }
        let mut filling = Filling::new(result_of, most_bytes);
        if let Some((pointer, reference)) = self.whole() {
            return filling.object(reference, pointer);
        }
        let text = |span: Range<usize>| self.args.text().get(span).unwrap_or_default();
        let mut at = 0;
        for hole in &self.holes {
            filling.raw(text(at..hole.span.start));
            filling.string(&hole.pieces, &hole.pointer);
            at = hole.span.end;
        }
        filling.raw(text(at..self.args.text().len()));
        filling.finish()
    }

    /// The one reference that is all of the arguments.
    fn whole(&self) -> Option<(&Pointer, &StepReference)> {
        let hole = self.holes.first()?;
        match (self.args.kind(), &*hole.pieces) {
            (Kind::String, [Piece::Reference(reference)]) => Some((&hole.pointer, reference)),
            _ => None,
        }
    }
}

fn said(malformed: &Malformed) -> Draft {
    let Malformed { expected, found } = malformed;
    Draft::new(format!("expected {expected} in a reference, found {found}")).advise(Some(
        "to mean the braces themselves, write `{{{{`".to_owned(),
    ))
}

/// Whether the string becomes another one: it refers to something or has escaped braces in it.
fn is_changed(text: &str, pieces: &[Piece]) -> bool {
    match pieces {
        [] => false,
        [Piece::Text(same)] => same != text,
        _ => true,
    }
}

/// Whether it is worth looking. A brace can be written as `\u007b` too.
fn may_have_braces(json: &str) -> bool {
    json.contains("{{") || json.contains("\\u")
}

/// Every string of a value that is not a key, in document order, however deep it is.
fn strings<'v>(root: Node<'v>, pointer: &Pointer, mut each: impl FnMut(Node<'v>, &Pointer)) {
    let mut todo = vec![(root, pointer.clone())];
    while let Some((node, pointer)) = todo.pop() {
        let waiting = todo.len();
        match node.kind() {
            Kind::String => each(node, &pointer),
            Kind::Array => {
                let items = node.items().enumerate();
                todo.extend(items.map(|(index, item)| (item, pointer.index(index))));
            }
            Kind::Object => {
                todo.extend(
                    node.members()
                        .map(|(key, value)| (value, pointer.key(&key))),
                );
            }
            _ => {}
        }
        todo[waiting..].reverse();
    }
}

/// Where the text of a part is in the text of the whole, which it borrows from.
fn span(whole: &Value, part: Node<'_>) -> Range<usize> {
    let start = part.text().as_ptr().addr() - whole.text().as_ptr().addr();
    start..start + part.text().len()
}
