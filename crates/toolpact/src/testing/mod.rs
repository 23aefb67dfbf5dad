//! For tests of what uses tools, and of tools themselves.
//!
//! - [`fake`] and [`fake_contract`] put another body under the contract of a tool. What a fake
//!   returns is held to the contract like everything else, so a test cannot pass on a result that
//!   the real tool could never give. [`Calls`] are what a fake was asked.
//! - [`run_examples`] calls a tool with every example of its contract.
//! - [`assert_violation`] and [`assert_success`] say in full what there is when they fail.
//!
//! ```
//! use toolpact::types::NumberValue;
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
