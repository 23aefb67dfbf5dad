//! What the differences of schemas mean: shown to break nothing, shown to break something, or neither.

use crate::Pointer;
use crate::contract::{Contract, Parameters};
use crate::json::{NodeId, paths};
use crate::returns::Returns;
use crate::schema::view::Part;
use crate::schema::{Keyword, Role};

use super::change::{Change, ChangeKind, Concern, Witness};
use super::compare::{Difference, compare};
use super::inclusion::Prover;
use super::schemas::{Schemas, standard};
use super::search::Search;
use super::{Evidence, Verdict};

/// The changes of the parameters.
pub(super) fn arguments(old: &Contract, new: &Contract, evidence: &Evidence<'_>) -> Vec<Change> {
    let [was, is] = [old, new].map(canonical);
    if old.parameters() == new.parameters() || was.is_some() && was == is {
        return Vec::new();
    }
    let schemas = Schemas::of_arguments(old, new);
    let place = Pointer::root().key("parameters");
    let side = Side {
        is_arguments: true,
        places: [place.clone(), place],
        schemas: &schemas,
        evidence,
    };
    side.changes(None)
}

/// The changes of what is promised about results.
pub(super) fn results(old: &Contract, new: &Contract, evidence: &Evidence<'_>) -> Vec<Change> {
    if old.returns() == new.returns() {
        return Vec::new();
    }
    let schemas = Schemas::of_results(old.returns(), new.returns());
    let side = Side {
        is_arguments: false,
        places: [old, new].map(result_place),
        schemas: &schemas,
        evidence,
    };
    let kinds = [old, new].map(|one| return_type(one.returns()));
    let is_walked = kinds[0] == kinds[1] && old.returns().is_structure();
    let message = format!("returns {}, was {}", kinds[1], kinds[0]);
    side.changes((!is_walked).then_some(message))
}

/// The same for two spellings of one JSON Schema; those of ADM have only one.
fn canonical(contract: &Contract) -> Option<String> {
    match contract.parameters() {
        Parameters::JsonSchema(schema) => Some(schema.to_canonical()),
        Parameters::Adm(_) => None,
    }
}

fn result_place(contract: &Contract) -> Pointer {
    let returns = Pointer::root().key("returns");
    match contract.return_type() {
        Some(_) => returns.key("schema"),
        None => returns,
    }
}

/// The kind of a promise, in words.
fn return_type(returns: &Returns) -> String {
    match returns {
        Returns::Standard { standard, .. } => standard.name().to_owned(),
        Returns::Custom(_) => "a JSON Schema".to_owned(),
        Returns::Opaque => "opaque text".to_owned(),
        Returns::Legacy {
            type_word: Some(word),
            ..
        } => format!("`{word}` of ADL 1.0, which is not enforced"),
        Returns::Legacy { .. } => "something of ADL 1.0, which is not enforced".to_owned(),
        Returns::Undeclared => "nothing that is declared".to_owned(),
    }
}

fn set_witness(change: &mut Change, witness: Option<Witness>) {
    if witness.is_some() {
        change.verdict = Verdict::Breaking;
        change.witness = witness;
    }
}

/// The schemas of arguments or results, and what decides about them.
struct Side<'s, 'c> {
    is_arguments: bool,
    /// Where the schemas are in the old and the new contract.
    places: [Pointer; 2],
    schemas: &'s Schemas,
    evidence: &'s Evidence<'c>,
}

impl Side<'_, '_> {
    /// All changes; or one with this message, if the schemas have nothing in common.
    fn changes(&self, message: Option<String>) -> Vec<Change> {
        let sources = self.schemas.sources();
        let views = [
            self.schemas.old_view(&sources),
            self.schemas.new_view(&sources),
        ];
        let Some(never) = self.schemas.never(&sources) else {
            return Vec::new();
        };
        let mut prover = Prover::new(&sources, never);
        let [from, to] = self.directed(&views[0], &views[1]);
        let is_shown = self.follows_meaning() && prover.includes(from, to);
        let differences = match message {
            Some(_) => Vec::new(),
            None => compare(&sources, &views[0], &views[1], self.is_arguments),
        };
        let mut search = Search::new(&sources, self.evidence, self.is_arguments);
        let mut changes = self.located(&differences);
        for (change, difference) in changes.iter_mut().zip(&differences) {
            change.verdict = match () {
                () if Self::is_documentation(difference) => Verdict::Documentation,
                () if is_shown || self.holds(&mut prover, difference) => Verdict::Compatible,
                () => Verdict::Unknown,
            };
            if change.verdict == Verdict::Unknown {
                set_witness(change, search.directed(difference));
            }
        }
        if message.is_some() {
            let verdict = if is_shown {
                Verdict::Compatible
            } else {
                Verdict::Unknown
            };
            changes.insert(0, self.whole(message, verdict));
        }
        let is_said = self.say_what_is_assumed(&mut prover, &mut changes, &differences);
        if is_shown && !is_said && !Prover::new(&sources, never).includes_literally(from, to) {
            self.say_that_keys_are_assumed(&mut changes);
        }
        if !is_shown
            && changes
                .iter()
                .all(|change| change.verdict != Verdict::Breaking)
        {
            self.search_anywhere(&mut search, &mut changes);
        }
        changes
    }

    /// Where no difference alone has shown that something breaks, any value may.
    fn search_anywhere(&self, search: &mut Search<'_, '_>, changes: &mut Vec<Change>) {
        let found = search.anywhere();
        let open = changes
            .iter()
            .position(|change| change.verdict == Verdict::Unknown);
        let open = open.unwrap_or_else(|| {
            changes.insert(0, self.whole(None, Verdict::Unknown));
            0
        });
        if let Some(change) = changes.get_mut(open) {
            set_witness(change, found);
        }
    }

    /// From what is possible to what must accept it: old arguments, new results.
    fn directed<'a, T>(&self, old: &'a T, new: &'a T) -> [&'a T; 2] {
        if self.is_arguments {
            [old, new]
        } else {
            [new, old]
        }
    }

    /// Whether what schemas say is all that decides: a standard type has rules beside its schema.
    fn follows_meaning(&self) -> bool {
        let [old, new] = self.evidence.returns().map(standard);
        self.is_arguments || old.is_none() || old == new
    }

    fn is_documentation(difference: &Difference<'_>) -> bool {
        let is_read = |keyword: Keyword| matches!(keyword.role(), Role::Annotation | Role::Content);
        difference.kind == ChangeKind::Order || difference.keyword.is_some_and(is_read)
    }

    /// Whether a difference alone is shown to break nothing.
    fn holds<'v>(&self, prover: &mut Prover<'v>, difference: &Difference<'v>) -> bool {
        let [from, to] = self.directed(&difference.at.old, &difference.at.new);
        match (&difference.key, difference.keyword) {
            (Some(key), _) => prover.key_holds(from, to, key),
            (None, Some(keyword)) => prover.keyword_holds(from, to, keyword),
            (None, None) => false,
        }
    }

    /// Says of each key whose values are compatible only because nobody has heard of it that this is assumed, and
    /// whether there is one.
    fn say_what_is_assumed<'v>(
        &self,
        prover: &mut Prover<'v>,
        changes: &mut [Change],
        differences: &[Difference<'v>],
    ) -> bool {
        let mut is_said = false;
        for (change, difference) in changes.iter_mut().zip(differences) {
            if change.verdict == Verdict::Compatible && self.is_assumed(prover, difference) {
                is_said = true;
                change.message.push_str(match self.is_arguments {
                    true => " (taken for granted: no call has it yet)",
                    false => " (taken for granted: no result has it any more)",
                });
            }
        }
        is_said
    }

    /// The same where no change is about one of these keys alone.
    fn say_that_keys_are_assumed(&self, changes: &mut [Change]) {
        let mut compatible = changes.iter_mut();
        if let Some(change) = compatible.find(|one| one.verdict == Verdict::Compatible) {
            change.message.push_str(match self.is_arguments {
                true => " (taken for granted: no call has keys that were not described)",
                false => " (taken for granted: no result has keys that are not described)",
            });
        }
    }

    /// Whether values under a key are refused that were accepted, or are possible that were not.
    fn is_assumed<'v>(&self, prover: &mut Prover<'v>, difference: &Difference<'v>) -> bool {
        let unnamed = match self.is_arguments {
            true => ChangeKind::KeyAdded,
            false => ChangeKind::KeyRemoved,
        };
        let [from, to] = self.directed(&difference.at.old, &difference.at.new);
        let key = difference
            .key
            .as_ref()
            .filter(|_| difference.kind == unnamed);
        key.is_some_and(|key| !prover.member_holds(from, to, key))
    }

    fn concern(&self) -> Concern {
        if self.is_arguments {
            Concern::Callers
        } else {
            Concern::Readers
        }
    }

    /// The change of the schema as a whole.
    fn whole(&self, message: Option<String>, verdict: Verdict) -> Change {
        let kind = match message {
            Some(_) => ChangeKind::ReturnType,
            None => ChangeKind::Schema,
        };
        let what = if self.is_arguments {
            "the parameters"
        } else {
            "the results"
        };
        let [old, new] = &self.places;
        Change {
            kind,
            concern: self.concern(),
            verdict,
            old_place: Some(old.clone()),
            new_place: Some(new.clone()),
            before: None,
            after: None,
            message: message.unwrap_or_else(|| format!("{what} differ, at no single place")),
            witness: None,
        }
    }

    /// The changes with their places, before they have verdicts.
    fn located(&self, differences: &[Difference<'_>]) -> Vec<Change> {
        let old = self.pointers(&self.places[0], differences.iter().map(|one| one.old));
        let new = self.pointers(&self.places[1], differences.iter().map(|one| one.new));
        let places = old.into_iter().zip(new);
        let changes = differences
            .iter()
            .zip(places)
            .map(|(one, (old, new))| Change {
                kind: one.kind,
                concern: match one.kind {
                    ChangeKind::Order => Concern::Models,
                    ChangeKind::Documentation if one.keyword != Some(Keyword::Default) => {
                        Concern::Models
                    }
                    _ => self.concern(),
                },
                verdict: Verdict::Unknown,
                old_place: old,
                new_place: new,
                before: one.before.clone(),
                after: one.after.clone(),
                message: one.message(),
                witness: None,
            });
        changes.collect()
    }

    /// The pointers to parts of schemas, each schema walked once.
    fn pointers<'v>(
        &self,
        root: &Pointer,
        parts: impl Iterator<Item = Option<Part<'v>>>,
    ) -> Vec<Option<Pointer>> {
        let parts: Vec<Option<Part<'v>>> = parts.collect();
        let mut pointers = vec![None; parts.len()];
        for (source, value) in self.schemas.values().iter().enumerate() {
            let inside = |part: &Option<Part<'v>>| part.is_some_and(|part| part.source() == source);
            let places: Vec<usize> = (0..parts.len()).filter(|at| inside(&parts[*at])).collect();
            let ids = places
                .iter()
                .filter_map(|at| parts[*at])
                .map(|part| part.node().id());
            let ids: Vec<NodeId> = ids.collect();
            for (at, pointer) in places.into_iter().zip(paths(&value.0, &ids, root)) {
                pointers[at] = Some(pointer);
            }
        }
        pointers
    }
}
