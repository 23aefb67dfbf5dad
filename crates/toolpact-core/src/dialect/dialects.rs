use crate::Violations;
use crate::contract::Contract;
use crate::json::Document;

use super::export::Export;
use super::import::Import;
use super::spec::Spec;
use super::{adl, adm, anthropic, bedrock, contract, gemini, json_schema, mcp, openai, openapi};

/// Defines the dialects. Each has a stable name, which the command line and scripts use, and one
/// `Spec` value.
macro_rules! dialects {
    ($($(#[doc = $doc:literal])+ $dialect:ident = $name:literal, $spec:path;)+) => {
        /// A format for tool definitions.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Dialect {
            $($(#[doc = $doc])+ $dialect,)+
        }

        impl Dialect {
            /// All dialects.
            pub const ALL: &'static [Dialect] = &[$(Dialect::$dialect,)+];

            /// The stable name of the dialect.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Dialect::$dialect => $name,)+
                }
            }

            /// The specification of the dialect.
            pub(super) fn spec(self) -> &'static Spec {
                match self {
                    $(Dialect::$dialect => &$spec,)+
                }
            }

            /// A one-line description.
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
    /// The contract document, in which nothing is lost.
    Contract = "contract", contract::SPEC;
    /// ALTAR Data Model: a tool with function declarations.
    Adm = "adm", adm::SPEC;
    /// ADL 1.5: an agent document with typed returns.
    Adl = "adl", adl::SPEC;
    /// ADL 1.0: an agent document with returns in prose.
    Adl1_0 = "adl-1.0", adl::SPEC_1_0;
    /// Plain JSON Schema 2020-12: name, description, input, output.
    JsonSchema = "jsonschema", json_schema::SPEC;
    /// Gemini `parameters` and `response`: OpenAPI 3.0 schemas.
    Gemini = "gemini", gemini::SPEC;
    /// Gemini `parametersJsonSchema` and `responseJsonSchema`.
    GeminiJson = "gemini-json", gemini::SPEC_JSON;
    /// OpenAI Responses, not strict.
    OpenAi = "openai", openai::SPEC;
    /// OpenAI Responses, strict: the model must follow the schema.
    OpenAiStrict = "openai-strict", openai::SPEC_STRICT;
    /// OpenAI Chat Completions, not strict.
    OpenAiChat = "openai-chat", openai::SPEC_CHAT;
    /// OpenAI Chat Completions, strict.
    OpenAiChatStrict = "openai-chat-strict", openai::SPEC_CHAT_STRICT;
    /// Anthropic Messages, not strict.
    Anthropic = "anthropic", anthropic::SPEC;
    /// Anthropic Messages, strict: the model must follow the schema.
    AnthropicStrict = "anthropic-strict", anthropic::SPEC_STRICT;
    /// Amazon Bedrock, the `toolConfig` of the Converse API.
    Bedrock = "bedrock", bedrock::SPEC;
    /// Model Context Protocol 2026-07-28, the newest.
    Mcp = "mcp", mcp::SPEC;
    /// Model Context Protocol 2025-11-25: results are objects.
    Mcp2025_11_25 = "mcp-2025-11-25", mcp::SPEC_2025;
    /// Model Context Protocol 2025-06-18: results are objects.
    Mcp2025_06_18 = "mcp-2025-06-18", mcp::SPEC_2025;
    /// OpenAPI 3.1, with one operation for each tool.
    OpenApi = "openapi", openapi::SPEC;
    /// OpenAPI 3.0, with one operation for each tool.
    OpenApi3_0 = "openapi-3.0", openapi::SPEC_3_0;
}

impl Dialect {
    /// The member of the value of an input key that is the schema, if that is not the schema itself.
    pub(super) fn schema_inside(self) -> Option<&'static str> {
        (self == Dialect::Bedrock).then_some(bedrock::JSON)
    }

    /// The dialect with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|dialect| dialect.as_str() == name)
    }

    /// The steps that convert a JSON Schema for arguments to this dialect, in order: the name and
    /// description of each.
    pub fn steps(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let steps = self
            .spec()
            .layout
            .map_or(&[][..], |layout| layout.input.steps);
        steps.iter().map(|step| (step.name, step.about))
    }

    /// Writes contracts in this dialect.
    pub fn export<'c>(self, contracts: impl IntoIterator<Item = &'c Contract>) -> Export {
        Export::new(self, contracts)
    }

    /// Reads the tools of a document in this dialect. Fails if the document is not in this dialect;
    /// tools that cannot be read are listed in [`Import::left_out`].
    pub fn import(self, document: &Document) -> Result<Import, Violations> {
        Import::read(document, Some(self.into()))
    }
}

crate::text::display!(Dialect: as_str);
