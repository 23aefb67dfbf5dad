//! `ListResult`: the page line, then the items.

use toolpact_core::json::{Kind, Node, Whole};

use super::envelope::write_others;
use super::fields;
use super::page::{Page, counted};
use super::{Cut, any, items};

const PAGINATION: [&str; 6] = [
    "page",
    "per_page",
    "total",
    "total_pages",
    "has_next",
    "has_prev",
];

pub(super) fn write(page: &mut Page, value: Node<'_>) -> Option<Cut> {
    let data = value.get("data").filter(|data| data.kind() == Kind::Array);
    let Some(data) = data else {
        return any::write(page, value);
    };
    let count = match data.items().count() {
        0 => "No items".to_owned(),
        count => counted(count, "", "items"),
    };
    let pagination = value.get("pagination");
    let line = pagination.and_then(|pagination| page_line(pagination));
    let long = line.map_or_else(|| count.clone(), |line| format!("{count}: {line}"));
    if !page.line(&long) {
        page.count_value(false);
        page.line(&count);
    }
    // Such as a cursor, without which the next page cannot be asked for.
    let others = page.within(page.left() / 2, |page| {
        let mut others = write_others(page, value, &["data", "pagination"]);
        let unknown = pagination.map(|pagination| fields::but(pagination, &PAGINATION));
        others += fields::write(page, &unknown.unwrap_or_default());
        others
    });
    items::write_result(page, data).or(others.cut())
}

/// "page 2 of 5, 45 in all; ask for page 3 to go on"
fn page_line(pagination: Node<'_>) -> Option<String> {
    let number = |key| whole(pagination.get(key)?);
    let (page, total) = (number("page"), number("total"));
    if total == Some(0) {
        return Some("0 in all".to_owned());
    }
    let pages = number("total_pages").or_else(|| pages(total?, number("per_page")?));
    let at = page.map(|page| match pages {
        Some(pages) => format!("page {page} of {pages}"),
        None => format!("page {page}"),
    });
    let in_all = total.map(|total| format!("{total} in all"));
    let place: Vec<String> = at.into_iter().chain(in_all).collect();
    let has_next = pagination.get("has_next").and_then(Node::as_bool);
    let next = next(page, pages, has_next);
    let parts = [place.join(", "), next.unwrap_or_default()];
    let parts: Vec<&str> = parts
        .iter()
        .map(|part| &**part)
        .filter(|part| !part.is_empty())
        .collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn next(page: Option<i64>, pages: Option<i64>, has_next: Option<bool>) -> Option<String> {
    let has_next = has_next.or_else(|| Some(page? < pages?))?;
    Some(match (has_next, page) {
        (true, Some(page)) => format!("ask for page {} to go on", page.saturating_add(1)),
        (true, None) => "there are more; ask for the next page to go on".to_owned(),
        (false, Some(page)) if pages.is_some_and(|pages| page > pages) => {
            "that is after the last page".to_owned()
        }
        (false, _) => "this is the last page".to_owned(),
    })
}

fn pages(total: i64, per_page: i64) -> Option<i64> {
    (per_page > 0 && total >= 0).then(|| total.saturating_add(per_page - 1) / per_page)
}

fn whole(node: Node<'_>) -> Option<i64> {
    match node.as_number()?.whole() {
        Whole::Integer(integer) => Some(integer),
        Whole::TooLarge | Whole::Fraction => None,
    }
}
