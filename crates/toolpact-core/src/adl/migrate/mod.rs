//! From ADL 1.0 to 1.5: old `returns` are rewritten in the new form, everything else is kept.

mod example;
mod style;

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::BuildHasher;

use crate::adl::AgentDocument;
use crate::json::{Document, Node, Value, Writer};
use crate::model::Model as _;
use crate::returns::choose::{self, Choice, Confidence};
use crate::returns::{ReturnType, StandardType, is_legacy};
use crate::text::list;
use crate::violation::rules::returns as rules;

use style::Style;

/// A migrated document.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Migration {
    /// The new text. Equal to the old one if there was nothing to do.
    pub text: String,
    /// The tools whose returns were rewritten.
    pub changes: Vec<Change>,
    /// The tools that were not changed, because it is not certain what they return.
    pub undecided: Vec<Undecided>,
}

/// A tool whose `returns` was rewritten.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Change {
    /// The name of the tool.
    pub tool: String,
    /// What it is said to return now.
    pub to: StandardType,
    /// How certain that is.
    pub confidence: Confidence,
    /// Why.
    pub reasons: Vec<String>,
}

/// A tool whose `returns` was not changed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Undecided {
    /// The name of the tool.
    pub tool: String,
    /// What it might return, the likeliest first.
    pub candidates: Vec<StandardType>,
    /// Why it is not certain.
    pub reason: String,
}

/// Rewrites the old `returns` of every tool of an agent document in JSON. `decided` says what
/// tools return that cannot be told from their names and descriptions.
///
/// `None` if the text could not be read, or is not JSON, or has no tools.
#[must_use]
pub fn migrate<S: BuildHasher>(
    document: &Document,
    decided: &HashMap<String, StandardType, S>,
) -> Option<Migration> {
    let root = document.root().filter(|_| document.is_json())?;
    let tools = AgentDocument::tools_in(root)?;
    let mut run = Run {
        document,
        decided,
        edits: Vec::new(),
        changes: Vec::new(),
        undecided: Vec::new(),
    };
    tools.items().for_each(|tool| run.tool(tool));
    run.fixes();
    Some(run.finish())
}

struct Run<'a, S> {
    document: &'a Document,
    decided: &'a HashMap<String, StandardType, S>,
    /// Spans of the text and what to put there.
    edits: Vec<(std::ops::Range<usize>, String)>,
    changes: Vec<Change>,
    undecided: Vec<Undecided>,
}

/// The fields that both forms have.
const OLD_FIELDS: [&str; 2] = ["type", "description"];

impl<S: BuildHasher> Run<'_, S> {
    fn tool(&mut self, tool: Node<'_>) {
        let Some(name) = text(tool, "name") else {
            return;
        };
        let Some(returns) = tool.get("returns").filter(|returns| is_legacy(*returns)) else {
            return;
        };
        let choice = choose::for_tool(
            &name,
            &text(tool, "description").unwrap_or_default(),
            &text(returns, "type").unwrap_or_default(),
            &text(returns, "description").unwrap_or_default(),
        );
        if let Some(reason) = no_place_for(returns) {
            return self.leave(&name, None, reason);
        }
        let (to, confidence, reasons) = match self.decided.get(&*name) {
            Some(to) => (*to, Confidence::Certain, vec!["you decided it".to_owned()]),
            None if choice.confidence() == Confidence::Unsure => {
                let reason = choice.reasons().join("; ");
                return self.leave(&name, Some(&choice), reason);
            }
            None => (
                choice.standard(),
                choice.confidence(),
                choice.reasons().to_vec(),
            ),
        };
        let new = rewritten(returns, to, &name);
        // What was wrong before, such as a description that is no text, is wrong in the new form.
        if let Err(violations) = ReturnType::from_value(&new) {
            return self.leave(&name, None, format!("it would not be valid: {violations}"));
        }
        let style = Style::of(self.document.text(), returns.span());
        self.edits.push((returns.span(), style.write(&new)));
        self.changes.push(Change {
            tool: name.into_owned(),
            to,
            confidence,
            reasons,
        });
    }

    /// Without a choice there is nothing to decide: the old form itself cannot be rewritten.
    fn leave(&mut self, name: &str, choice: Option<&Choice>, reason: String) {
        let candidates = choice.into_iter().flat_map(|choice| {
            std::iter::once(choice.standard()).chain(choice.alternatives().iter().copied())
        });
        self.undecided.push(Undecided {
            tool: name.to_owned(),
            candidates: candidates.collect(),
            reason,
        });
    }

    /// New forms that are not quite canonical are fixed by the fixes of their rules.
    fn fixes(&mut self) {
        let codes = [rules::TYPE_WORD.code, rules::SCHEMA_MISSING.code];
        let checked = self.document.check(|root, report| {
            let tools = AgentDocument::tools_in(root)?;
            let returns = tools.items().filter_map(|tool| tool.get("returns"));
            returns
                .filter(|returns| !is_legacy(*returns))
                .for_each(|returns| {
                    ReturnType::read(returns, report);
                });
            Some(())
        });
        for violation in checked
            .violations
            .iter()
            .filter(|v| codes.contains(&v.code()))
        {
            let fix = violation
                .suggestion()
                .and_then(|suggestion| suggestion.fix.as_ref());
            if let Some(fix) = fix {
                self.edits.push((fix.span.clone(), fix.replacement.clone()));
            }
        }
    }

    fn finish(mut self) -> Migration {
        self.edits.sort_by_key(|(span, _)| span.start);
        let (source, mut text, mut at) = (self.document.text(), String::new(), 0);
        for (span, new) in &self.edits {
            text.push_str(&source[at..span.start]);
            text.push_str(new);
            at = span.end;
        }
        text.push_str(&source[at..]);
        Migration {
            text,
            changes: self.changes,
            undecided: self.undecided,
        }
    }
}

fn text<'a>(node: Node<'a>, field: &str) -> Option<Cow<'a, str>> {
    node.get(field).and_then(Node::as_str)
}

/// Fields of an old `returns` that the new form has no place for, and that must not be lost.
fn no_place_for(returns: Node<'_>) -> Option<String> {
    let extra: Vec<String> = returns
        .members()
        .map(|(key, _)| key.into_owned())
        .filter(|key| !OLD_FIELDS.contains(&&**key))
        .collect();
    (!extra.is_empty()).then(|| {
        let names = list(extra.iter().map(|name| &**name));
        format!("ADL 1.5 has no place for {names} in `returns`: move or remove it first")
    })
}

/// The new form: the fields it had in their order, `schema` after `type`, an example at the end.
fn rewritten(returns: Node<'_>, to: StandardType, tool: &str) -> Value {
    let mut writer = Writer::default();
    writer.begin_object().key("type").string(to.name());
    writer.key("schema").begin_object();
    writer
        .key("$ref")
        .string(&format!("#/$defs/StandardReturnTypes/{to}"))
        .end_object();
    for (key, value) in returns.members().filter(|(key, _)| key != "type") {
        writer.key(&key).raw(value.text());
    }
    writer
        .key("examples")
        .begin_array()
        .raw(example::of(to, tool).text())
        .end_array();
    writer.end_object();
    Value::trusted(writer)
}

#[cfg(test)]
mod tests {
    use super::{ReturnType, StandardType, Value, rewritten};

    /// Every example that a migration writes is valid under the type it is an example of.
    #[test]
    fn examples_keep_their_promise() {
        for standard in StandardType::all() {
            let returns = Value::from_json(r#"{"type": "object"}"#).unwrap();
            let new = rewritten(returns.root(), standard, "get_user");
            ReturnType::from_value(&new).unwrap();
        }
    }
}
