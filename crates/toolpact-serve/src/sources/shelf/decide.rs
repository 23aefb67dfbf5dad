//! Who gets a name: sources that have a name before those that have none, which could claim any; then by the
//! order of the config.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use toolpact::{Definition, Registry};

use super::{Offer, Offered, Standing, Verdict};

/// The tools that are served.
#[derive(Debug, Default)]
pub(super) struct Claims {
    order: Vec<Claim>,
    /// Their places in `order`, by the names that calls use.
    places: HashMap<Arc<str>, usize>,
    /// Those that are in quarantine. Who has the name of one is called in its place.
    quarantined: Vec<Claim>,
    /// Their names that no other source may have.
    kept: HashSet<Arc<str>>,
}

#[derive(Debug)]
struct Claim {
    name: Arc<str>,
    source: Arc<str>,
    /// Empty if there is none.
    toolset: Arc<str>,
    definition: Definition,
}

/// What becomes of a toolset.
#[derive(Default)]
struct Change<'c> {
    toolset: &'c str,
    tools: Vec<Definition>,
    removed: Vec<&'c str>,
}

/// What each source gets.
pub(super) fn decide(
    sources: &[Offer],
    served: &Claims,
    registry: &Registry,
) -> (Claims, HashMap<Arc<str>, Verdict>) {
    let (named, unnamed) = { sources.iter() }.partition(|source| source.toolset.is_some());
    let (named, unnamed): (Vec<&Offer>, Vec<&Offer>) = (named, unnamed);
    let (mut claims, mut verdicts) = (Claims::default(), HashMap::new());
    let mut unsettled: Vec<&Offer> = Vec::new();
    for source in named.into_iter().chain(unnamed) {
        let mut verdict = Verdict {
            differences: Arc::clone(&source.differences),
            meanings: Arc::clone(&source.meanings),
            label: Arc::clone(&source.label),
            ..Verdict::default()
        };
        for offered in &source.tools {
            let (name, tool) = (&offered.name, &offered.definition);
            if offered.standing != Standing::Agreed {
                verdict.quarantined.push(Arc::clone(name));
                claims.quarantine(offered, source);
                continue;
            }
            let has_it = served.is_of(name, source);
            let is_reserved = !has_it && unsettled.iter().any(|before| before.may_have(name));
            if has_foreign(registry, name, served) {
                verdict.taken.push(Arc::clone(name));
                verdict.is_retried = true;
            } else if is_reserved {
                verdict.waiting.push(Arc::clone(name));
            } else if claims.claim(name, tool, source) {
                verdict.served += 1;
            } else {
                verdict.taken.push(Arc::clone(name));
            }
        }
        verdicts.insert(source.id.clone(), verdict);
        if !source.is_settled {
            unsettled.push(source);
        }
    }
    (claims, verdicts)
}

/// Whether there is a tool of this name that is of no source: in any toolset, since `a__b__c` is `c` of `a__b`
/// or `b__c` of `a`.
fn has_foreign(registry: &Registry, name: &str, served: &Claims) -> bool {
    let own = served.get(name).map(|claim| &*claim.toolset);
    let is_there = |toolset: &str, tool: &str| match toolset {
        "" => registry.get(tool).is_some(),
        toolset => { registry.toolset(toolset) }.is_ok_and(|tools| tools.get(tool).is_some()),
    };
    let splits = name.match_indices("__").map(|(at, _)| at);
    let places = splits.map(|at| (&name[..at], &name[at + 2..]));
    let mut places = std::iter::once(("", name)).chain(places.filter(|(set, _)| !set.is_empty()));
    places.any(|(toolset, tool)| own != Some(toolset) && is_there(toolset, tool))
}

impl Claims {
    fn get(&self, name: &str) -> Option<&Claim> {
        self.order.get(*self.places.get(name)?)
    }

    fn is_of(&self, name: &str, source: &Offer) -> bool {
        let claim = self.get(name);
        claim.is_some_and(|claim| claim.source == source.id)
    }

    /// Fails if another has claimed it.
    fn claim(&mut self, name: &Arc<str>, tool: &Definition, source: &Offer) -> bool {
        if self.kept.contains(name) {
            return false;
        }
        let Entry::Vacant(place) = self.places.entry(Arc::clone(name)) else {
            return false;
        };
        place.insert(self.order.len());
        self.order.push(Claim::new(name, tool, source));
        true
    }

    /// Whether the very same tools are in quarantine.
    fn has_same_quarantine(&self, other: &Self) -> bool {
        let is_same = |(one, other): (&Claim, &Claim)| {
            one.toolset == other.toolset
                && std::ptr::eq(one.definition.contract(), other.definition.contract())
        };
        self.quarantined.len() == other.quarantined.len()
            && self.quarantined.iter().zip(&other.quarantined).all(is_same)
    }

    /// Keeps a tool out. One that took the name of an agreed tool keeps it from others: who calls that means neither.
    /// Any other could take names away, and keeps none.
    fn quarantine(&mut self, offered: &Offered, source: &Offer) {
        let claim = Claim::new(&offered.name, &offered.definition, source);
        if offered.standing == Standing::Changed && !self.places.contains_key(&offered.name) {
            self.kept.insert(Arc::clone(&offered.name));
        }
        self.quarantined.push(claim);
    }

    /// Registers these tools in the place of those.
    pub(super) fn register(&self, before: &Self, registry: &Registry) {
        let mut changes: Vec<Change<'_>> = Vec::new();
        for claim in &self.order {
            let change = Change::of(&mut changes, &claim.toolset);
            change.tools.push(claim.definition.clone());
        }
        for claim in &before.order {
            // One that another source has now is another tool: who saw the first must not call the second.
            let now = self.get(&claim.name);
            if now.is_none_or(|now| now.source != claim.source) {
                let name = claim.definition.contract().name().as_str();
                Change::of(&mut changes, &claim.toolset).removed.push(name);
            }
        }
        // Before they are taken out, so that their callers are told why.
        if !self.has_same_quarantine(before) {
            let quarantined = self.quarantined.iter();
            registry.quarantine(quarantined.map(|one| (&*one.toolset, one.definition.clone())));
        }
        for change in changes {
            change.make(registry);
        }
    }
}

impl Claim {
    fn new(name: &Arc<str>, tool: &Definition, source: &Offer) -> Self {
        Self {
            name: Arc::clone(name),
            source: Arc::clone(&source.id),
            toolset: source.toolset.clone().unwrap_or_default(),
            definition: tool.clone(),
        }
    }
}

impl<'c> Change<'c> {
    fn of<'l>(changes: &'l mut Vec<Self>, toolset: &'c str) -> &'l mut Self {
        let place = changes.iter().position(|change| change.toolset == toolset);
        let place = place.unwrap_or_else(|| {
            changes.push(Self {
                toolset,
                ..Self::default()
            });
            changes.len() - 1
        });
        &mut changes[place]
    }

    fn make(self, registry: &Registry) {
        match self.toolset {
            "" => registry.update(self.tools, self.removed),
            toolset => match registry.toolset(toolset) {
                Ok(toolset) => toolset.update(self.tools, self.removed),
                Err(error) => tracing::error!(%error, "the tools cannot be registered"),
            },
        }
    }
}
