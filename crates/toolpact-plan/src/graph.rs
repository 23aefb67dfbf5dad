//! The dependency graph of a plan.

use std::collections::HashMap;

use super::step::PlanStep;

/// The steps of a plan by number, joined.
#[derive(Debug)]
pub(super) struct Graph {
    /// For each step, those it waits for, each once.
    pub(super) needs: Vec<Vec<usize>>,
    /// For each step, those that wait for it.
    pub(super) needed_by: Vec<Vec<usize>>,
}

impl Graph {
    /// Needs that lead to no step are left out.
    pub(super) fn of(steps: &[PlanStep], numbers: &HashMap<Box<str>, usize>) -> Self {
        let mut needed_by = vec![Vec::new(); steps.len()];
        let mut needs = Vec::with_capacity(steps.len());
        for (number, step) in steps.iter().enumerate() {
            let ids = step.needs();
            let mut mine: Vec<usize> = ids.filter_map(|id| numbers.get(id).copied()).collect();
            mine.sort_unstable();
            mine.dedup();
            for need in &mine {
                needed_by[*need].push(number);
            }
            needs.push(mine);
        }
        Self { needs, needed_by }
    }

    /// For each group of steps that wait for each other, one cycle. It begins with its first step in the
    /// order of the plan, and every step waits for the next.
    pub(super) fn cycles(&self) -> Vec<Vec<usize>> {
        let groups = Groups::of(self);
        let mut cycles: Vec<Vec<usize>> = groups
            .members
            .iter()
            .filter_map(|members| self.cycle(members, &groups.group_of))
            .collect();
        cycles.sort_unstable();
        cycles
    }

    /// A way around within one group, if there is any.
    fn cycle(&self, members: &[usize], group_of: &[usize]) -> Option<Vec<usize>> {
        let first = *members.iter().min()?;
        let next = |step: usize| {
            let mut inside = self.needs[step].iter().copied();
            inside.find(|need| group_of[*need] == group_of[first])
        };
        let mut way = vec![first];
        let mut place = HashMap::from([(first, 0)]);
        let mut step = first;
        loop {
            // In a group of one that does not wait for itself there is no next.
            step = next(step)?;
            if let Some(start) = place.insert(step, way.len()) {
                let mut cycle = way.split_off(start);
                let least = (0..cycle.len()).min_by_key(|at| cycle[*at])?;
                cycle.rotate_left(least);
                return Some(cycle);
            }
            way.push(step);
        }
    }
}

/// Strongly connected components, by Tarjan, with a stack of its own: plans can be long chains.
struct Groups {
    members: Vec<Vec<usize>>,
    group_of: Vec<usize>,
}

const NONE: usize = usize::MAX;

impl Groups {
    fn of(graph: &Graph) -> Self {
        let steps = graph.needs.len();
        let mut search = Search {
            graph,
            seen_at: vec![NONE; steps],
            lowest: vec![NONE; steps],
            seen: 0,
            open: Vec::new(),
            groups: Groups {
                members: Vec::new(),
                group_of: vec![NONE; steps],
            },
        };
        for step in 0..steps {
            if search.seen_at[step] == NONE {
                search.from(step);
            }
        }
        search.groups
    }
}

struct Search<'g> {
    graph: &'g Graph,
    /// When each step was first seen.
    seen_at: Vec<usize>,
    /// The earliest step that each is known to lead to, by when it was seen.
    lowest: Vec<usize>,
    seen: usize,
    /// Steps whose group is not known yet.
    open: Vec<usize>,
    groups: Groups,
}

impl Search<'_> {
    fn from(&mut self, start: usize) {
        let mut todo = vec![(start, 0)];
        self.enter(start);
        while let Some((step, edge)) = todo.pop() {
            let Some(&need) = self.graph.needs[step].get(edge) else {
                self.leave(step);
                if let Some((before, _)) = todo.last() {
                    self.lowest[*before] = self.lowest[*before].min(self.lowest[step]);
                }
                continue;
            };
            todo.push((step, edge + 1));
            if self.seen_at[need] == NONE {
                self.enter(need);
                todo.push((need, 0));
            } else if self.groups.group_of[need] == NONE {
                self.lowest[step] = self.lowest[step].min(self.seen_at[need]);
            }
        }
    }

    fn enter(&mut self, step: usize) {
        self.seen_at[step] = self.seen;
        self.lowest[step] = self.seen;
        self.seen += 1;
        self.open.push(step);
    }

    /// Closes the group that began with this step, if one did.
    fn leave(&mut self, step: usize) {
        if self.lowest[step] != self.seen_at[step] {
            return;
        }
        let start = self.open.iter().rposition(|open| *open == step);
        let members = self.open.split_off(start.unwrap_or(0));
        for member in &members {
            self.groups.group_of[*member] = self.groups.members.len();
        }
        self.groups.members.push(members);
    }
}

#[cfg(test)]
mod tests {
    use super::Graph;

    fn cycles(needs: &[&[usize]]) -> Vec<Vec<usize>> {
        let graph = Graph {
            needs: needs.iter().map(|needs| needs.to_vec()).collect(),
            needed_by: Vec::new(),
        };
        graph.cycles()
    }

    #[test]
    fn finds_each_cycle() {
        let none: Vec<Vec<usize>> = Vec::new();
        assert_eq!(cycles(&[]), none);
        assert_eq!(cycles(&[&[], &[0], &[0, 1]]), none);
        assert_eq!(cycles(&[&[0]]), [[0]]);
        assert_eq!(cycles(&[&[2], &[0], &[1]]), [[0, 2, 1]]);
        // Two cycles, one of which waits for the other, and a step that only waits.
        assert_eq!(cycles(&[&[1], &[0], &[0, 3], &[2], &[3]]), [[0, 1], [2, 3]]);
        // The first step of a group need not be on the way around that is found.
        assert_eq!(cycles(&[&[1], &[2], &[0, 1]]), [[0, 1, 2]]);
    }

    #[test]
    fn long_chains_do_not_overflow_the_stack() {
        let steps = 100_000;
        let needs = (0..steps).map(|n| vec![(n + 1) % steps]).collect();
        let needed_by = Vec::new();
        let graph = Graph { needs, needed_by };
        assert_eq!(graph.cycles()[0].len(), steps);
    }
}
