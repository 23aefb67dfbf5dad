//! The parameters of a function: what a caller gives, and the context.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::spanned::Spanned as _;
use syn::{Attribute, Error, Expr, FnArg, Ident, Pat, PatType, Result, Type, TypeReference};

/// One parameter.
pub(crate) enum Parameter {
    /// A field of the input.
    Field(Box<Field>),
    /// The context of the call, borrowed or not.
    Context { borrowed: bool },
}

pub(crate) struct Field {
    pub(crate) name: Ident,
    /// As the input owns it.
    pub(crate) owned: TokenStream,
    pub(crate) borrowed: bool,
    pub(crate) optional: bool,
    /// Doc comments and those of serde and schemars.
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) default: Option<Default>,
}

pub(crate) enum Default {
    OfType,
    Value(Box<Expr>),
}

impl Parameter {
    pub(crate) fn read(argument: &FnArg) -> Result<Option<Self>> {
        let FnArg::Typed(typed) = argument else {
            return Ok(None);
        };
        if let Some(borrowed) = context(&typed.ty) {
            return Ok(Some(Self::Context { borrowed }));
        }
        field(typed).map(|field| Some(Self::Field(Box::new(field))))
    }

    /// How it is handed to the function.
    pub(crate) fn argument(&self) -> TokenStream {
        match self {
            Self::Field(field) => {
                let name = &field.name;
                match field.borrowed {
                    true => quote!(&#name),
                    false => quote!(#name),
                }
            }
            Self::Context { borrowed: true } => quote!(&__context),
            Self::Context { borrowed: false } => quote!(__context.clone()),
        }
    }
}

/// Takes away what only this attribute understands, or what parameters cannot have.
pub(crate) fn strip(argument: &mut FnArg) {
    if let FnArg::Typed(typed) = argument {
        typed.attrs.retain(|attribute| !is_ours(attribute));
    }
}

fn is_ours(attribute: &Attribute) -> bool {
    ["doc", "serde", "schemars", "tool"]
        .iter()
        .any(|name| attribute.path().is_ident(name))
}

/// Whether it is a `Context`, and borrowed.
fn context(of: &Type) -> Option<bool> {
    let (of, borrowed) = match of {
        Type::Reference(reference) => (&*reference.elem, true),
        other => (other, false),
    };
    let Type::Path(path) = of else { return None };
    let last = path.path.segments.last()?;
    (last.ident == "Context" && last.arguments.is_none()).then_some(borrowed)
}

fn field(typed: &PatType) -> Result<Field> {
    let Pat::Ident(pattern) = &*typed.pat else {
        let message = "a parameter of a tool needs a name: it is what callers use";
        return Err(Error::new(typed.pat.span(), message));
    };
    let (owned, borrowed) = owned(&typed.ty)?;
    Ok(Field {
        name: pattern.ident.clone(),
        owned,
        borrowed,
        optional: is_option(&typed.ty),
        default: default(&typed.attrs)?,
        attributes: typed
            .attrs
            .iter()
            .filter(|a| is_ours(a) && !a.path().is_ident("tool"))
            .cloned()
            .collect(),
    })
}

/// The type that the input owns, and whether the function borrows it.
fn owned(of: &Type) -> Result<(TokenStream, bool)> {
    match of {
        Type::Reference(reference) => Ok((behind(reference)?, true)),
        Type::ImplTrait(_) => Err(Error::new(
            of.span(),
            "a parameter of a tool needs a type: callers cannot choose one",
        )),
        other => Ok((other.to_token_stream(), false)),
    }
}

fn behind(reference: &TypeReference) -> Result<TokenStream> {
    if let Some(mutable) = &reference.mutability {
        let message = "a tool cannot change what its caller gives: take it by value or by `&`";
        return Err(Error::new(mutable.span(), message));
    }
    Ok(match &*reference.elem {
        Type::Slice(slice) => {
            let item = &slice.elem;
            quote!(::std::vec::Vec<#item>)
        }
        Type::Path(path) if path.path.is_ident("str") => quote!(::std::string::String),
        other => other.to_token_stream(),
    })
}

fn is_option(of: &Type) -> bool {
    let Type::Path(path) = of else { return false };
    let last = path.path.segments.last();
    last.is_some_and(|last| last.ident == "Option")
}

/// `#[tool(default)]` or `#[tool(default = 5)]`.
fn default(attributes: &[Attribute]) -> Result<Option<Default>> {
    let mut found = None;
    for attribute in attributes.iter().filter(|a| a.path().is_ident("tool")) {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("default") {
                return Err(meta.error("a parameter can have `default` or `default = …` here"));
            }
            found = Some(match meta.input.peek(syn::Token![=]) {
                true => Default::Value(Box::new(meta.value()?.parse()?)),
                false => Default::OfType,
            });
            Ok(())
        })?;
    }
    Ok(found)
}
