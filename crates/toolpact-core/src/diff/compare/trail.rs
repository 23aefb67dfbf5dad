use std::fmt::Write as _;
use std::rc::Rc;

use crate::schema::view::View;
use crate::text::shorten;

/// The way from the whole value to a part of it, with the schemas of both sides at each step.
#[derive(Debug)]
pub(in crate::diff) struct Trail<'v> {
    pub(in crate::diff) parent: Option<(Rc<Self>, Step)>,
    pub(in crate::diff) old: View<'v>,
    pub(in crate::diff) new: View<'v>,
}

/// One step into a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::diff) enum Step {
    /// To the member of this name.
    Key(String),
    /// To a member of any other name.
    OtherKey,
    /// To the element at this place, or at any behind it.
    Item(usize),
    /// To the same value, of which one alternative is looked at.
    Choice,
}

impl<'v> Trail<'v> {
    pub(super) fn root(old: View<'v>, new: View<'v>) -> Rc<Self> {
        let parent = None;
        Rc::new(Self { parent, old, new })
    }

    pub(super) fn then(self: &Rc<Self>, step: Step, old: View<'v>, new: View<'v>) -> Rc<Self> {
        let parent = Some((Rc::clone(self), step));
        Rc::new(Self { parent, old, new })
    }

    /// The steps from the root.
    pub(in crate::diff) fn steps(&self) -> Vec<&Step> {
        let (mut steps, mut at) = (Vec::new(), self);
        while let Some((parent, step)) = &at.parent {
            steps.push(step);
            at = parent;
        }
        steps.reverse();
        steps
    }

    /// The part in words: `filter.tags[]`; `None` for the whole value.
    pub(super) fn name(&self) -> Option<String> {
        let mut name = String::new();
        for step in self.steps() {
            match step {
                Step::Key(key) if name.is_empty() => name.push_str(&shorten(key)),
                Step::Key(key) => drop(write!(name, ".{}", shorten(key))),
                Step::OtherKey if name.is_empty() => name.push('*'),
                Step::OtherKey => name.push_str(".*"),
                Step::Item(_) => name.push_str("[]"),
                Step::Choice => {}
            }
        }
        (!name.is_empty()).then_some(name)
    }
}
