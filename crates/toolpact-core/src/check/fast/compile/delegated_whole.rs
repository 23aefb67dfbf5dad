//! Keywords about an array or an object as a whole, such as `uniqueItems`. They are checked by the
//! `jsonschema` crate, which reads the value again for them.

use super::super::delegated::Delegated;
use super::constraints::{Constraints, within};
use super::{Compiler, SubschemaId, Supported, unsupported};
use crate::json::Node as Json;
use crate::schema::Keyword;

/// The keywords about values of one type.
#[derive(Debug, Default)]
pub(super) struct DelegatedWhole {
    /// Each is the text of an object of keywords.
    schemas: Vec<String>,
    /// Whether formats are asserted in them.
    formats: bool,
    /// How many states the patterns in them have.
    states: u64,
}

/// The longest text of them together: each is applied to the whole value, and the cost of that is
/// not counted separately.
const LONGEST: usize = 4 << 10;

impl DelegatedWhole {
    pub(super) fn delegated(&self) -> Option<Box<Delegated>> {
        let some = !self.schemas.is_empty();
        some.then(|| Box::new(Delegated::with_formats(&self.schemas, self.formats)))
    }

    fn length(&self) -> usize {
        self.schemas.iter().map(String::len).sum()
    }
}

impl<'a> Compiler<'_, 'a> {
    /// Collects these keywords from a subschema.
    pub(super) fn whole(
        &mut self,
        subschema: SubschemaId,
        constraints: &mut Constraints<'a>,
    ) -> Supported<()> {
        let array = [
            Keyword::UniqueItems,
            Keyword::Contains,
            Keyword::MinContains,
            Keyword::MaxContains,
        ];
        self.together(subschema, &array, &mut constraints.whole_array)?;
        self.together(
            subschema,
            &[Keyword::PropertyNames],
            &mut constraints.whole_object,
        )
    }

    fn together(
        &mut self,
        subschema: SubschemaId,
        keywords: &[Keyword],
        whole: &mut DelegatedWhole,
    ) -> Supported<()> {
        let schema = self.json(subschema);
        let mut members = Vec::new();
        for keyword in keywords {
            let Some(value) = keyword.get(schema) else {
                continue;
            };
            whole.states = self.alone(whole.states, within(subschema, value), value)?;
            members.push(format!(r#""{}":{}"#, keyword.name(), value.text()));
        }
        let keywords = format!("{{{}}}", members.join(","));
        if members.is_empty() || whole.schemas.contains(&keywords) {
            return Ok(());
        }
        let formats = self.sources[usize::from(subschema.source)].formats;
        if !whole.schemas.is_empty() && whole.formats != formats {
            return Err(unsupported(
                subschema,
                "keywords under different rules about formats",
            ));
        }
        whole.formats = formats;
        whole.schemas.push(keywords);
        match whole.length() > LONGEST {
            true => Err(unsupported(
                subschema,
                "long schemas in `contains` or `propertyNames`",
            )),
            false => Ok(()),
        }
    }

    /// Checks that a keyword's value is self-contained. Adds the states of its patterns.
    fn alone(&mut self, mut states: u64, at: SubschemaId, value: Json<'a>) -> Supported<u64> {
        let mut todo = vec![value];
        while let Some(node) = todo.pop() {
            for (key, inner) in node.entries() {
                // The decoded name, however it is escaped.
                let name = key.as_str().unwrap_or_default();
                match Keyword::named(&name) {
                    Some(Keyword::Comment) => {}
                    _ if name.starts_with('$') => {
                        return Err(unsupported(
                            at,
                            "references in `contains` or `propertyNames`",
                        ));
                    }
                    Some(keyword) if keyword.is_unevaluated() => {
                        return Err(unsupported(
                            at,
                            "`contains` or `propertyNames` that look back",
                        ));
                    }
                    Some(Keyword::Pattern) => states = self.states(states, inner, at)?,
                    Some(Keyword::PatternProperties) => {
                        for (pattern, _) in inner.entries() {
                            states = self.states(states, pattern, at)?;
                        }
                    }
                    _ => {}
                }
                todo.push(inner);
            }
            todo.extend(node.items());
        }
        Ok(states)
    }
}
