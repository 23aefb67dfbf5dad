//! Whether policies fit the tools.

use cedar_policy::{Policy, PolicySet, Schema, ValidationMode, Validator};
use miette::Diagnostic;

use super::Policies;
use super::read::problem;
use super::standing::as_str;
use crate::catalogue::Catalogue;
use crate::problem::{PolicyError, PolicyOrigin, Problem};

/// What was found out about policies that can be used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checked {
    /// What is odd, but not wrong: policies that can never apply, patterns that no tool matches.
    pub warnings: Vec<Problem>,
}

impl Policies {
    /// Whether the policies fit the tools: that the tools, sources and arguments they name exist, and that what
    /// they compare can be compared.
    pub fn check(&self, catalogue: &Catalogue) -> Result<Checked, PolicyError> {
        let (text, _) = catalogue.schema(&self.patterns);
        let schema = Schema::from_cedarschema_str(&text);
        let (schema, _) = schema.map_err(|error| {
            let message = format!("the tools could not be described for policies: {error}");
            PolicyError::new(PolicyOrigin::All, message)
        })?;
        let mut checked = Checked::default();
        let mut known = PolicySet::new();
        for policy in self.set.policies() {
            match unknown_tool(policy, catalogue) {
                Some(tool) => checked.warnings.push(self.unchecked(policy, &tool)),
                // It was in a set before, so it can be in one.
                None => drop(known.add(policy.clone())),
            }
        }
        let result = Validator::new(schema).validate(&known, ValidationMode::Strict);
        let place = |id: &str, error: &dyn Diagnostic| {
            let origin = self
                .info(id)
                .map_or(PolicyOrigin::All, |info| info.origin.clone());
            let text = self.texts.get(&origin).map_or("", String::as_str);
            problem(&origin, text, error)
        };
        let mut errors: Vec<Problem> = { result.validation_errors() }
            .map(|error| place(as_str(error.policy_id()), error))
            .collect();
        let warnings = result.validation_warnings();
        let warnings = warnings.map(|warning| place(as_str(warning.policy_id()), warning));
        checked.warnings.extend(warnings);
        checked.warnings.extend(self.idle_patterns(catalogue));
        sort(&mut checked.warnings);
        sort(&mut errors);
        match errors.is_empty() {
            true => Ok(checked),
            false => Err(PolicyError(errors)),
        }
    }

    fn unchecked(&self, policy: &Policy, tool: &str) -> Problem {
        let id = as_str(policy.id());
        let origin = self.info(id).map(|info| info.origin.clone());
        Problem {
            origin: origin.unwrap_or(PolicyOrigin::All),
            place: None,
            message: format!(
                "the policy `{id}` is not checked, since it names the tool `{tool}`, whose source has not been asked"
            ),
        }
    }

    fn idle_patterns(&self, catalogue: &Catalogue) -> impl Iterator<Item = Problem> {
        let idle = self.patterns.iter().filter(|one| !catalogue.has_match(one));
        let idle = idle.map(|pattern| Problem {
            origin: PolicyOrigin::All,
            place: None,
            message: format!("no tool has a name that matches `{pattern}`"),
        });
        idle.collect::<Vec<_>>().into_iter()
    }
}

fn sort(problems: &mut Vec<Problem>) {
    problems.sort_by(|a, b| {
        let key = |one: &Problem| (one.origin.clone(), one.place, one.message.clone());
        key(a).cmp(&key(b))
    });
    problems.dedup();
}

/// A tool that the policy names and that may be there, but is not known.
fn unknown_tool(policy: &Policy, catalogue: &Catalogue) -> Option<String> {
    let literals = policy.entity_literals().into_iter();
    let actions = literals.filter(|one| one.type_name().to_string() == "Action");
    let mut names = actions.map(|action| action.id().unescaped().to_owned());
    names.find(|name| !name.contains(':') && catalogue.may_have(name))
}
