//! Defaults of parameters.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote_spanned};
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned as _;
use syn::{Attribute, Error, Expr, ExprLit, Lit, Result, Token};

use crate::owned::{has, is_word};

/// The expression that makes it.
pub(crate) struct Default(pub(crate) TokenStream);

impl Default {
    /// `#[tool(default)]` or `#[tool(default = 5)]`.
    pub(crate) fn read(attributes: &[Attribute]) -> Result<Option<Self>> {
        let mut found = None;
        for attribute in attributes.iter().filter(|a| a.path().is_ident("tool")) {
            attribute.parse_nested_meta(|meta| {
                let default = one(&meta)?;
                match found.replace(default) {
                    None => Ok(()),
                    Some(_) => Err(meta.error("`default` is said twice: leave one out")),
                }
            })?;
        }
        Ok(found)
    }
}

fn one(meta: &ParseNestedMeta<'_>) -> Result<Default> {
    if !meta.path.is_ident("default") {
        return Err(meta.error("a parameter can have `default` or `default = …` here"));
    }
    if !meta.input.peek(Token![=]) {
        let place = meta.path.span();
        return Ok(Default(
            quote_spanned!(place=> ::core::default::Default::default()),
        ));
    }
    let value: Expr = meta.value()?.parse()?;
    if has(&value.to_token_stream(), &is_word("Self")) {
        let message = "defaults are made outside of the `impl`, where there is no `Self`: write the \
             name of the type";
        return Err(Error::new_spanned(value, message));
    }
    Ok(Default(made_of(&value)))
}

/// A literal text may become any kind of text. Everything else is of the type already, so that the
/// compiler knows what `5` is.
fn made_of(value: &Expr) -> TokenStream {
    match value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(_), ..
        }) => quote_spanned!(value.span()=> ::core::convert::Into::into(#value)),
        other => other.to_token_stream(),
    }
}
