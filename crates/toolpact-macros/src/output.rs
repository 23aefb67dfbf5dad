//! What a function returns, and how a result is made of it.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Error, GenericArgument, PathArguments, Result, ReturnType, Type};

use crate::attribute::Attribute;
use crate::owned::bound;

pub(crate) struct Output {
    /// The type of a success.
    pub(crate) of: TokenStream,
    /// Where an error is named, if the function may fail.
    error: Option<proc_macro2::Span>,
    /// Whether it returns nothing, so that a VoidResult has to be made.
    void: bool,
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

    fn of(
        success: Option<&Type>,
        error: Option<proc_macro2::Span>,
        attribute: &Attribute,
    ) -> Result<Self> {
        refuse(success, attribute)?;
        let success = success.filter(|success| !is_unit(success));
        Ok(Self {
            of: match success {
                Some(success) => success.to_token_stream(),
                None => quote!(::toolpact::types::VoidResult),
            },
            error,
            void: success.is_none(),
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
        match self.void {
            true => quote!({ #value; ::core::result::Result::Ok(#of::success()) }),
            false => quote!(::core::result::Result::Ok(#value)),
        }
    }

    /// `Type: Output`, placed so that the compiler points at the type if it is not true.
    pub(crate) fn bound(&self) -> TokenStream {
        bound(&self.of, &quote!(::toolpact::typed::Output))
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
        text if is_text(text) && attribute.opaque.is_none() => {
            "text promises nothing: return `StringValue`, or say that this is meant with \
             `#[tool(opaque)]`"
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

/// The types of a success and of an error, if it is any kind of `Result`. The error of an alias such
/// as `io::Result` is the alias itself.
fn inside_of_result(of: &Type) -> Result<Option<(&Type, &Type)>> {
    let Type::Path(path) = of else {
        return Ok(None);
    };
    let last = path.path.segments.last();
    let Some(last) = last.filter(|last| last.ident == "Result") else {
        return Ok(None);
    };
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        let message = "a tool says what it returns: write the types, `Result<…, …>`";
        return Err(Error::new_spanned(of, message));
    };
    let mut types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(of) => Some(of),
        _ => None,
    });
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
