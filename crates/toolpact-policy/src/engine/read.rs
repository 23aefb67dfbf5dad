//! Policies from their texts.

use std::collections::BTreeMap;
use std::path::PathBuf;

use cedar_policy::{Effect, Policy, PolicyId, PolicySet};
use miette::Diagnostic;

use super::PolicyInfo;
use crate::config::PolicyConfig;
use crate::problem::{PolicyError, PolicyOrigin, Problem};

/// The policies of a config in the order they are written.
pub(super) struct ReadPolicies {
    pub(super) policies: PolicySet,
    pub(super) infos: Vec<PolicyInfo>,
    /// What was read, to find the lines of what is wrong.
    pub(super) texts: BTreeMap<PolicyOrigin, String>,
}

/// Reads all files and the short form. Everything that is wrong is told.
pub(super) fn read(config: &PolicyConfig) -> Result<ReadPolicies, PolicyError> {
    let mut read = ReadPolicies {
        policies: PolicySet::new(),
        infos: Vec::new(),
        texts: BTreeMap::new(),
    };
    let mut problems = Vec::new();
    for path in &config.files {
        match std::fs::read_to_string(path) {
            Ok(text) => read.add(PolicyOrigin::File(path.clone()), &text, &mut problems),
            Err(error) => problems.push(Problem {
                origin: PolicyOrigin::File(path.clone()),
                place: None,
                message: format!("expected a file with policies that can be read: {error}"),
            }),
        }
    }
    for (place, allow) in config.allow.iter().enumerate() {
        let origin = PolicyOrigin::Allow(place);
        read.add(origin, &allow.to_cedar(place), &mut problems);
    }
    match problems.is_empty() {
        true => Ok(read),
        false => Err(PolicyError(problems)),
    }
}

impl ReadPolicies {
    fn add(&mut self, origin: PolicyOrigin, text: &str, problems: &mut Vec<Problem>) {
        let parsed: PolicySet = match text.parse() {
            Ok(parsed) => parsed,
            Err(errors) => {
                let errors: cedar_policy::ParseErrors = errors;
                problems.extend(errors.iter().map(|error| problem(&origin, text, error)));
                return;
            }
        };
        let complain = |message: String| Problem {
            origin: origin.clone(),
            place: None,
            message,
        };
        if parsed.templates().next().is_some() {
            let message = "expected policies, found a template (`?principal` or `?resource`)";
            problems.push(complain(message.to_owned()));
        }
        let mut policies: Vec<&Policy> = parsed.policies().collect();
        policies.sort_by_key(|policy| number(policy.id()));
        for (place, policy) in policies.into_iter().enumerate() {
            if let Err(message) = self.add_policy(&origin, place, policy) {
                problems.push(complain(message));
            }
        }
        self.texts.insert(origin, text.to_owned());
    }

    fn add_policy(
        &mut self,
        origin: &PolicyOrigin,
        place: usize,
        policy: &Policy,
    ) -> Result<(), String> {
        let own = policy.annotation("id").filter(|id| !id.is_empty());
        let id = own.map_or_else(|| default_id(origin, place), ToOwned::to_owned);
        let is_permit = policy.effect() == Effect::Permit;
        let ask = policy.annotation("ask");
        if ask.is_some() && !is_permit {
            return Err(format!(
                "expected `@ask` at a permit, found it at the forbid `{id}`"
            ));
        }
        if ask.is_some_and(|question| question.trim().is_empty()) {
            return Err(format!(
                "expected a question in `@ask` of the policy `{id}`"
            ));
        }
        self.infos.push(PolicyInfo {
            id: id.clone(),
            origin: origin.clone(),
            is_permit,
            ask: ask.map(Into::into),
        });
        let added = self.policies.add(policy.new_id(PolicyId::new(&id)));
        added.map_err(|_| format!("expected an id that no other policy has, found `{id}` again"))
    }
}

/// The place of a policy in its file, which is how its parser calls it.
fn number(id: &PolicyId) -> usize {
    let id: &str = id.as_ref();
    let number = id.strip_prefix("policy").and_then(|text| text.parse().ok());
    number.unwrap_or(usize::MAX)
}

/// `policies.cedar#2`: the second of the file.
fn default_id(origin: &PolicyOrigin, place: usize) -> String {
    let file = match origin {
        PolicyOrigin::File(path) => path.file_name().map(PathBuf::from),
        PolicyOrigin::Allow(_) | PolicyOrigin::All => None,
    };
    let file = file.map_or_else(|| "policy".to_owned(), |file| file.display().to_string());
    format!("{file}#{}", place + 1)
}

/// What a diagnostic says, at its first place in a text.
pub(super) fn problem(origin: &PolicyOrigin, text: &str, error: &dyn Diagnostic) -> Problem {
    let mut labels = error.labels().into_iter().flatten();
    let place = labels
        .next()
        .map(|label| line_and_column(text, label.offset()));
    let help = error.help().map(|help| format!("; {help}"));
    Problem {
        origin: origin.clone(),
        place: place.filter(|_| matches!(origin, PolicyOrigin::File(_))),
        message: format!("{error}{}", help.unwrap_or_default()),
    }
}

fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let begin = before.rfind('\n').map_or(0, |at| at + 1);
    let column = before.get(begin..).map_or(0, |rest| rest.chars().count()) + 1;
    (line, column)
}
