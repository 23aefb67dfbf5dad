//! Tools that answer from their contracts and do nothing: for agents and programs that are tested without
//! what their tools work with.
//!
//! A mocked tool checks its arguments as the tool would. Its answer is an example of its contract if there
//! is one, else made from what the contract promises, valid in shape and in meaning; the same arguments
//! have the same answer. [`Mock`] says what else happens: errors, delays, and results that break the
//! contract, which the registry then withholds.
//!
//! ```
//! use toolpact::core::contract::Contract;
//! use toolpact::mock::{Behaviour, Mock};
//! use toolpact::{Call, Definition, Registry};
//!
//! let contract = Contract::from_json(r#"{
//!     "name": "get_weather",
//!     "description": "Tells the weather of a city.",
//!     "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
//!     "returns": {"type": "object", "required": ["degrees"], "properties": {
//!         "degrees": {"type": "number", "minimum": -40, "maximum": 50}}}
//! }"#)?;
//! // Every third call fails.
//! let errors = vec!["EXTERNAL_TIMEOUT=1/3".parse()?];
//! let mock = Mock { all: Behaviour { errors, ..Behaviour::default() }, ..Mock::default() };
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let registry = Registry::new();
//! registry.add(Definition::mocked(contract, &mock))?;
//! let session = registry.session().open()?;
//! let call = || Call::from_json(r#"{"name": "get_weather", "args": {"city": "Oslo"}}"#);
//! let first = session.call(call()?).await;
//! assert!(first.is_success());
//! assert_eq!(session.call(call()?).await.text(), first.text());
//! assert_eq!(session.call(call()?).await.error().unwrap().code(), "EXTERNAL_TIMEOUT");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod behaviour;
mod body;
mod often;
mod settings;

pub use behaviour::{Behaviour, Delay, MockedError};
pub(crate) use body::MockedBody;
pub use often::{Often, WrongSetting};
pub use settings::Mock;
