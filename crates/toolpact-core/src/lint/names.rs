//! Names that are read as other names.

use std::collections::HashMap;

use super::fold::fold;
use super::subject::Subject;
use crate::json::report::{Place, Report};
use crate::text::shorten;
use crate::violation::rules::lint as rules;

/// The names of all tools that are looked at together.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// The first name of each form, and how it is written.
    first: HashMap<String, String>,
}

impl Names {
    /// Notes a name. Returns the other name that it could be taken for.
    pub(super) fn add(&mut self, name: &str) -> Option<String> {
        let form = form(name);
        match self.first.get(&form) {
            Some(first) if first != name => Some(first.clone()),
            Some(_) => None,
            None => {
                self.first.insert(form, name.to_owned());
                None
            }
        }
    }

    /// Whether a tool has this name, however it is written.
    pub(super) fn has(&self, name: &str) -> bool {
        self.first.contains_key(&form(name))
    }
}

/// Reports a tool whose name is read as that of another.
pub(super) fn check(subject: &Subject<'_>, twin: Option<&str>, report: &mut Report) {
    let place = match &subject.promise {
        Some(promise) => promise.place(&["name"]),
        None => Place::Node(subject.source.id()),
    };
    let name = shorten(subject.name);
    if let Some(twin) = twin {
        report.add(&rules::CONFUSABLE_NAME, place, |finding| {
            finding.say(format!(
                "the name `{name}` is read as `{}`, which is another tool",
                shorten(twin)
            ));
        });
    } else if !subject.name.is_ascii() {
        let reads: String = fold(subject.name).map(|folded| folded.c).collect();
        if reads.is_ascii() {
            report.add(&rules::CONFUSABLE_NAME, place, |finding| {
                finding.say(format!(
                    "the name `{name}` is read as `{}`",
                    shorten(&reads)
                ));
            });
        }
    }
}

/// A name without what tells it from those that look like it.
fn form(name: &str) -> String {
    let mut form = String::with_capacity(name.len());
    for folded in fold(name) {
        match folded.c {
            '_' | '-' | '.' | ' ' | '/' => {}
            '1' | 'i' | '|' | 'l' => form.push('l'),
            '0' => form.push('o'),
            '5' => form.push('s'),
            c => form.push(c),
        }
    }
    form.replace("rn", "m").replace("vv", "w")
}
