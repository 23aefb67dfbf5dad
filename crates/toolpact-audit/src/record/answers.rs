//! The recorded calls of a tool, by their arguments.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use toolpact::core::Pointer;
use toolpact::core::json::Value;
use toolpact::observe::is_redacted;

use super::compare::walk;
use super::{Match, RecordedCall};

/// The calls of one tool. Those with the same arguments are answered in their order, and the last of them again.
#[derive(Debug, Default)]
pub(super) struct Answers {
    groups: Vec<Group>,
    /// The groups by their arguments in the canonical form. Those with something left out are not here.
    exact: HashMap<String, usize>,
    /// Those groups.
    redacted: Vec<usize>,
}

/// Calls with the same arguments.
#[derive(Debug)]
struct Group {
    args: Value,
    calls: Vec<RecordedCall>,
    next: AtomicUsize,
}

/// A recorded call that answers a new one.
pub(super) struct Found<'a> {
    pub(super) call: &'a RecordedCall,
    /// Whether its arguments are others.
    pub(super) is_nearest: bool,
}

impl Answers {
    pub(super) fn add(&mut self, call: RecordedCall) {
        let Some(args) = call.args.clone() else {
            return;
        };
        let key = args.to_canonical();
        let known = self.exact.get(&key).copied().or_else(|| {
            let mut redacted = self.redacted.iter().copied();
            redacted.find(|at| self.groups.get(*at).is_some_and(|group| group.args == args))
        });
        if let Some(group) = known.and_then(|at| self.groups.get_mut(at)) {
            group.calls.push(call);
            return;
        }
        match call.redacted_argument() {
            Some(_) => self.redacted.push(self.groups.len()),
            None => {
                self.exact.insert(key, self.groups.len());
            }
        }
        let (calls, next) = (vec![call], AtomicUsize::new(0));
        self.groups.push(Group { args, calls, next });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// What answers a call with these arguments. What was left out of recorded ones may be anything.
    pub(super) fn find(&self, args: &Value, how: Match) -> Option<Found<'_>> {
        let exact = self.exact.get(&args.to_canonical()).copied();
        let fits = |at: &usize| {
            let group = self.groups.get(*at);
            group.is_some_and(|group| different(&group.args, args).is_empty())
        };
        let exact = exact.or_else(|| self.redacted.iter().copied().find(fits));
        let nearest = || match how {
            Match::Strict => None,
            Match::Nearest => self.nearest(args).first().map(|(at, _)| *at),
        };
        let group = self.groups.get(exact.or_else(nearest)?)?;
        let last = group.calls.len().saturating_sub(1);
        let turn = { &group.next }.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |turn| {
            Some((turn + 1).min(last))
        });
        let call = group.calls.get(turn.unwrap_or(last).min(last))?;
        Some(Found {
            call,
            is_nearest: exact.is_none(),
        })
    }

    /// The arguments that differ from these in the fewest places, and where.
    pub(super) fn near(&self, args: &Value, most: usize) -> Vec<(&Value, Vec<Pointer>)> {
        let nearest = self.nearest(args).into_iter().take(most);
        let named = nearest.filter_map(|(at, places)| Some((&self.groups.get(at)?.args, places)));
        named.collect()
    }

    /// All groups; of those that are equally near, the one that was recorded first comes first.
    fn nearest(&self, args: &Value) -> Vec<(usize, Vec<Pointer>)> {
        let groups = self.groups.iter().enumerate();
        let mut groups: Vec<_> = groups
            .map(|(at, group)| (at, different(&group.args, args)))
            .collect();
        groups.sort_by_key(|(_, places)| places.len());
        groups
    }
}

/// Where arguments differ from recorded ones.
fn different(recorded: &Value, args: &Value) -> Vec<Pointer> {
    let mut places = Vec::new();
    walk(recorded.root(), args.root(), |place, recorded, _| {
        if !recorded.is_some_and(is_redacted) {
            places.push(place.clone());
        }
    });
    places
}
