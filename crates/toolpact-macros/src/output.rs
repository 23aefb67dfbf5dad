//! What a function returns, and how a result is made of it.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Error, GenericArgument, PathArguments, Result, ReturnType, Type};

use crate::attribute::Attribute;
use crate::owned::{assume, check};

pub(crate) struct Output {
    /// The type of a success.
    pub(crate) of: TokenStream,
    /// Where an error is named, if the function may fail.
    error: Option<Span>,
    /// Where the type of a success is named that has to be made of what the function returns.
    promised: Option<Span>,
}

impl Output {
    pub(crate) fn read(returns: &ReturnType, attribute: &Attribute) -> Result<Self> {
        let ReturnType::Type(_, returned) = returns else {
            return Self::of(None, None, attribute);
        };
        match inside_of_result(returned)? {
            Some((success, error)) => Self::of(Some(success), Some(error.span()), attribute),
            None => Self::of(Some(returned), None, attribute),
        }
    }

    fn of(success: Option<&Type>, error: Option<Span>, attribute: &Attribute) -> Result<Self> {
        refuse(success, attribute)?;
        let success = success.filter(|success| !is_unit(success));
        let (of, promised) = match (&attribute.returns, success) {
            (Some(promised), _) => (complete(promised, success), Some(promised.span())),
            (None, None) => (
                quote!(::toolpact::returns::VoidResult),
                Some(Span::call_site()),
            ),
            (None, Some(success)) => (success.to_token_stream(), None),
        };
        Ok(Self {
            of,
            error,
            promised,
        })
    }

    /// The result, from the expression that calls the function.
    pub(crate) fn result(&self, call: &TokenStream) -> TokenStream {
        let value = match self.error {
            Some(place) => {
                let fail = quote_spanned!(place=> ::toolpact::ToolError::__of(__error));
                quote! {
                    match #call {
                        ::core::result::Result::Ok(__value) => __value,
                        ::core::result::Result::Err(__error) => {
                            return ::core::result::Result::Err(#fail);
                        }
                    }
                }
            }
            None => call.clone(),
        };
        let of = &self.of;
        match self.promised {
            Some(place) => {
                let convert = quote_spanned!(place=> ::toolpact::__private::into_output);
                quote!(#convert::<#of, _>(#value))
            }
            None => quote!(::core::result::Result::Ok(#value)),
        }
    }

    /// That the type is an `Output`, for the compiler to assume.
    pub(crate) fn bound(&self) -> TokenStream {
        assume(&self.of, &quote!(::toolpact::typed::Output))
    }

    /// The statement that checks it.
    pub(crate) fn check(&self) -> TokenStream {
        check(&self.of, &quote!(::toolpact::__private::can_be_returned))
    }
}

fn refuse(success: Option<&Type>, attribute: &Attribute) -> Result<()> {
    const OPAQUE: &str = "an `opaque` tool promises text and nothing more: return a `String`, or \
         leave `opaque` out";
    let Some(success) = success else {
        let misled = attribute.opaque.map(|word| Error::new(word, OPAQUE));
        return misled.map_or(Ok(()), Err);
    };
    let message = match success {
        Type::ImplTrait(_) => {
            "what a tool returns is its promise: name the type, such as `ListResult<Order>`"
        }
        Type::Never(_) => {
            "a tool that never returns answers nobody: return something, if only `()`"
        }
        Type::Reference(_) | Type::Path(_) if attribute.returns.is_some() => return Ok(()),
        text if is_text(text) && attribute.opaque.is_none() => {
            "text promises nothing: promise a text with `#[tool(returns = StringValue)]`, or say that \
             this is meant with `#[tool(opaque)]`"
        }
        Type::Reference(_) => {
            "a tool returns what it owns: return a `String` for a `&str`, a `T` \
             for a `&T`"
        }
        other if attribute.opaque.is_some() && !is_text(other) => OPAQUE,
        _ => return Ok(()),
    };
    Err(Error::new_spanned(success, message))
}

/// The type that `returns` names. What is in a list or an object need not be repeated: `ListResult` of
/// a function that returns a `Vec<Order>` is `ListResult<Order>`.
fn complete(promised: &Type, success: Option<&Type>) -> TokenStream {
    let last = match promised {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    };
    let bare = last.filter(|last| last.arguments.is_none());
    let of = match (bare.map(|last| last.ident.to_string()).as_deref(), success) {
        (Some("ObjectResult"), Some(success)) => Some(success),
        (Some("ListResult"), Some(success)) => arguments(success).and_then(|mut of| of.next()),
        _ => None,
    };
    match of {
        Some(of) => quote!(#promised<#of>),
        None => promised.to_token_stream(),
    }
}

/// The types in the angle brackets of a type.
fn arguments(of: &Type) -> Option<impl Iterator<Item = &Type>> {
    let Type::Path(path) = of else { return None };
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else {
        return None;
    };
    Some(arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(of) => Some(of),
        _ => None,
    }))
}

/// The types of a success and of an error, if it is any kind of `Result`. The error of an alias such
/// as `io::Result` is the alias itself.
fn inside_of_result(of: &Type) -> Result<Option<(&Type, &Type)>> {
    let Type::Path(path) = of else {
        return Ok(None);
    };
    let last = path.path.segments.last();
    if last.is_none_or(|last| last.ident != "Result") {
        return Ok(None);
    }
    let Some(mut types) = arguments(of) else {
        let message = "a tool says what it returns: write the types, `Result<…, …>`";
        return Err(Error::new_spanned(of, message));
    };
    let success = types.next();
    Ok(success.map(|success| (success, types.next().unwrap_or(of))))
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
