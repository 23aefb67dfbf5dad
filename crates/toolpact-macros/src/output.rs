//! What a function returns, and how a result is made of it.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::spanned::Spanned as _;
use syn::{Error, GenericArgument, PathArguments, Result, ReturnType, Type};

use crate::attribute::Attribute;

pub(crate) struct Output {
    /// The type of a success.
    pub(crate) of: TokenStream,
    /// Whether the function may fail.
    pub(crate) fallible: bool,
    /// Whether it returns nothing, so that a VoidResult has to be made.
    pub(crate) void: bool,
}

impl Output {
    pub(crate) fn read(returns: &ReturnType, attribute: &Attribute) -> Result<Self> {
        let ReturnType::Type(_, returned) = returns else {
            return Self::of(None, false, attribute, returns.span());
        };
        match inside_of_result(returned) {
            Some(success) => Self::of(Some(success), true, attribute, success.span()),
            None => Self::of(Some(returned), false, attribute, returned.span()),
        }
    }

    fn of(
        success: Option<&Type>,
        fallible: bool,
        attribute: &Attribute,
        span: proc_macro2::Span,
    ) -> Result<Self> {
        let success = success.filter(|success| !is_unit(success));
        refuse(success, attribute, span)?;
        Ok(Self {
            of: match success {
                Some(success) => success.to_token_stream(),
                None => quote!(::toolpact::core::returns::types::VoidResult),
            },
            fallible,
            void: success.is_none(),
        })
    }

    /// The result, from the expression that calls the function.
    pub(crate) fn result(&self, call: &TokenStream) -> TokenStream {
        let value = match self.fallible {
            true => quote!(#call?),
            false => call.clone(),
        };
        let of = &self.of;
        match self.void {
            true => quote!({ #value; ::core::result::Result::Ok(#of::success()) }),
            false => quote!(::core::result::Result::Ok(#value)),
        }
    }
}

fn refuse(success: Option<&Type>, attribute: &Attribute, span: proc_macro2::Span) -> Result<()> {
    let text = success.is_some_and(is_text);
    let message = match (success, attribute.opaque) {
        (Some(Type::ImplTrait(_)), _) => "a tool returns a type with a name: it is its promise",
        (Some(Type::Never(_)), _) => "a tool returns something, if only `()`",
        (Some(_), None) if text => {
            "text promises nothing: return `StringValue`, or say that this is meant with \
             `#[tool(opaque)]`"
        }
        (Some(Type::Reference(_)), _) => "a tool returns what it owns, such as a `String`",
        (_, Some(_)) if !text => "an opaque tool returns a `String`",
        _ => return Ok(()),
    };
    Err(Error::new(span, message))
}

/// The type of a success, if it is any kind of `Result`.
fn inside_of_result(of: &Type) -> Option<&Type> {
    let Type::Path(path) = of else { return None };
    let last = path
        .path
        .segments
        .last()
        .filter(|last| last.ident == "Result")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(of) => Some(of),
        _ => None,
    })
}

fn is_unit(of: &Type) -> bool {
    matches!(of, Type::Tuple(tuple) if tuple.elems.is_empty())
}

fn is_text(of: &Type) -> bool {
    match of {
        Type::Reference(reference) => is_text(&reference.elem),
        Type::Path(path) => path
            .path
            .segments
            .last()
            .is_some_and(|last| last.ident == "String" || last.ident == "str"),
        _ => false,
    }
}
