use std::rc::Rc;

use crate::diff::ChangeKind;
use crate::schema::view::View;
use crate::schema::{Keyword, Role};

use super::{Trail, Walk, changed, texts};

impl<'v> Walk<'v> {
    /// Descriptions, defaults, examples: what no value can violate.
    pub(super) fn annotations(&mut self, trail: &Rc<Trail<'v>>, old: &View<'v>, new: &View<'v>) {
        for keyword in Keyword::ALL.iter().copied().filter(|one| is_read(*one)) {
            if texts(old, keyword) == texts(new, keyword) {
                continue;
            }
            let values = [old.get(keyword), new.get(keyword)];
            let what = match keyword {
                Keyword::Description => match values {
                    [None, _] => "has a description".to_owned(),
                    [_, None] => "has no description any more".to_owned(),
                    _ => "has another description".to_owned(),
                },
                _ => changed(keyword.name(), values[0], values[1]),
            };
            self.add_keyword(trail, ChangeKind::Documentation, keyword, values, what);
        }
    }
}

/// Whether people and models read it.
fn is_read(keyword: Keyword) -> bool {
    matches!(keyword.role(), Role::Annotation | Role::Content)
        && !matches!(keyword, Keyword::Schema | Keyword::Comment)
}
