//! Documentation pages about contracts, for people.
//!
//! A [`Docs`] has a [`Page`] for each tool: parameters, return type, errors, and a call to copy
//! that the contract accepts. [`markdown`] and [`html`] write it; both escape all text of
//! contracts, so that none of it becomes markup.
//!
//! ```
//! use toolpact_core::contract::Contract;
//! use toolpact_docs::{Docs, markdown};
//!
//! let contract = Contract::from_json(r#"{
//!     "name": "slug_of",
//!     "description": "Makes a slug of a title.",
//!     "parameters": {
//!         "type": "object",
//!         "properties": {"title": {"type": "string", "maxLength": 200}},
//!         "required": ["title"]
//!     },
//!     "returns": "StringValue"
//! }"#)?;
//! let docs = Docs::of("Our tools", &[contract]);
//! let pages = markdown::files(&docs);
//! assert_eq!(pages[0].0, "index.md");
//! assert_eq!(pages[1].0, "slug_of.md");
//! assert!(pages[1].1.contains("| `title` | string; at most 200 characters | yes |"));
//! # Ok::<(), toolpact_core::Violations>(())
//! ```

mod effects;
mod errors;
mod fields;
pub mod html;
mod json;
mod limits;
pub mod markdown;
mod page;
mod phrase;
mod promise;
mod prose;
mod rows;
mod slug;
mod words;

use std::collections::HashMap;

use toolpact_core::contract::Contract;

pub use effects::Effect;
pub use page::Page;
pub use phrase::{Phrase, Span};
pub use promise::Promise;
pub use prose::Prose;
pub use rows::{Need, Row, Shape};

use slug::Slugs;

/// Pages about tools: a title, and a page for each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Docs {
    title: String,
    pages: Vec<Page>,
    slugs: Slugs,
    /// The number of tools with each name.
    names: HashMap<String, usize>,
}

impl Docs {
    /// A reference without pages.
    #[must_use]
    pub fn new(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            pages: Vec::new(),
            slugs: Slugs::default(),
            names: HashMap::new(),
        }
    }

    /// A page for each of these contracts.
    #[must_use]
    pub fn of(title: &str, contracts: &[Contract]) -> Self {
        let mut docs = Self::new(title);
        for contract in contracts {
            docs.add(contract, None);
        }
        docs
    }

    /// Adds a page. The origin of the contract is shown if another tool has the same name.
    pub fn add(&mut self, contract: &Contract, origin: Option<&str>) {
        let slug = self.slugs.make(contract.name().as_str());
        let mut page = Page::of(contract, slug);
        page.origin = origin.map(ToOwned::to_owned);
        *self.names.entry(page.name.clone()).or_default() += 1;
        self.pages.push(page);
    }

    /// The title.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The pages in the order they were added.
    #[must_use]
    pub fn pages(&self) -> &[Page] {
        &self.pages
    }

    /// The origin of the contract of a page, if its name is ambiguous.
    fn origin<'a>(&self, page: &'a Page) -> Option<&'a str> {
        let is_ambiguous = self.names.get(&page.name).is_some_and(|count| *count > 1);
        page.origin.as_deref().filter(|_| is_ambiguous)
    }
}
