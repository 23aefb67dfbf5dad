//! The name and the description of a tool.

#![allow(unused)]

use toolpact::tool;

#[tool]
fn no_description() {}

/// Has a name with a space.
#[tool(name = "bad name")]
fn space() {}

/// Has a name that begins with a digit.
#[tool(name = "2nd")]
fn digit() {}

/// Has a name of which there is no telling in ASCII.
#[tool]
fn grüße() {}

fn main() {}
