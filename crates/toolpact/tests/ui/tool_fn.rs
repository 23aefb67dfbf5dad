//! The same without the attribute.

#![allow(unused)]

use toolpact::returns::VoidResult;
use toolpact::{Context, tool_fn, typed::ToolSpec};

struct Nothing;

fn main() {
    let about = ToolSpec::new("nothing", "Does nothing.");
    tool_fn(about, async |_: Nothing, _: Context| {
        Ok(VoidResult::success())
    });
}
