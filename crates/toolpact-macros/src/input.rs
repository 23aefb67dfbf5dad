//! The input struct: the parameters of a function as fields.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Error, Ident, Result, Visibility};

use crate::default::Default;
use crate::owned::assume;
use crate::parameter::{Field, Parameter};

/// A struct to be, with what its items have in common.
pub(crate) struct Input<'a> {
    pub(crate) name: &'a Ident,
    pub(crate) doc: &'a str,
    pub(crate) visibility: &'a Visibility,
    /// Attributes that all items of the tool have.
    pub(crate) shared: &'a TokenStream,
    pub(crate) parameters: &'a [Parameter],
}

impl Input<'_> {
    /// The struct, and the functions that make its defaults.
    ///
    /// That each type is an `Input` is assumed here and checked elsewhere: then the compiler complains
    /// once and at the type, and not in each of the implementations. It can be cloned and written if
    /// all of its parameters can. `Debug` is not derived, so that parameters need not have it, and
    /// arguments may be private.
    pub(crate) fn tokens(&self) -> TokenStream {
        let (name, visibility, shared) = (self.name, self.visibility, self.shared);
        let (doc, text) = (self.doc, format!("{name} {{ .. }}"));
        let defaults = fields(self.parameters).filter_map(|field| self.default_function(field));
        let members = fields(self.parameters).map(|field| self.member(field));
        let names: Vec<&Ident> = fields(self.parameters).map(|field| &field.name).collect();
        let assumed: Vec<TokenStream> = bounds(self.parameters).collect();
        let bounds = quote!(where #(#assumed),*);
        let cloned = assume_all(self.parameters, quote!(::core::clone::Clone));
        let written = written(self.parameters);
        quote! {
            #(#defaults)*

            #shared
            #[doc = #doc]
            #[allow(non_camel_case_types, missing_docs, dead_code, private_bounds, private_interfaces)]
            #[allow(clippy::all, clippy::pedantic)]
            #[derive(
                ::toolpact::__private::serde::Serialize,
                ::toolpact::__private::serde::Deserialize,
                ::toolpact::__private::schemars::JsonSchema,
            )]
            #[serde(crate = "::toolpact::__private::serde" #written)]
            #[schemars(crate = "::toolpact::__private::schemars", description = "")]
            #visibility struct #name #bounds {
                #(#members),*
            }

            #shared
            impl ::core::clone::Clone for #name where #(#assumed,)* #(#cloned),* {
                fn clone(&self) -> Self {
                    Self { #(#names: ::core::clone::Clone::clone(&self.#names)),* }
                }
            }

            #shared
            impl ::core::fmt::Debug for #name #bounds {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    f.write_str(#text)
                }
            }
        }
    }

    fn member(&self, field: &Field) -> TokenStream {
        let (name, of, attributes) = (&field.name, &field.owned.of, &field.attributes);
        let visibility = self.visibility;
        let default = match &field.default {
            Some(_) => {
                let function = self.default_name(field).to_string();
                Some(quote!(default = #function))
            }
            None if field.owned.optional && !field.has_serde_default() => Some(quote!(default)),
            None => None,
        };
        let absent = field
            .owned
            .optional
            .then(|| quote!(skip_serializing_if = "::core::option::Option::is_none"));
        let serde = [default, absent].into_iter().flatten();
        quote!(#(#attributes)* #(#[serde(#serde)])* #visibility #name: #of)
    }

    fn default_function(&self, field: &Field) -> Option<TokenStream> {
        let Default(value) = field.default.as_ref()?;
        let (name, of, shared) = (self.default_name(field), &field.owned.of, self.shared);
        Some(quote! {
            #shared
            #[allow(non_snake_case, clippy::all, clippy::pedantic)]
            fn #name() -> #of {
                #value
            }
        })
    }

    fn default_name(&self, field: &Field) -> Ident {
        format_ident!("__toolpact_default_{}_{}", self.name, field.name)
    }
}

/// The fields among parameters.
pub(crate) fn fields(parameters: &[Parameter]) -> impl Iterator<Item = &Field> {
    parameters.iter().filter_map(|parameter| match parameter {
        Parameter::Field(field) => Some(&**field),
        Parameter::Context { .. } => None,
    })
}

/// That each field has this trait, for the compiler to assume.
pub(crate) fn assume_all(
    parameters: &[Parameter],
    by: TokenStream,
) -> impl Iterator<Item = TokenStream> {
    fields(parameters).map(move |field| assume(&field.owned.of, &by))
}

/// The bound by which serde writes the input only if its fields can be written. `$crate`, which only a
/// macro can write, cannot be put into a string.
fn written(parameters: &[Parameter]) -> Option<TokenStream> {
    let bounds = assume_all(parameters, serialize()).map(|bound| bound.to_string());
    let bounds: Vec<String> = bounds.collect();
    let bounds = bounds.join(", ");
    (!bounds.contains('$')).then(|| quote!(, bound(serialize = #bounds)))
}

pub(crate) fn serialize() -> TokenStream {
    quote!(::toolpact::__private::serde::Serialize)
}

/// That each field can be one of an input.
pub(crate) fn bounds(parameters: &[Parameter]) -> impl Iterator<Item = TokenStream> {
    assume_all(parameters, quote!(::toolpact::typed::Input))
}

/// Two parameters with one name: serde would fill only one of them.
pub(crate) fn refuse_clash(parameters: &[Parameter]) -> Result<()> {
    let mut seen: Vec<String> = Vec::new();
    for field in fields(parameters) {
        let key = field.key();
        if seen.contains(&key) {
            let message =
                format!("two parameters are called `{key}`: give one of them another name");
            return Err(Error::new(field.name.span(), message));
        }
        seen.push(key);
    }
    Ok(())
}
