//! The parameters of a function: what a caller gives, and the context.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote_spanned};
use syn::ext::IdentExt as _;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{
    Attribute, Error, Expr, ExprLit, FnArg, Ident, Lit, Meta, Pat, PatType, Result, Token, Type,
};

use crate::default::Default;
use crate::owned::Owned;

/// One parameter.
pub(crate) enum Parameter {
    /// A field of the input.
    Field(Box<Field>),
    /// The context of the call, borrowed or not.
    Context { borrowed: bool, place: Span },
}

pub(crate) struct Field {
    pub(crate) name: Ident,
    /// The variable while the input is taken apart, which must not hide the function.
    pub(crate) local: Ident,
    pub(crate) owned: Owned,
    /// Doc comments and those of serde and schemars.
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) default: Option<Default>,
}

impl Parameter {
    pub(crate) fn read(argument: &FnArg) -> Result<Option<Self>> {
        let FnArg::Typed(typed) = argument else {
            return Ok(None);
        };
        if let Some(borrowed) = context(&typed.ty) {
            let place = typed.ty.span();
            return Ok(Some(Self::Context { borrowed, place }));
        }
        field(typed).map(|field| Some(Self::Field(Box::new(field))))
    }

    /// How it is handed to the function.
    pub(crate) fn argument(&self) -> TokenStream {
        match self {
            Self::Field(field) => field.owned.pass(&field.local),
            Self::Context { borrowed, place } => match borrowed {
                true => quote_spanned!(*place=> &__context),
                false => quote_spanned!(*place=> ::toolpact::Context::clone(&__context)),
            },
        }
    }
}

impl Field {
    /// The name that callers use, as far as the attributes here tell.
    pub(crate) fn key(&self) -> String {
        let renamed = serde(&self.attributes).find_map(|meta| match meta {
            Meta::NameValue(pair) if pair.path.is_ident("rename") => text(&pair.value),
            _ => None,
        });
        renamed.unwrap_or_else(|| self.name.unraw().to_string())
    }

    /// Whether serde was told what to do if there is none.
    pub(crate) fn has_serde_default(&self) -> bool {
        serde(&self.attributes).any(|meta| meta.path().is_ident("default"))
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

/// Whether it is our `Context`, and borrowed. One of another module is written with its path.
fn context(of: &Type) -> Option<bool> {
    let (of, borrowed) = match of {
        Type::Reference(reference) => (&*reference.elem, true),
        other => (other, false),
    };
    let Type::Path(path) = of else { return None };
    let mut segments = path.path.segments.iter().rev();
    let last = segments.next()?;
    let ours = match (segments.next(), segments.next()) {
        (None, _) => path.path.leading_colon.is_none(),
        (Some(krate), None) => krate.ident == "toolpact",
        (Some(_), Some(_)) => false,
    };
    (ours && last.ident == "Context" && last.arguments.is_none()).then_some(borrowed)
}

fn field(typed: &PatType) -> Result<Field> {
    let Pat::Ident(pattern) = &*typed.pat else {
        let message = "a parameter of a tool needs a name: it is what callers use";
        return Err(Error::new_spanned(&typed.pat, message));
    };
    if let Some(cfg) = typed.attrs.iter().find(|a| a.path().is_ident("cfg")) {
        let message = "what a tool takes cannot depend on `cfg`: write two functions";
        return Err(Error::new_spanned(cfg, message));
    }
    let ours = typed.attrs.iter().filter(|a| is_ours(a));
    Ok(Field {
        name: pattern.ident.clone(),
        local: format_ident!("__field_{}", pattern.ident),
        owned: Owned::read(&typed.ty)?,
        default: Default::read(&typed.attrs)?,
        attributes: ours
            .filter(|a| !a.path().is_ident("tool"))
            .cloned()
            .collect(),
    })
}

/// What stands in attributes of serde. What cannot be read, serde will complain about.
fn serde(attributes: &[Attribute]) -> impl Iterator<Item = Meta> {
    let attributes = attributes.iter().filter(|a| a.path().is_ident("serde"));
    attributes.flat_map(|attribute| {
        let metas = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
        metas.unwrap_or_default()
    })
}

fn text(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text.value()),
        _ => None,
    }
}
