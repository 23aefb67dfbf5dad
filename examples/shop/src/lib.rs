//! A small shop on an embedded database: the example of toolpact.
//!
//! Its tools do real work, are written as a user of the library would write them, and together return
//! all fourteen standard types. `README.md` says where to find what.
//!
//! ```
//! use toolpact::{Call, Registry};
//! use toolpact_shop::Shop;
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let dir = tempfile::tempdir()?;
//! let shop = Shop::options().orders(50).open(dir.path())?;
//! let registry = Registry::new();
//! shop.register(&registry)?;
//!
//! let session = registry.session().open()?;
//! let call = Call::from_json(r#"{"name": "summarize_order", "args": {"order": "O-1001"}}"#)?;
//! assert!(session.call(call).await.text().starts_with("O-1001 of "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

/// The Rust of the README builds.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod backup;
mod chart;
mod csv_file;
mod database;
mod error;
mod generate;
mod import;
mod reindex;
mod shop;
mod slug;
mod store;
mod tools;
mod values;

pub use error::{ShopError, ShopErrorKind};
pub use shop::{Options, Shop};
