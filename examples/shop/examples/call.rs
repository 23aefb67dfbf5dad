//! Calls one tool and prints what a model reads.
//!
//! ```text
//! cargo run -p toolpact-shop --example call -- DIR TOOL [ARGS] [json]
//! cargo run -p toolpact-shop --example call -- /tmp/shop get_order '{"order": "O-1042"}'
//! ```
//!
//! `ARGS` is a JSON object. With `json` at the end, the whole result is printed instead.

#![expect(clippy::print_stdout, reason = "that is what it is for")]

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use toolpact::core::json::Value;
use toolpact::{Call, Registry};
use toolpact_shop::Shop;

#[tokio::main]
async fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [dir, tool, rest @ ..] = &*arguments else {
        return Err("expected DIR TOOL [ARGS] [json]".into());
    };
    let args = rest.first().map_or("{}", String::as_str);
    let as_json = rest.get(1).is_some_and(|form| form == "json");

    let registry = Registry::new();
    Shop::open(Path::new(dir))?.register(&registry)?;
    let session = registry.session().open()?;
    let call = Call::new(tool.as_str(), Value::from_json(args)?);
    let completed = session.call(call).await;
    match as_json {
        true => println!("{}", completed.to_adl()),
        false => println!("{}", completed.text()),
    }
    Ok(match completed.is_success() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}
