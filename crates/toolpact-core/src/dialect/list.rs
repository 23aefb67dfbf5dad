use std::fmt;

use crate::Violations;
use crate::contract::Contract;
use crate::json::Document;

use super::export::Export;
use super::import::Import;

/// Ways to write tools. Each has one name, which the command line and scripts use.
macro_rules! dialects {
    ($($(#[doc = $doc:literal])+ $dialect:ident = $name:literal,)+) => {
        /// A way to write tools.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Dialect {
            $($(#[doc = $doc])+ $dialect,)+
        }

        impl Dialect {
            /// All of them.
            pub const ALL: &'static [Dialect] = &[$(Dialect::$dialect,)+];

            /// Its name, which does not change.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Dialect::$dialect => $name,)+
                }
            }

            /// What it is, in a line.
            #[must_use]
            pub fn about(self) -> &'static str {
                match self {
                    $(Dialect::$dialect => concat!($($doc,)+).trim_ascii(),)+
                }
            }
        }
    };
}

dialects! {
    /// Our own contract document, which keeps everything.
    Contract = "contract",
    /// ALTAR Data Model: a tool with function declarations.
    Adm = "adm",
    /// ADL 1.5: an agent document with typed returns.
    Adl = "adl",
    /// ADL 1.0: an agent document, returns in words.
    Adl1_0 = "adl-1.0",
    /// Plain JSON Schema 2020-12: name, description, input, output.
    JsonSchema = "jsonschema",
    /// Gemini `parameters` and `response`: OpenAPI 3.0 schemas, types in upper case.
    Gemini = "gemini",
    /// Gemini `parametersJsonSchema` and `responseJsonSchema`.
    GeminiJson = "gemini-json",
    /// OpenAI Responses, not strict.
    OpenAi = "openai",
    /// OpenAI Responses, strict: the model is held to the schema.
    OpenAiStrict = "openai-strict",
    /// OpenAI Chat Completions, not strict.
    OpenAiChat = "openai-chat",
    /// OpenAI Chat Completions, strict.
    OpenAiChatStrict = "openai-chat-strict",
    /// Anthropic Messages, not strict.
    Anthropic = "anthropic",
    /// Anthropic Messages, strict: the model is held to the schema.
    AnthropicStrict = "anthropic-strict",
    /// Model Context Protocol, newest: 2026-07-28.
    Mcp = "mcp",
    /// Model Context Protocol 2025-11-25: results are objects.
    Mcp2025_11_25 = "mcp-2025-11-25",
    /// Model Context Protocol 2025-06-18: results are objects.
    Mcp2025_06_18 = "mcp-2025-06-18",
    /// OpenAPI: reads 3.0 and 3.1, writes 3.1: every operation a tool.
    OpenApi = "openapi",
}

impl Dialect {
    /// The dialect of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|dialect| dialect.as_str() == name)
    }

    /// The steps from a JSON Schema for arguments to one of this dialect, in order: what each is
    /// called and what it does.
    pub fn steps(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let steps = self.layout().map_or(&[][..], |layout| layout.input.steps);
        steps.iter().map(|step| (step.name, step.about))
    }

    /// Writes contracts in this dialect.
    pub fn export<'c>(self, contracts: impl IntoIterator<Item = &'c Contract>) -> Export {
        Export::new(self, contracts)
    }

    /// Reads the tools of a document that is written in this dialect. Fails if it is no such
    /// document; a tool in it that cannot be read is left out and named.
    pub fn import(self, document: &Document) -> Result<Import, Violations> {
        Import::read(document, Some(self.into()))
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
