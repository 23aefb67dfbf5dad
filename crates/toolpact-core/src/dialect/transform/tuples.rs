use indexmap::IndexSet;

use crate::dialect::loss::LossKind;
use crate::dialect::step::{Log, Step};
use crate::dialect::tree::{Map, Tree};
use crate::dialect::walk::bottom_up;

/// For dialects where all elements have one schema: it must allow what any of them allows.
pub(in crate::dialect) const TUPLES: Step = Step {
    name: "tuples",
    about: "gives the elements of a tuple one schema, which allows what any of them allows",
    apply: |tree, log| bottom_up(tree, &mut |map| flatten(map, log)),
};

fn flatten(map: &mut Map, log: &mut Log) {
    let Some(Tree::Array(first)) = map.take("prefixItems") else {
        return;
    };
    // Without `items` and a sufficient `maxItems`, further elements may be anything.
    let ends = map.get("maxItems").is_some_and(|most| {
        matches!(most, Tree::Number(n) if n.parse::<usize>().is_ok_and(|n| n <= first.len()))
    });
    let rest = map.take("items");
    let open = rest.is_none() && !ends;
    let alternatives: IndexSet<Tree> = first.into_iter().chain(rest.filter(|_| !ends)).collect();
    let mut alternatives: Vec<Tree> = alternatives.into_iter().collect();
    note(map, !open && alternatives.len() == 1, log);
    let items = match alternatives.len() {
        _ if open => Tree::Object(Map::at(map.place())),
        0 => Tree::Object(Map::at(map.place())),
        1 => alternatives.swap_remove(0),
        _ => {
            let mut items = Map::at(map.place());
            items.set("anyOf", Tree::Array(alternatives));
            Tree::Object(items)
        }
    };
    map.set("items", items);
}

fn note(map: &Map, all_alike: bool, log: &mut Log) {
    let (keyword, lost) = ("prefixItems", "a schema for each element");
    if all_alike {
        log.rewritten(map, keyword, lost, "all are alike, so there is one");
    } else {
        let done = "every element may be as any of them";
        log.wider(map, keyword, LossKind::Tuple, lost, done);
    }
}
