//! Types that contain themselves.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::returns::{NumberValue, VoidResult};
use toolpact::{
    Context, ToolError,
    define::IntoDefinition as _,
    tool, tool_fn,
    typed::{Input, ToolSpec},
};

use super::harness::{call, session};

/// Where it was found, if it was.
fn found<T: Input>() -> Option<String> {
    #[derive(Clone, Serialize, Deserialize, JsonSchema)]
    struct Takes<T> {
        first: u8,
        value: T,
    }
    let about = ToolSpec::new("takes", "Takes something.");
    let tool = tool_fn(about, async |_: Takes<T>, _: Context| {
        Ok::<_, ToolError>(VoidResult::success())
    });
    let message = tool.into_definition().err()?.to_string();
    let path = message.split('`').nth(3);
    Some(path.expect(&message).to_owned())
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Direct {
    child: Option<Box<Direct>>,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct List {
    name: String,
    children: Vec<List>,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Named {
    children: HashMap<String, Named>,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Numbered {
    children: BTreeMap<u8, Numbered>,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Paired {
    pair: Option<(u8, Box<Paired>)>,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Egg {
    of: Option<Box<Hen>>,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Hen {
    eggs: Vec<Egg>,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Filter {
    Is(String),
    And(Vec<Filter>),
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Tagged {
    Leaf,
    Not { inner: Box<Tagged> },
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "a/b ~c")]
struct Odd {
    odd: Vec<Odd>,
}

#[test]
fn circles() {
    assert_eq!(found::<Direct>().as_deref(), Some("value.child"));
    assert_eq!(found::<List>().as_deref(), Some("value.children[]"));
    assert_eq!(found::<Vec<List>>().as_deref(), Some("value[].children[]"));
    assert_eq!(found::<Named>().as_deref(), Some("value.children.*"));
    assert_eq!(found::<Numbered>().as_deref(), Some("value.children.*"));
    assert_eq!(found::<Paired>().as_deref(), Some("value.pair[1]"));
    assert_eq!(found::<Hen>().as_deref(), Some("value.eggs[].of"));
    assert_eq!(found::<Option<Filter>>().as_deref(), Some("value.and[]"));
    assert_eq!(found::<Tagged>().as_deref(), Some("value.inner"));
    assert_eq!(found::<Odd>().as_deref(), Some("value.odd[]"));
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Leaf {
    name: String,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Shared {
    one: Leaf,
    two: Option<Leaf>,
    many: Vec<Leaf>,
    by_name: HashMap<String, Leaf>,
    pair: (Leaf, Leaf),
}

#[test]
fn no_circles() {
    assert_eq!(found::<Shared>(), None);
    assert_eq!(found::<(Shared, Shared)>(), None);
    assert_eq!(found::<serde_json::Value>(), None);
}

/// Counts names.
#[tool]
fn count(list: List) -> NumberValue {
    fn names(list: &List) -> i64 {
        1 + list.children.iter().map(names).sum::<i64>()
    }
    NumberValue::success(names(&list))
}

/// Counts names.
#[tool(recursive)]
fn count_all(list: List) -> NumberValue {
    count(list)
}

#[tokio::test]
async fn allowed() {
    let refused = count::tool().into_definition().unwrap_err().to_string();
    let refused = refused.replace(concat!(module_path!(), "::"), "");
    insta::assert_snapshot!(refused, @"what `count` takes contains itself at `list.children[]` (in count), which ADM and some providers cannot say; use a type that ends, or allow it with `recursive`");
    let session = session([count_all::tool()]);
    let call = async |args: &str| call(&session, "count_all", args).await;
    insta::assert_snapshot!(
        call(r#"{"list":{"name":"a","children":[{"name":"b","children":[]}]}}"#).await,
        @r#"{"success":true,"value":2}"#
    );
    insta::assert_snapshot!(
        call(r#"{"list":{"name":"a","children":[{"name":"b","child":[]}]}}"#).await,
        @r#"
!/list/children/0: expected the required key `children`, found none
/list/children/0/child: expected no keys but those of the schema, found `child`
"#
    );
}
