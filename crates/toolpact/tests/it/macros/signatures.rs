//! The functions that can be tools.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use toolpact::returns::{NumberValue, StringValue};
use toolpact::{Context, ToolError, define::IntoDefinition as _, tool, tools};

use super::harness::{call, session, takes};

use crate::world::leaves_out;

/// Joins.
#[tool]
fn join(parts: &[String], between: Option<&str>, order: Option<&[u8]>) -> StringValue {
    let order = order.map_or(0, <[u8]>::len);
    StringValue::success(format!("{}{order}", parts.join(between.unwrap_or("-"))))
}

/// Takes a parameter of its own name, and others that the attribute uses itself.
#[tool]
async fn echo(echo: &str, input: u8, context: Option<&String>, cx: Context) -> StringValue {
    let id = cx.call_id().unwrap_or_default();
    StringValue::success(format!("{echo} {input} {context:?} {id}"))
}

/// Has names that are words of the language.
#[tool]
fn r#match(r#type: u8, mut r#in: u8) -> NumberValue {
    r#in += r#type;
    NumberValue::success(i64::from(r#in))
}

#[tokio::test]
async fn parameters() {
    let session = session(tools![join, echo, r#match]);
    let call = async |name: &str, args: &str| call(&session, name, args).await;
    insta::assert_snapshot!(call("join", r#"{"parts":["a","b"]}"#).await, @r#"{"success":true,"value":"a-b0"}"#);
    insta::assert_snapshot!(call("join", r#"{"parts":["a","b"],"between":"+","order":[1]}"#).await, @r#"{"success":true,"value":"a+b1"}"#);
    insta::assert_snapshot!(call("join", r#"{"parts":["a"],"between":null}"#).await, @"!/between: expected the type string, found null");
    insta::assert_snapshot!(call("match", r#"{"type":1,"in":2}"#).await, @r#"{"success":true,"value":3}"#);
    insta::assert_snapshot!(call("match", r#"{"r#type":1,"in":2}"#).await, @r#"
!expected the required key `type`, found none
/r#type: expected no keys but those of the schema, found `r#type`; did you mean `type`?
"#);
    if leaves_out("macros::signatures::parameters") {
        return;
    }
    insta::assert_snapshot!(call("echo", r#"{"echo":"a","input":1,"context":"c"}"#).await, @r#"{"success":true,"value":"a 1 Some(\"c\") "}"#);
    assert_eq!(
        r#match(1, 2),
        session.run(r#match { r#type: 1, r#in: 2 }).await.unwrap()
    );
}

mod weather {
    #[derive(Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    pub(super) struct Context {
        pub(super) sunny: bool,
    }
}

/// Takes a context of its own, besides ours.
#[tool]
async fn forecast(sky: weather::Context, cx: &toolpact::Context) -> NumberValue {
    NumberValue::success(i64::from(sky.sunny && !cx.is_cancelled()))
}

#[tokio::test]
async fn contexts() {
    let session = session([forecast::tool()]);
    insta::assert_snapshot!(call(&session, "forecast", r#"{"sky":{"sunny":true}}"#).await, @r#"{"success":true,"value":1}"#);
}

#[derive(Default)]
struct Counter {
    count: AtomicI64,
}

#[derive(Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct AddInput {
    by: i64,
}

impl Counter {
    /// Adds to the count. (What it takes has the name that an input could have.)
    #[tool]
    pub(crate) fn add(&self, input: AddInput) -> NumberValue {
        NumberValue::success(self.count.fetch_add(input.by, Ordering::Relaxed) + input.by)
    }

    /// Adds to the count.
    #[tool(name = "add_default", idempotent)]
    pub(crate) async fn add_some(
        &self,
        #[tool(default = 5)] by: i64,
    ) -> Result<NumberValue, ToolError> {
        Ok(self.add(AddInput { by }))
    }
}

struct Typed<T>(T);

impl<T: Into<i64> + Copy + Send + Sync + 'static> Typed<T> {
    /// Belongs to a type with a parameter.
    #[tool]
    fn generic(&self) -> NumberValue {
        NumberValue::success(self.0.into())
    }
}

#[tokio::test]
async fn methods() {
    let counter = Arc::new(Counter::default());
    let (owners, borrowed) = ((counter.clone(), 5), &counter);
    let typed = Arc::new(Typed(7_u8));
    let session = session(tools![counter.add, borrowed.add_some, typed.generic]);
    let call = async |name: &str, args: &str| call(&session, name, args).await;
    insta::assert_snapshot!(call("add", r#"{"input":{"by":2}}"#).await, @r#"{"success":true,"value":2}"#);
    insta::assert_snapshot!(call("add_default", "{}").await, @r#"{"success":true,"value":7}"#);
    insta::assert_snapshot!(call("add_default", r#"{"by":-3}"#).await, @r#"{"success":true,"value":4}"#);
    insta::assert_snapshot!(call("generic", "{}").await, @r#"{"success":true,"value":7}"#);
    assert_eq!(owners.0.count.load(Ordering::Relaxed), 4);
}

/// Is not always there.
#[cfg(test)]
#[tool]
#[allow(clippy::unused_async)]
async fn conditional() {}

/// Is never there.
#[tool]
#[cfg(not(test))]
async fn never(value: NotThere) {}

/// Is on its way out.
#[tool]
#[deprecated]
#[must_use]
#[inline]
pub(crate) fn old(#[tool(default = 1)] value: u8) -> NumberValue {
    NumberValue::success(i64::from(value))
}

mod inside {
    use toolpact::returns::NumberValue;
    use toolpact::tool;

    /// Is seen outside.
    #[tool]
    pub(crate) fn visible(value: u8) -> NumberValue {
        NumberValue::success(i64::from(value))
    }

    /// Is seen next door.
    #[tool]
    pub(super) fn near(value: u8) -> NumberValue {
        visible(value)
    }
}

#[tokio::test]
async fn attributes_and_places() {
    // The struct comes along with the function.
    use inside::{near as renamed, visible};

    if leaves_out("macros::signatures::attributes_and_places") {
        return;
    }
    let session = session(tools![conditional, old, visible, renamed]);
    let names: Vec<&str> = session.names().collect();
    assert_eq!(names, ["conditional", "old", "visible", "near"]);
    assert_eq!(session.run(visible { value: 3 }).await.unwrap(), visible(3));
    assert_eq!(
        session.run(inside::near { value: 3 }).await.unwrap(),
        renamed(3)
    );
    let input = visible { value: 3 };
    assert_eq!(format!("{:?}", input.clone()), "visible { .. }");
}

/// Says in one line what it does.
///
///   * a point, indented
///
/// ```text
/// and code
/// ```
#[tool(timeout_ms = 1_000)]
fn documented(
    /// The first
    /// of all.
    ///
    /// More of it.
    first: u8,
    /** In another way. */
    second: u8,
) {
    let _ = (first, second);
}

/// Not this.
#[tool(description = "But this.", name = "Other-Name")]
fn described() {}

#[test]
fn descriptions() {
    let definition = documented::tool().into_definition().unwrap();
    insta::assert_snapshot!(definition.contract().description(), @r#"
Says in one line what it does.

  * a point, indented

```text
and code
```
"#);
    assert_saved!("descriptions", takes(documented::tool()));
    let definition = described::tool().into_definition().unwrap();
    insta::assert_snapshot!(definition.contract().description(), @"But this.");
    insta::assert_snapshot!(definition.contract().name().as_str(), @"Other-Name");
}
