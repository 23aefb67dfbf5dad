//! The struct that a function's parameters make.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Ident, Visibility};

use crate::parameter::{Default, Field, Parameter};

/// The struct, and the functions that make its defaults.
pub(crate) fn tokens(
    name: &Ident,
    visibility: &Visibility,
    parameters: &[Parameter],
) -> TokenStream {
    let fields: Vec<&Field> = fields(parameters).collect();
    let defaults = fields
        .iter()
        .filter_map(|field| default_function(name, field));
    let fields = fields.iter().map(|field| member(name, visibility, field));
    quote! {
        #(#defaults)*

        #[allow(non_camel_case_types, missing_docs, dead_code, clippy::all, clippy::pedantic)]
        #[derive(
            ::core::fmt::Debug,
            ::core::clone::Clone,
            ::toolpact::__private::serde::Serialize,
            ::toolpact::__private::serde::Deserialize,
            ::toolpact::__private::schemars::JsonSchema,
        )]
        #[serde(crate = "::toolpact::__private::serde")]
        #[schemars(crate = "::toolpact::__private::schemars")]
        #visibility struct #name {
            #(#fields),*
        }
    }
}

/// The fields among parameters.
pub(crate) fn fields(parameters: &[Parameter]) -> impl Iterator<Item = &Field> {
    parameters.iter().filter_map(|parameter| match parameter {
        Parameter::Field(field) => Some(&**field),
        Parameter::Context { .. } => None,
    })
}

fn member(owner: &Ident, visibility: &Visibility, field: &Field) -> TokenStream {
    let Field {
        name,
        owned,
        attributes,
        ..
    } = field;
    let absent = field.optional.then(
        || quote!(#[serde(default, skip_serializing_if = "::core::option::Option::is_none")]),
    );
    let default = field.default.as_ref().map(|default| match default {
        Default::OfType => quote!(#[serde(default)]),
        Default::Value(_) => {
            let function = default_name(owner, field).to_string();
            quote!(#[serde(default = #function)])
        }
    });
    let default = default.or(absent);
    quote!(#(#attributes)* #default #visibility #name: #owned)
}

fn default_function(owner: &Ident, field: &Field) -> Option<TokenStream> {
    let Some(Default::Value(value)) = &field.default else {
        return None;
    };
    let (name, owned) = (default_name(owner, field), &field.owned);
    Some(quote! {
        #[allow(non_snake_case, clippy::all, clippy::pedantic)]
        fn #name() -> #owned {
            ::core::convert::Into::into(#value)
        }
    })
}

fn default_name(owner: &Ident, field: &Field) -> Ident {
    format_ident!("__toolpact_default_{}_{}", owner, field.name)
}
