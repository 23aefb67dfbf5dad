//! `tools![greet, shop::search, orders.cancel]`

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Error, Expr, Member, Result, Token};

pub(crate) fn tools(input: TokenStream) -> Result<TokenStream> {
    let list = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(input)?;
    let tools: Vec<TokenStream> = list.iter().map(tool).collect::<Result<_>>()?;
    Ok(quote!([#(::toolpact::IntoDefinition::into_definition(#tools)),*]))
}

fn tool(named: &Expr) -> Result<TokenStream> {
    match named {
        Expr::Path(path) => Ok(quote!(<#path>::tool())),
        Expr::Field(field) => {
            let Member::Named(method) = &field.member else {
                return Err(wrong(named));
            };
            let (owner, maker) = (&field.base, format_ident!("{method}_tool"));
            Ok(quote!(::std::sync::Arc::clone(&#owner).#maker()))
        }
        _ => Err(wrong(named)),
    }
}

fn wrong(named: &Expr) -> Error {
    let message = "expected functions and methods with `#[tool]`: `greet`, or `orders.search` where \
         `orders` is in an `Arc`";
    Error::new(named.span(), message)
}
