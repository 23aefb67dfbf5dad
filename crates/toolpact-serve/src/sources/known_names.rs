//! Which tools a config has, as far as that can be told without starting anything.

use std::collections::BTreeSet;

use toolpact::Definition;
use toolpact::core::contract::Contract;
use toolpact::core::violation::nearest;
use toolpact::mock::Mock;

use crate::config::{CallsConfig, Source};

#[derive(Default)]
pub(super) struct KnownNames {
    /// As clients use them.
    names: BTreeSet<String>,
    /// The names of sources that were not asked for their tools.
    unasked: Vec<Option<String>>,
}

impl KnownNames {
    pub(super) fn add(&mut self, name: String) {
        self.names.insert(name);
    }

    /// A source with its tools.
    pub(super) fn add_tools(&mut self, source: &Source, tools: &[Definition]) {
        self.add_contracts(source, tools.iter().map(Definition::contract));
    }

    /// The same with its contracts.
    pub(super) fn add_contracts<'c>(
        &mut self,
        source: &Source,
        contracts: impl IntoIterator<Item = &'c Contract>,
    ) {
        let tools = contracts.into_iter().map(Contract::name);
        self.names.extend(tools.map(|tool| match source.name() {
            Some(source) => format!("{source}__{tool}"),
            None => tool.to_string(),
        }));
    }

    /// A source that may have any tools.
    pub(super) fn add_unasked(&mut self, source: &Source) {
        self.unasked.push(source.name().map(str::to_owned));
    }

    /// What is wrong with the limits of single tools: a name that no tool has limits nothing.
    pub(super) fn findings(&self, calls: &CallsConfig) -> impl Iterator<Item = String> {
        self.unknown(calls.tools.keys(), "`calls.tools` has limits for")
    }

    /// The same of a mock.
    pub(super) fn of_mock(&self, mock: &Mock) -> impl Iterator<Item = String> {
        self.unknown(mock.tools.keys(), "`mock.tools` says what is done by")
    }

    fn unknown<'n>(
        &self,
        names: impl Iterator<Item = &'n String>,
        says: &str,
    ) -> impl Iterator<Item = String> {
        let unknown = names.filter(|name| !self.may_be(name));
        unknown.map(move |name| {
            let meant = nearest(name, self.names.iter().map(String::as_str));
            let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
            format!("{says} `{name}`, but no source has such a tool{meant}")
        })
    }

    fn may_be(&self, name: &str) -> bool {
        let is_unasked = |source: &Option<String>| match source {
            Some(source) => {
                let rest = name.strip_prefix(source.as_str());
                rest.is_some_and(|rest| rest.starts_with("__"))
            }
            None => true,
        };
        self.names.contains(name) || self.unasked.iter().any(is_unasked)
    }
}
