//! From the type of a parameter to what the input owns, and back.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Error, GenericArgument, PathArguments, Result, Type, TypeReference};

/// What the input owns for a parameter.
pub(crate) struct Owned {
    pub(crate) of: TokenStream,
    pub(crate) optional: bool,
    passed: Passed,
}

/// How the function gets it.
enum Passed {
    Value,
    Reference,
    /// `Option<&T>` of an `Option<T>`.
    Inside,
    /// `Option<&str>` of an `Option<String>`.
    InsideUnsized,
}

impl Owned {
    pub(crate) fn read(of: &Type) -> Result<Self> {
        let (tokens, passed) = match (of, inside_of_option(of)) {
            (Type::Reference(reference), _) => (behind(reference)?, Passed::Reference),
            (_, Some(Type::Reference(reference))) => {
                let inside = behind(reference)?;
                let option = quote_spanned!(of.span()=> ::core::option::Option);
                let passed = match is_unsized(&reference.elem) {
                    true => Passed::InsideUnsized,
                    false => Passed::Inside,
                };
                (quote!(#option<#inside>), passed)
            }
            _ => (of.to_token_stream(), Passed::Value),
        };
        refuse(&tokens, of)?;
        let borrows_option = matches!(of, Type::Reference(reference)
            if inside_of_option(&reference.elem).is_some());
        Ok(Self {
            of: tokens,
            optional: borrows_option || inside_of_option(of).is_some(),
            passed,
        })
    }

    /// The argument, made of a variable that owns it.
    pub(crate) fn pass(&self, variable: &syn::Ident) -> TokenStream {
        match self.passed {
            Passed::Value => quote!(#variable),
            Passed::Reference => quote!(&#variable),
            Passed::Inside => quote!(#variable.as_ref()),
            Passed::InsideUnsized => quote!(#variable.as_deref()),
        }
    }
}

/// `Type: Trait` as a condition that the compiler assumes. Without the lifetime it would check each
/// of these conditions, and each trait in them, where they are written.
pub(crate) fn assume(of: &TokenStream, by: &TokenStream) -> TokenStream {
    quote!(for<'__any> #of: #by)
}

/// The one place where a condition is checked, and the compiler points at the type.
pub(crate) fn check(of: &TokenStream, function: &TokenStream) -> TokenStream {
    let end = of.clone().into_iter().last();
    let end = end.map_or_else(Span::call_site, |token| token.span());
    let function = function.clone().into_iter().map(|mut token| {
        token.set_span(end);
        token
    });
    quote!(#(#function)*::<#of>();)
}

/// What the input owns for a reference.
fn behind(reference: &TypeReference) -> Result<TokenStream> {
    if reference.mutability.is_some() {
        let message = "a tool cannot change what its caller gives: take it by value or by `&`";
        return Err(Error::new_spanned(reference, message));
    }
    if let Some(lifetime) = &reference.lifetime {
        let message = "what a caller gives lives as long as the call: leave the lifetime out";
        return Err(Error::new_spanned(lifetime, message));
    }
    let of = &*reference.elem;
    Ok(match of {
        Type::Slice(slice) => {
            let item = &slice.elem;
            quote_spanned!(of.span()=> ::std::vec::Vec<#item>)
        }
        Type::Path(path) if path.path.is_ident("str") => {
            quote_spanned!(of.span()=> ::std::string::String)
        }
        other => other.to_token_stream(),
    })
}

fn is_unsized(of: &Type) -> bool {
    match of {
        Type::Slice(_) => true,
        Type::Path(path) => path.path.is_ident("str"),
        _ => false,
    }
}

/// The type in an `Option<…>`.
fn inside_of_option(of: &Type) -> Option<&Type> {
    let Type::Path(path) = of else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    match arguments.args.first() {
        Some(GenericArgument::Type(inside)) if last.ident == "Option" => Some(inside),
        _ => None,
    }
}

/// What nobody could own.
fn refuse(owned: &TokenStream, of: &Type) -> Result<()> {
    let message = match () {
        () if has(owned, &is_word("impl")) || has(owned, &is_word("dyn")) => {
            "a parameter of a tool needs a type: callers cannot choose one"
        }
        () if has(owned, &is_word("Self")) => {
            "the input is a type of its own, which does not know `Self`: write the name of the type"
        }
        () if has(owned, &borrows) => {
            "only a whole parameter can be borrowed, or what is in an `Option`: use `String` for \
             `&str` here, `Vec<T>` for `&[T]`, and `T` for `&T`"
        }
        () => return Ok(()),
    };
    Err(Error::new_spanned(of, message))
}

/// Whether any token is one of these.
pub(crate) fn has(tokens: &TokenStream, is: &impl Fn(&TokenTree) -> bool) -> bool {
    tokens.clone().into_iter().any(|token| match &token {
        TokenTree::Group(group) => has(&group.stream(), is),
        other => is(other),
    })
}

pub(crate) fn is_word(word: &str) -> impl Fn(&TokenTree) -> bool {
    move |token| matches!(token, TokenTree::Ident(found) if found == word)
}

fn borrows(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(mark) if mark.as_char() == '&')
}
