use toolpact_core::Violation;
use toolpact_core::returns::ErrorKind;

use crate::Completed;

/// The arguments or the result broke this rule at this place, which is a JSON Pointer.
///
/// # Panics
///
/// If they did not; the message lists what is broken instead.
///
/// ```
/// use toolpact::core::contract::Contract;
/// use toolpact::core::json::Value;
/// use toolpact::{Call, Registry, testing};
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// # let contract = Contract::from_json(r#"{
/// #     "name": "list_orders",
/// #     "description": "Lists orders.",
/// #     "parameters": {"type": "object"},
/// #     "returns": "ListResult"
/// # }"#)?;
/// let registry = Registry::new();
/// let broken = Value::from_json(r#"{"success": true, "data": ["not an object"]}"#)?;
/// registry.add(testing::fake_value(contract, broken))?;
/// let session = registry.session().open()?;
/// let completed = session.call(Call::from_json(r#"{"name": "list_orders", "args": {}}"#)?).await;
/// testing::assert_violation(&completed, "value-type", "/data/0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[track_caller]
pub fn assert_violation(completed: &Completed, rule: &str, pointer: &str) {
    let is_it = |v: &Violation| v.code() == rule && v.pointer().to_string() == pointer;
    if !completed.violations().iter().any(is_it) {
        let expected = format!("`{rule}` at {}", place(pointer));
        fail(completed, &format!("expected it to break {expected}"));
    }
}

/// The call succeeded, and broke no rule.
///
/// # Panics
///
/// If it did not; the message says what came of it.
#[track_caller]
pub fn assert_success(completed: &Completed) {
    if !completed.is_success() || !completed.violations().is_empty() {
        fail(completed, "expected it to succeed");
    }
}

/// The call failed with an error of this kind.
///
/// # Panics
///
/// If it did not; the message says what came of it.
#[track_caller]
pub fn assert_failure(completed: &Completed, kind: ErrorKind) {
    if completed.error().map(crate::ToolError::kind) != Some(kind) {
        fail(
            completed,
            &format!("expected it to fail with {}", kind.code()),
        );
    }
}

/// Everything that is known of a call.
pub(super) fn described(completed: &Completed) -> String {
    let mut lines = vec![match completed.error() {
        // The rules that were broken come below.
        Some(error) if error.broken().is_some() => format!("it failed: {error}"),
        Some(error) => format!("it failed: {error:?}"),
        None => format!("it returned: {}", completed.to_adl()),
    }];
    let broken = completed.violations().iter();
    lines.extend(broken.map(|v| {
        let place = place(&v.pointer().to_string());
        format!("it breaks `{}` at {place}: {}", v.code(), v.message())
    }));
    if completed.violations().is_empty() {
        lines.push("it breaks no rule".to_owned());
    }
    lines.join("\n  ")
}

fn place(pointer: &str) -> String {
    match pointer {
        "" => "the root (\"\")".to_owned(),
        pointer => pointer.to_owned(),
    }
}

#[track_caller]
#[expect(clippy::panic, reason = "that is how a test fails")]
fn fail(completed: &Completed, expected: &str) {
    let name = completed.name();
    panic!(
        "the call of `{name}`: {expected}, but\n  {}",
        described(completed)
    );
}
