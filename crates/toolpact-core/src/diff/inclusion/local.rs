//! Whether one difference alone breaks nothing.

use crate::schema::Keyword;
use crate::schema::view::View;

use super::{Left, Prover};

impl<'v> Prover<'v> {
    /// Whether all that `from` accepts satisfies one keyword of `to`.
    pub(in crate::diff) fn keyword_holds(
        &mut self,
        from: &View<'v>,
        to: &View<'v>,
        keyword: Keyword,
    ) -> bool {
        let left = Left::of(from.clone());
        !self.is_dynamic
            && (to.parts().iter()).all(|part| left.has(*part) || self.holds(&left, *part, keyword))
    }

    /// Whether the member of this name that `from` accepts, or its absence, is accepted by `to`.
    pub(in crate::diff) fn key_holds(&mut self, from: &View<'v>, to: &View<'v>, key: &str) -> bool {
        let [left, right] = [from, to].map(|view| Left::of(view.clone()));
        if self.is_dynamic {
            return false;
        }
        let is_needed = to.required().contains(key) && !from.required().contains(key);
        let [member, asked] = [&left, &right].map(|side| self.member(side, key));
        !is_needed && (self.includes(&member, &asked) || self.is_unheard_of(&left, key))
    }

    /// Whether the member of this name that `from` accepts is accepted by `to`.
    pub(in crate::diff) fn member_holds(
        &mut self,
        from: &View<'v>,
        to: &View<'v>,
        key: &str,
    ) -> bool {
        let [member, asked] = [from, to].map(|side| self.member(&Left::of(side.clone()), key));
        self.includes(&member, &asked)
    }
}
