//! `ListResult`.

use super::numbers::{bounded, count, integer};
use crate::json::{Kind, Node};
use crate::model::describe;
use crate::violation::report::{Place, Report};
use crate::violation::rules::meaning as rules;

pub(super) fn check(value: Node<'_>, report: &mut Report) {
    let Some(pagination) = value.get("pagination") else {
        return;
    };
    page_count(pagination, report);
    neighbours(pagination, report);
    if let Some(data) = value.get("data").filter(|data| data.kind() == Kind::Array) {
        page_size(data, pagination, report);
    }
}

fn page_count(pagination: Node<'_>, report: &mut Report) {
    let Some(node) = pagination.get("total_pages") else {
        return;
    };
    let (Some(expected), Some(found)) = (
        computed_pages(pagination),
        integer(pagination, "total_pages"),
    ) else {
        return;
    };
    if expected != found {
        report.add(&rules::PAGE_COUNT, Place::Node(node.id()), |finding| {
            finding.say(format!(
                "expected {expected}, which is `total` divided by `per_page`, rounded up, \
                 found {}",
                describe(node)
            ));
        });
    }
}

fn computed_pages(pagination: Node<'_>) -> Option<i64> {
    let total = integer(pagination, "total").filter(|total| *total >= 0)?;
    let per_page = integer(pagination, "per_page").filter(|per_page| *per_page >= 1)?;
    Some(total / per_page + i64::from(total % per_page != 0))
}

fn neighbours(pagination: Node<'_>, report: &mut Report) {
    let Some(page) = integer(pagination, "page").filter(|page| *page >= 1) else {
        return;
    };
    let pages = integer(pagination, "total_pages").or_else(|| computed_pages(pagination));
    if let Some(pages) = pages {
        expect(pagination, "has_next", page < pages, report);
    }
    // Far behind the last page, one may or may not say that there is one before.
    if pages.is_none_or(|pages| page == 1 || page - 1 <= pages) {
        expect(pagination, "has_prev", page > 1, report);
    }
}

fn expect(pagination: Node<'_>, key: &str, expected: bool, report: &mut Report) {
    let Some(node) = pagination.get(key) else {
        return;
    };
    if node.as_bool().is_some_and(|found| found != expected) {
        let place = Place::Node(node.id());
        report.add(&rules::PAGE_NEIGHBOURS, place, |finding| {
            finding.say(format!(
                "expected {expected}, going by `page` and `total_pages`, found {}",
                describe(node)
            ));
        });
    }
}

fn page_size(data: Node<'_>, pagination: Node<'_>, report: &mut Report) {
    let found = count(data.items());
    for (key, least) in [("per_page", 1), ("total", 0)] {
        let Some(most) = bounded(pagination, key).filter(|most| *most >= least) else {
            continue;
        };
        if found > most {
            report.add(&rules::PAGE_SIZE, Place::Node(data.id()), |finding| {
                finding.say(format!(
                    "expected at most as many items as `{key}` says, {most}, found {found}"
                ));
            });
        }
    }
}
