//! What stands in the brackets of `#[tool(…)]`.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Error, Expr, ExprLit, Ident, Lit, LitStr, Path, Result, Token};

#[derive(Default)]
pub(crate) struct Attribute {
    pub(crate) name: Option<LitStr>,
    pub(crate) description: Option<LitStr>,
    pub(crate) text: Option<Path>,
    pub(crate) opaque: Option<Span>,
    pub(crate) inline: Option<Span>,
    pub(crate) blocking: Option<Span>,
    /// Calls on `About`, in the order they were written.
    pub(crate) options: Vec<TokenStream>,
}

const KNOWN: &str = "`name`, `description`, `read_only`, `idempotent`, `destructive`, `open_world`, \
     `timeout_ms`, `text`, `template`, `opaque`, `recursive`, `inline` and `blocking`";

impl Parse for Attribute {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut attribute = Self::default();
        let mut seen: Vec<Ident> = Vec::new();
        for entry in Punctuated::<Entry, Token![,]>::parse_terminated(input)? {
            if seen.contains(&entry.key) {
                return Err(Error::new(
                    entry.key.span(),
                    format!("`{}` is said twice", entry.key),
                ));
            }
            seen.push(entry.key.clone());
            attribute.take(entry)?;
        }
        if let (Some(_), Some(blocking)) = (attribute.inline, attribute.blocking) {
            return Err(Error::new(
                blocking,
                "a tool that blocks must not run `inline`",
            ));
        }
        Ok(attribute)
    }
}

impl Attribute {
    fn take(&mut self, entry: Entry) -> Result<()> {
        match entry.key.to_string().as_str() {
            "name" => self.name = Some(valid_name(entry.string()?)?),
            "description" => self.description = Some(entry.string()?),
            "text" => self.text = Some(entry.path()?),
            "template" => {
                let template = entry.string()?;
                self.options.push(quote!(.template(#template)));
            }
            "timeout_ms" => {
                let ms = entry.integer()?;
                self.options
                    .push(quote!(.timeout(::core::time::Duration::from_millis(#ms))));
            }
            "opaque" => {
                self.opaque = Some(entry.flag()?);
                self.options.push(quote!(.opaque()));
            }
            "inline" => self.inline = Some(entry.flag()?),
            "blocking" => self.blocking = Some(entry.flag()?),
            "read_only" | "idempotent" | "destructive" | "open_world" | "recursive" => {
                entry.flag()?;
                let key = &entry.key;
                self.options.push(quote!(.#key()));
            }
            other => {
                let message = format!("there is no `{other}` here; there are {KNOWN}");
                return Err(Error::new(entry.key.span(), message));
            }
        }
        Ok(())
    }
}

/// `key` or `key = value`.
struct Entry {
    key: Ident,
    value: Option<Expr>,
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let key = input.call(Ident::parse_any)?;
        let value = match input.parse::<Option<Token![=]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        Ok(Self { key, value })
    }
}

impl Entry {
    fn flag(&self) -> Result<Span> {
        match &self.value {
            None => Ok(self.key.span()),
            Some(value) => {
                let message = format!("`{}` takes no value: leave it out for no", self.key);
                Err(Error::new(value.span(), message))
            }
        }
    }

    fn string(&self) -> Result<LitStr> {
        match &self.value {
            Some(Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            })) => Ok(text.clone()),
            _ => Err(self.wrong("a text in quotes")),
        }
    }

    fn integer(&self) -> Result<syn::LitInt> {
        match &self.value {
            Some(Expr::Lit(ExprLit {
                lit: Lit::Int(number),
                ..
            })) => Ok(number.clone()),
            _ => Err(self.wrong("a number of milliseconds")),
        }
    }

    fn path(&self) -> Result<Path> {
        match &self.value {
            Some(Expr::Path(path)) => Ok(path.path.clone()),
            _ => Err(self.wrong("the name of a function from the result to a String")),
        }
    }

    fn wrong(&self, expected: &str) -> Error {
        let span = self
            .value
            .as_ref()
            .map_or(self.key.span(), |value| value.span());
        Error::new(span, format!("`{}` needs {expected}", self.key))
    }
}

fn valid_name(name: LitStr) -> Result<LitStr> {
    match is_tool_name(&name.value()) {
        true => Ok(name),
        false => Err(Error::new(name.span(), NAME)),
    }
}

pub(crate) const NAME: &str = "the name of a tool has at most 64 letters, digits, `_` and `-`, and \
     begins with a letter or `_`";

pub(crate) fn is_tool_name(name: &str) -> bool {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let rest = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    starts && name.len() <= 64 && name.chars().all(rest)
}
