//! The ALTAR Data Model (ADM) 1.0: tools, declarations, schemas, calls and results.
//!
//! Every type here is valid by construction. There are three ways in, from text, from a
//! [`Value`](crate::json::Value) or serde, and through a builder, and all of them go through the
//! same rules and return every violation at once.

mod call;
mod declaration;
mod digest;
mod error;
mod fields;
mod methods;
mod name;
mod result;
pub mod schema;
mod structure;
mod tool;

pub(crate) use call::{CALL_ID, CallParts, report_unknown};
pub use call::{CallBuilder, CheckedCall, FunctionCall};
pub use declaration::{DeclarationBuilder, FunctionDeclaration};
pub(crate) use declaration::{read_description, warn_unless_object};
pub use digest::Digest;
pub use error::{CustomErrorType, ErrorObject, ErrorType};
pub(crate) use fields::{Fields, Structure, describe, expect, string};
pub(crate) use methods::{Form, Model, document_methods};
pub use name::ToolName;
pub use result::ToolResult;
pub(crate) use result::{Arm, ResultParts, report_mismatch};
#[doc(inline)]
pub use schema::{Schema, SchemaBuilder, SchemaType};
pub(crate) use structure::structure_json_schema;
pub use tool::{ToolBuilder, ToolDocument};
