//! The attribute `#[tool]` and the list `tools![]` of toolpact.
//!
//! Thin shells: what they write is what one could write with `toolpact::tool_fn`.

mod about;
mod attribute;
mod default;
mod entry;
mod expand;
mod input;
mod list;
mod output;
mod owned;
mod parameter;
mod tool;

use proc_macro::TokenStream;

/// Makes a tool of a function or a method. See the documentation of `toolpact`.
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let (attribute, kept) = (attribute.into(), item.clone());
    match expand::tool(attribute, item.into()) {
        Ok(tokens) => tokens.into(),
        Err(error) => {
            // The function stays, so that its users do not get errors of their own.
            let mut tokens = TokenStream::from(error.to_compile_error());
            tokens.extend(expand::stripped(kept.into()).map(TokenStream::from));
            tokens
        }
    }
}

/// A list of tools to register. See the documentation of `toolpact`.
#[proc_macro]
pub fn tools(input: TokenStream) -> TokenStream {
    match list::tools(input.into()) {
        Ok(tokens) => tokens.into(),
        Err(error) => error.to_compile_error().into(),
    }
}
