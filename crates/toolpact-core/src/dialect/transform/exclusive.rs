use super::leave_out;
use crate::dialect::step::{Log, Step};
use crate::dialect::tree::{Map, Tree};
use crate::dialect::walk::bottom_up;

/// Some dialects do not support exclusive limits.
pub(in crate::dialect) const EXCLUSIVE: Step = Step {
    name: "exclusive",
    about: "writes exclusive limits of integers as the next integer",
    apply: |tree, log| bottom_up(tree, &mut |map| include(map, log)),
};

/// One API parses all limits as floats.
pub(in crate::dialect) const FLOAT_LIMITS: Step = Step {
    name: "float-limits",
    about: "removes limits that a 64-bit float cannot hold, and describes them to the model",
    apply: |tree, log| {
        bottom_up(tree, &mut |map| {
            for keyword in ["minimum", "maximum"] {
                // Fractions are rounded anyway.
                let exact = |text: &str| {
                    text.parse::<i128>().is_err()
                        || text.parse::<f64>().is_ok_and(|f| format!("{f:.0}") == text)
                };
                if matches!(map.get(keyword), Some(Tree::Number(text)) if !exact(text))
                    && let Some(value) = map.take(keyword)
                {
                    leave_out(map, keyword, &value, log);
                }
            }
        });
    },
};

fn include(map: &mut Map, log: &mut Log) {
    if map.text("type") != Some("integer") {
        return;
    }
    for (excluded, included, step) in [
        ("exclusiveMinimum", "minimum", 1),
        ("exclusiveMaximum", "maximum", -1),
    ] {
        let Some(Tree::Number(text)) = map.get(excluded) else {
            continue;
        };
        let limit = text
            .parse::<i64>()
            .ok()
            .and_then(|limit| limit.checked_add(step));
        if let Some(limit) = limit.filter(|_| !map.has(included)) {
            map.take(excluded);
            map.set(included, Tree::Number(limit.to_string().into()));
            log.rewritten(
                map,
                excluded,
                &format!("`{excluded}`"),
                &format!("written as `{included}`"),
            );
        }
    }
}
