//! The `ToolSpec` of a tool: its name, its description and its options.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt as _;
use syn::{Error, Expr, ExprLit, ImplItemFn, Lit, Meta, Result, Signature};

use crate::attribute::{Attribute, NAME, is_tool_name};

/// The expression for `ToolSpec`.
pub(crate) fn spec(function: &ImplItemFn, attribute: &Attribute) -> Result<TokenStream> {
    let name = tool_name(&function.sig, attribute)?;
    let description = match &attribute.description {
        Some(description) => description.value(),
        None => documentation(function),
    };
    if description.trim().is_empty() {
        let message = "a tool needs a description, for the model that is to use it: write it above \
             as a `///` comment";
        return Err(Error::new(function.sig.ident.span(), message));
    }
    let options = &attribute.options;
    let place = match (attribute.inline, attribute.blocking, function.sig.asyncness) {
        (Some(_), _, _) => quote!(Caller),
        (None, Some(_), _) | (None, None, None) => quote!(Thread),
        (None, None, Some(_)) => quote!(Pool),
    };
    Ok(quote! {
        ::toolpact::typed::ToolSpec::new(#name, #description)
            #(#options)*
            .runs_on(::toolpact::typed::RunsOn::#place)
    })
}

pub(crate) fn tool_name(signature: &Signature, attribute: &Attribute) -> Result<String> {
    let name = match &attribute.name {
        Some(name) => name.value(),
        None => signature.ident.unraw().to_string(),
    };
    match is_tool_name(&name) {
        true => Ok(name),
        false => Err(Error::new(signature.ident.span(), NAME)),
    }
}

/// The doc comment, paragraph for paragraph as it is written.
fn documentation(function: &ImplItemFn) -> String {
    let lines = function.attrs.iter().filter_map(|attribute| {
        let Meta::NameValue(pair) = &attribute.meta else {
            return None;
        };
        match &pair.value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(line),
                ..
            }) if pair.path.is_ident("doc") => {
                let line = line.value();
                Some(line.strip_prefix(' ').map_or(line.clone(), str::to_owned))
            }
            _ => None,
        }
    });
    lines.collect::<Vec<String>>().join("\n").trim().to_owned()
}
