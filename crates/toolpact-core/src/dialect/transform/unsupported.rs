use super::words;
use crate::dialect::loss::{Effect, LossKind};
use crate::dialect::step::{Log, Step};
use crate::dialect::tree::{Map, Tree};
use crate::dialect::walk::top_down;
use crate::schema::{Keyword, Role};

/// The last step: drops what no other step has handled.
pub(in crate::dialect) const UNSUPPORTED: Step = Step {
    name: "unsupported",
    about: "removes keywords that the dialect does not support, and describes limits to the model",
    apply: |tree, log| top_down(tree, &mut |map| drop_unsupported(map, log)),
};

/// One provider supports `minItems` only up to 1.
pub(in crate::dialect) const ONE_ITEM: Step = Step {
    name: "one-item",
    about: "keeps `minItems` of 0 or 1, and describes others to the model",
    apply: |tree, log| {
        top_down(tree, &mut |map| {
            let small = ["0", "1"].map(|n| Some(Tree::Number(n.into())));
            if map.has("minItems")
                && !small.contains(&map.get("minItems").cloned())
                && let Some(value) = map.take("minItems")
            {
                leave_out(map, "minItems", &value, log);
            }
        });
    },
};

/// Runs early, so that nothing is logged for subschemas of dropped conditions.
pub(in crate::dialect) const CONDITIONS: Step = Step {
    name: "conditions",
    about: "removes conditions that the dialect does not support",
    apply: |tree, log| top_down(tree, &mut |map| unconditional(map, log)),
};

fn unconditional(map: &mut Map, log: &mut Log) {
    let Some(known) = log.profile.keywords else {
        return;
    };
    // `not: {}` means that nothing is allowed.
    let nothing = map.map("not").is_some_and(Map::is_empty);
    let goes = |key: &str| is_condition(key) && !known.contains(&key);
    for (keyword, value) in map.take_all(|key| goes(key) && !(nothing && key == "not")) {
        leave_out(map, &keyword, &value, log);
    }
}

/// Whether a keyword tests subschemas rather than requiring them.
fn is_condition(name: &str) -> bool {
    Keyword::named(name).is_some_and(|keyword| match keyword {
        Keyword::Contains
        | Keyword::MinContains
        | Keyword::MaxContains
        | Keyword::PropertyNames => true,
        _ => keyword.role() == Role::Condition && keyword.schemas().is_some(),
    })
}

fn drop_unsupported(map: &mut Map, log: &mut Log) {
    let Some(known) = log.profile.keywords else {
        return;
    };
    for (keyword, value) in map.take_all(|key| !known.contains(&key) && !key.starts_with('\0')) {
        leave_out(map, &keyword, &value, log);
    }
}

/// Logs a dropped keyword, and describes its rule for the model.
pub(in crate::dialect) fn leave_out(map: &mut Map, keyword: &str, value: &Tree, log: &mut Log) {
    let (kind, effect) = loss(keyword, value);
    let told = log
        .profile
        .tells
        .then(|| words::rule(keyword, value))
        .flatten();
    let instead = match &told {
        Some(sentence) => {
            words::append(map, sentence);
            "told in the description"
        }
        // Models fill in the keys that are named, so this is not told to them.
        None if kind == LossKind::UnknownKeys => "they are refused when a call is checked",
        None => "it was left out",
    };
    let lost = format!("`{keyword}`");
    log.lose(map.place(), keyword, (kind, effect), lost, instead);
}

fn loss(keyword: &str, value: &Tree) -> (LossKind, Effect) {
    let role = Keyword::named(keyword).map_or(Role::Annotation, Keyword::role);
    let kind = match role {
        Role::Annotation | Role::Content | Role::Definition | Role::Former => {
            return (LossKind::Annotation, Effect::Documentation);
        }
        Role::OtherKeys => match value {
            Tree::Bool(false) => LossKind::UnknownKeys,
            // The same as no rule.
            Tree::Bool(true) => return (LossKind::Rewritten, Effect::Documentation),
            _ => LossKind::Map,
        },
        Role::Keys => LossKind::Map,
        Role::Constraint => LossKind::Constraint,
        Role::Format => LossKind::Format,
        Role::Values => LossKind::Enum,
        Role::Condition | Role::Reference => LossKind::Condition,
        Role::AllOf => LossKind::AllOf,
        Role::AnyOf => LossKind::Union,
        Role::OneOf => LossKind::OneOf,
        Role::Tuple => LossKind::Tuple,
    };
    (kind, Effect::Wider)
}
