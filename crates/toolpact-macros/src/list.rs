//! `tools![greet, shop::search, orders.cancel]`

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Error, Expr, ExprField, Ident, Member, Result, Token};

pub(crate) fn tools(input: TokenStream) -> Result<TokenStream> {
    let list = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(input)?;
    let tools: Vec<TokenStream> = list.iter().map(tool).collect::<Result<_>>()?;
    Ok(quote!([#(::toolpact::define::IntoDefinition::into_definition(#tools)),*]))
}

fn tool(named: &Expr) -> Result<TokenStream> {
    match named {
        Expr::Path(path) => Ok(quote!(<#path>::tool())),
        Expr::Field(field) => match &field.member {
            Member::Named(method) => Ok(of_method(field, method)),
            Member::Unnamed(_) => Err(wrong(named)),
        },
        _ => Err(wrong(named)),
    }
}

/// The owner is shared with the tool. Where it is in no `Arc`, the compiler points at it.
fn of_method(field: &ExprField, method: &Ident) -> TokenStream {
    let (owner, maker) = (&field.base, format_ident!("{method}_tool"));
    let shared = quote_spanned!(owner.span()=> ::std::sync::Arc::clone(&#owner));
    quote!(#shared.#maker())
}

fn wrong(named: &Expr) -> Error {
    let message = "expected functions and methods with `#[tool]`: `greet`, or `orders.search` where \
         `orders` is in an `Arc`";
    Error::new_spanned(named, message)
}
