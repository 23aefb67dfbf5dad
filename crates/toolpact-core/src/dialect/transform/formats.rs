use super::words;
use crate::check::is_enforced_format;
use crate::dialect::loss::{Effect, LossKind};
use crate::dialect::step::{Log, Step};
use crate::dialect::tree::{Map, Tree};
use crate::dialect::walk::bottom_up;

/// Dialects support few formats, and some refuse unknown ones.
pub(in crate::dialect) const FORMATS: Step = Step {
    name: "formats",
    about: "removes formats that the dialect does not support, and describes them to the model",
    apply: |tree, log| bottom_up(tree, &mut |map| check(map, log)),
};

/// Clients that check schemas complain about each format that JSON Schema does not have, such as `uint32`.
pub(in crate::dialect) const STANDARD_FORMATS: Step = Step {
    name: "standard-formats",
    about: "removes formats that JSON Schema does not have, and describes those of strings to the model",
    apply: |tree, log| bottom_up(tree, &mut |map| check_standard(map, log)),
};

fn check(map: &mut Map, log: &mut Log) {
    let (Some(known), Some(format)) = (log.profile.formats, map.text("format")) else {
        return;
    };
    if known.contains(&format) {
        return;
    }
    let effect = if is_enforced_format(format) {
        Effect::Wider
    } else {
        Effect::Documentation
    };
    let tells = log.profile.tells;
    remove(map, log, effect, tells);
}

fn check_standard(map: &mut Map, log: &mut Log) {
    if map.text("format").is_none_or(is_enforced_format) {
        return;
    }
    // The range of a number is in its other keywords.
    let types = map.get("type").map(Tree::to_text);
    let is_text = types.is_none_or(|types| types.contains("string"));
    remove(map, log, Effect::Documentation, is_text);
}

fn remove(map: &mut Map, log: &mut Log, effect: Effect, tells: bool) {
    let format = map.text("format").unwrap_or_default();
    let lost = format!("the format `{format}`");
    let value = map.take("format").unwrap_or(Tree::Null);
    let mut instead = "it was left out";
    if let Some(sentence) = words::rule("format", &value).filter(|_| tells) {
        words::append(map, &sentence);
        instead = "told in the description";
    }
    log.lose(
        map.place(),
        "format",
        (LossKind::Format, effect),
        lost,
        instead,
    );
}
