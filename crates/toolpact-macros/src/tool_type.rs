//! The attribute `#[tool_type]`: the derives of a type that tools take or return.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, Item, Result};

pub(crate) fn tool_type(attribute: &TokenStream, item: TokenStream) -> Result<TokenStream> {
    if !attribute.is_empty() {
        let message =
            "`#[tool_type]` takes nothing: `#[serde(…)]` and `#[schemars(…)]` below it say more";
        return Err(Error::new_spanned(attribute, message));
    }
    let item: Item = syn::parse2(item)?;
    if !matches!(item, Item::Struct(_) | Item::Enum(_)) {
        let message = "`#[tool_type]` stands on a struct or an enum";
        return Err(Error::new_spanned(item, message));
    }
    Ok(quote! {
        #[derive(
            ::toolpact::__private::serde::Serialize,
            ::toolpact::__private::serde::Deserialize,
            ::toolpact::__private::schemars::JsonSchema,
        )]
        #[serde(crate = "::toolpact::__private::serde")]
        #[schemars(crate = "::toolpact::__private::schemars")]
        #item
    })
}
