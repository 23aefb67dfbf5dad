//! Schemas that apply to a value because they apply to it. What that means is left open, so the
//! other path decides.

use std::collections::HashMap;

use super::facts::within;
use super::{Atom, Compiler, Covered, gap};
use crate::json::{Kind, Node as Json};
use crate::schema::subschemas;

/// Keywords that apply a schema, or a list of them, to the same value.
const IN_PLACE: [&str; 8] = [
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Open,
    Done,
}

impl Compiler<'_, '_> {
    /// An error if a schema is applied to a value because it is applied to it.
    pub(super) fn refuse_cycles(&self, source: usize) -> Covered<()> {
        if !self.references[source].any {
            return Ok(());
        }
        let mut marks: HashMap<Atom, Mark> = HashMap::new();
        let root = self.root(source);
        for schema in subschemas(self.json(root)) {
            let mut todo = vec![(within(root, schema), false)];
            while let Some((atom, ends)) = todo.pop() {
                if ends {
                    marks.insert(atom, Mark::Done);
                    continue;
                }
                match marks.get(&atom) {
                    Some(Mark::Done) => continue,
                    Some(Mark::Open) => {
                        return Err(gap(atom, "a reference that leads back to the same value"));
                    }
                    None => {}
                }
                marks.insert(atom, Mark::Open);
                todo.push((atom, true));
                self.in_place(atom, |next| todo.push((next, false)))?;
            }
        }
        Ok(())
    }

    /// The schemas that a schema applies to the value it is applied to itself.
    fn in_place(&self, atom: Atom, mut each: impl FnMut(Atom)) -> Covered<()> {
        for (keyword, value) in self.json(atom).members() {
            if keyword == "$ref" {
                each(self.target(atom, value)?);
            }
            if !IN_PLACE.contains(&&*keyword) {
                continue;
            }
            match value.kind() {
                Kind::Array => value.items().for_each(|item| each(within(atom, item))),
                _ if keyword == "dependentSchemas" => {
                    value
                        .members()
                        .for_each(|(_, item): (_, Json<'_>)| each(within(atom, item)));
                }
                _ => each(within(atom, value)),
            }
        }
        Ok(())
    }
}
