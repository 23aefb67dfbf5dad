//! The same without the attribute.

#![allow(unused)]

use toolpact::core::returns::types::VoidResult;
use toolpact::{Context, tool_fn, typed::About};

struct Nothing;

fn main() {
    let about = About::new("nothing", "Does nothing.");
    tool_fn(about, async |_: Nothing, _: Context| {
        Ok(VoidResult::success())
    });
}
