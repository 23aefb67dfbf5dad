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
    let lost = format!("the format `{format}`");
    let value = map.take("format").unwrap_or(Tree::Null);
    let mut instead = "it was left out";
    if let Some(sentence) = words::rule("format", &value).filter(|_| log.profile.tells) {
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
