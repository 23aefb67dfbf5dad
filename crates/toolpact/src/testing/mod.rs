//! For tests of tools, and of code that uses them.
//!
//! - [`fake`] and [`fake_contract`] give a tool another body. What a fake returns is checked against
//!   the contract, so a test cannot pass on a result that the real tool could not return. [`Calls`]
//!   records the calls of a fake.
//! - [`run_examples`] calls a tool with every example of its contract.
//! - [`assert_violation`], [`assert_success`] and [`assert_failure`] show the whole result when they fail.
//!
//! ```
//! use toolpact::returns::NumberValue;
//! use toolpact::{Call, Registry, testing, tool};
//!
//! /// Looks up the price of something.
//! #[tool(read_only)]
//! async fn price_of(item: String) -> NumberValue {
//!     unimplemented!("asks the shop for {item}")
//! }
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let fake = testing::fake(price_of::tool(), |asked: price_of| {
//!     Ok(NumberValue::success(asked.item.len() as u64))
//! });
//! let calls = fake.calls();
//! let registry = Registry::new();
//! registry.add(fake)?;
//! let session = registry.session().open()?;
//!
//! let call = Call::from_json(r#"{"name": "price_of", "args": {"item": "tea"}}"#)?;
//! let completed = session.call(call).await;
//! testing::assert_success(&completed);
//! assert_eq!(completed.text(), "3");
//! assert_eq!(calls.all()[0].item, "tea");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assert;
mod calls;
mod contract;
mod examples;
mod fake;

pub use assert::{assert_failure, assert_success, assert_violation};
pub use calls::Calls;
pub use contract::{FakeContract, fake_contract, fake_value};
pub use examples::{ExampleRun, Examples, run_examples, run_examples_in};
pub use fake::{Fake, fake};
