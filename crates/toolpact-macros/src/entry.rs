//! One entry of `#[tool(…)]`: `key` or `key = value`.

use proc_macro2::Span;
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Expr, ExprLit, Ident, Lit, LitInt, LitStr, Path, Result, Token, Type};

pub(crate) struct Entry {
    pub(crate) key: Ident,
    value: Option<Expr>,
    /// What `returns` names, which is no expression.
    promised: Option<Type>,
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let key = input.call(Ident::parse_any)?;
        let (mut value, mut promised) = (None, None);
        if input.parse::<Option<Token![=]>>()?.is_some() {
            match key == "returns" && !input.peek(Lit) {
                true => promised = Some(input.parse()?),
                false => value = Some(input.parse()?),
            }
        }
        Ok(Self {
            key,
            value,
            promised,
        })
    }
}

impl Entry {
    pub(crate) fn flag(&self) -> Result<Span> {
        match &self.value {
            None => Ok(self.key.span()),
            Some(value) => {
                let key = &self.key;
                let message =
                    format!("`{key}` takes no value: write `{key}`, or leave it out for no");
                Err(Error::new_spanned(value, message))
            }
        }
    }

    pub(crate) fn string(&self) -> Result<LitStr> {
        match self.literal() {
            Some(Lit::Str(text)) => Ok(text.clone()),
            _ => Err(self.wrong("a text in quotes")),
        }
    }

    pub(crate) fn integer(&self) -> Result<&LitInt> {
        match self.literal() {
            Some(Lit::Int(number)) => Ok(number),
            _ => Err(self.wrong("a number of milliseconds")),
        }
    }

    /// The name of a function; `like` says which kind of one.
    pub(crate) fn path(&self, like: &str) -> Result<Path> {
        match &self.value {
            Some(Expr::Path(path)) => Ok(path.path.clone()),
            _ => Err(self.wrong(&format!("the name of a function {like}"))),
        }
    }

    pub(crate) fn promised(&self) -> Result<Type> {
        let expected = "a return type, such as `ListResult` or `ListResult<Order>`";
        self.promised.clone().ok_or_else(|| self.wrong(expected))
    }

    fn literal(&self) -> Option<&Lit> {
        match &self.value {
            Some(Expr::Lit(ExprLit { lit, .. })) => Some(lit),
            _ => None,
        }
    }

    fn wrong(&self, expected: &str) -> Error {
        let place = match &self.value {
            Some(value) => value.to_token_stream(),
            None => self.key.to_token_stream(),
        };
        Error::new_spanned(place, format!("`{}` needs {expected}", self.key))
    }
}
