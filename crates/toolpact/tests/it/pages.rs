//! Results that are too long to be told are read page by page.

use std::collections::BTreeSet;

use toolpact::core::returns::ErrorKind;
use toolpact::{Completed, Registry, Session, call::CallLimits, define::UntypedOutput, testing};

use crate::support::{call, contract, value};
use crate::world::Place as _;

const CHARS: usize = 1_000;

/// A session with little room, and what its tool returned.
async fn told(returns: &str, produced: impl Into<UntypedOutput>) -> (Session, Completed) {
    let produced = produced.into();
    let contract = contract("long", &format!(r#""returns": {returns}"#));
    let registry = Registry::new();
    registry
        .place(testing::fake_contract(contract, move |_| {
            Ok(produced.clone())
        }))
        .unwrap();
    let limits = CallLimits::default().text_chars(CHARS);
    let session = registry.session().limits(limits).open().unwrap();
    let completed = session.call(call("long")).await;
    testing::assert_success(&completed);
    (session, completed)
}

/// The handle that a text names.
fn handle(text: &str) -> &str {
    let rest = text.split("under the handle `").nth(1);
    rest.unwrap_or_else(|| panic!("{text}"))
        .split('`')
        .next()
        .unwrap()
}

/// All pages from the first to the last, which end.
fn pages(session: &Session, handle: &str) -> Vec<toolpact::session::ResultPage> {
    let mut pages = Vec::new();
    let mut from = Some(0);
    while let Some(place) = from {
        let page = session.read_result(handle, place).unwrap();
        assert!(page.next.is_none_or(|next| next > place), "{page:?}");
        from = page.next;
        pages.push(page);
    }
    pages
}

fn list(items: usize) -> String {
    let item = |n| format!(r#"{{"id": {n}, "name": "item number {n} of many"}}"#);
    let items: Vec<String> = (0..items).map(item).collect();
    format!(r#"{{"success": true, "data": [{}]}}"#, items.join(","))
}

#[tokio::test]
async fn every_item_of_a_long_list_can_be_read_once() {
    let whole = value(&list(500));
    let (session, completed) = told(r#""ListResult""#, whole.clone()).await;
    let text = completed.text();
    assert!(text.chars().count() <= CHARS + 500, "{text}");
    let handle = handle(&text);
    assert_eq!(session.stored_result(handle).as_ref(), Some(&whole));
    // Asked again, it is the same, and kept once.
    assert_eq!(completed.text(), text);

    let pages = pages(&session, handle);
    assert!(pages.len() > 10);
    let mut seen = BTreeSet::new();
    for page in &pages {
        assert_eq!(page.total, 500);
        assert!(page.text.chars().count() <= CHARS + 10, "{}", page.text);
        for line in page.text.lines() {
            if let Some(id) = line.split("id: ").nth(1) {
                assert!(seen.insert(id.to_owned()), "{id} is there twice");
            }
        }
    }
    assert_eq!(seen.len(), 500);
}

#[tokio::test]
async fn a_short_result_is_not_kept() {
    let (session, completed) = told(r#""ListResult""#, value(&list(3))).await;
    assert!(!completed.text().contains("handle"));
    assert_eq!(session.stored_result("result_1"), None);
}

#[tokio::test]
async fn a_long_text_is_read_by_its_characters() {
    let text = "Zeile für Zeile.\n".repeat(300);
    let (session, completed) = told(r#""opaque""#, UntypedOutput::text(text.clone())).await;
    let cut = completed.text();
    let pages = pages(&session, handle(&cut));
    let read: String = pages.iter().map(|page| &*page.text).collect();
    assert_eq!(read, text);
    assert_eq!(pages[0].total, text.chars().count());
}

#[tokio::test]
async fn what_is_no_list_is_read_as_json() {
    let field = |n| format!(r#""field_{n}": "{}""#, "x".repeat(40));
    let fields: Vec<String> = (0..100).map(field).collect();
    // A short list beside it is not what it is about.
    let json = format!(
        r#"{{"success": true, "data": {{"notes": ["short"], {}}}, "metadata": {{}}}}"#,
        fields.join(",")
    );
    let (session, completed) = told(r#""ObjectResult""#, value(&json)).await;
    let text = completed.text();
    let pages = pages(&session, handle(&text));
    let read: String = pages.iter().map(|page| &*page.text).collect();
    assert_eq!(value(&read), value(&json));
}

#[tokio::test]
async fn a_handle_is_for_its_session_alone() {
    let registry = Registry::new();
    let contract = contract("long", r#""returns": "ListResult""#);
    registry
        .place(testing::fake_value(contract, value(&list(500))))
        .unwrap();
    let open = || {
        registry
            .session()
            .limits(CallLimits::default().text_chars(CHARS))
            .open()
            .unwrap()
    };
    let (mine, other) = (open(), open());
    let text = mine.call(call("long")).await.text();
    assert!(mine.read_result(handle(&text), 0).is_ok());
    for nothing in [handle(&text), "result_99", "", "/etc/passwd"] {
        let error = other.read_result(nothing, 0).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
    }
}

#[tokio::test]
async fn beyond_the_end_there_is_nothing() {
    let (session, completed) = told(r#""ListResult""#, value(&list(500))).await;
    let text = completed.text();
    for from in [500, 501, usize::MAX] {
        let page = session.read_result(handle(&text), from).unwrap();
        assert_eq!((page.text.as_str(), page.next, page.total), ("", None, 500));
    }
}

#[tokio::test]
async fn an_item_that_fills_pages_is_read_as_well() {
    let large = "x".repeat(3 * CHARS);
    let json =
        format!(r#"{{"success": true, "data": [{{"id": 1}}, {{"id": 2, "text": "{large}"}}]}}"#);
    let (session, completed) = told(r#""ListResult""#, value(&json)).await;
    let text = completed.text();
    let pages = pages(&session, handle(&text));
    let read: String = pages.iter().map(|page| &*page.text).collect();
    assert_eq!(value(&read), value(&json));
}

#[tokio::test]
async fn words_of_the_tool_are_kept_themselves() {
    let words = "What is not in the value.\n".repeat(200);
    let produced = UntypedOutput::from(value(r#"{"success": true}"#)).with_text(words.clone());
    let (session, completed) = told(r#""VoidResult""#, produced).await;
    let text = completed.text();
    let pages = pages(&session, handle(&text));
    let read: String = pages.iter().map(|page| &*page.text).collect();
    assert_eq!(read, words);
}
