//! The options in `#[tool(…)]`.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Ident, LitInt, LitStr, Path, Result, Token, Type};

use crate::entry::Entry;

#[derive(Default)]
pub(crate) struct Attribute {
    pub(crate) name: Option<LitStr>,
    pub(crate) description: Option<LitStr>,
    pub(crate) text: Option<Path>,
    pub(crate) returns: Option<Type>,
    pub(crate) opaque: Option<Span>,
    pub(crate) inline: Option<Span>,
    pub(crate) blocking: Option<Span>,
    /// Calls on `ToolSpec`, in the order they were written.
    pub(crate) options: Vec<TokenStream>,
}

const KNOWN: [&str; 18] = [
    "name",
    "description",
    "returns",
    "read_only",
    "idempotent",
    "destructive",
    "open_world",
    "durable",
    "idempotency_key",
    "timeout_ms",
    "text",
    "template",
    "example",
    "content_type",
    "opaque",
    "recursive",
    "inline",
    "blocking",
];

/// Options that exclude each other, and why.
const CONFLICTS: [(&str, &str, &str); 5] = [
    (
        "inline",
        "blocking",
        "a tool that blocks must not run `inline`: leave one of the two out",
    ),
    (
        "text",
        "template",
        "`text` and `template` both say how a result reads: leave one of the two out",
    ),
    (
        "example",
        "opaque",
        "an `opaque` tool promises nothing that an `example` could show: leave one of the two out",
    ),
    (
        "returns",
        "opaque",
        "an `opaque` tool promises nothing, and `returns` names a promise: leave one of the two out",
    ),
    (
        "read_only",
        "destructive",
        "a tool that is `read_only` destroys nothing: leave one of the two out",
    ),
];

impl Parse for Attribute {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut attribute = Self::default();
        let mut seen: Vec<Ident> = Vec::new();
        for entry in Punctuated::<Entry, Token![,]>::parse_terminated(input)? {
            if seen.contains(&entry.key) {
                let message = format!("`{}` is said twice: leave one out", entry.key);
                return Err(Error::new(entry.key.span(), message));
            }
            seen.push(entry.key.clone());
            attribute.take(&entry)?;
        }
        refuse_conflicts(&seen)?;
        Ok(attribute)
    }
}

impl Attribute {
    fn take(&mut self, entry: &Entry) -> Result<()> {
        match entry.key.to_string().as_str() {
            "name" => self.name = Some(valid_name(entry.string()?)?),
            "returns" => self.returns = Some(entry.promised()?),
            "description" => self.description = Some(entry.string()?),
            "text" => {
                self.text = Some(entry.path("from `&` of the result to a `String`")?);
            }
            "template" => {
                let template = entry.string()?;
                self.options.push(quote!(.template(#template)));
            }
            "example" => {
                let example = entry.path("that makes a result")?;
                self.options.push(quote!(.example(&#example())));
            }
            "content_type" => {
                let content_type = entry.string()?;
                self.options.push(quote!(.content_type(#content_type)));
            }
            "timeout_ms" => {
                let ms = valid_timeout(entry.integer()?)?;
                self.options
                    .push(quote!(.timeout(::core::time::Duration::from_millis(#ms))));
            }
            "opaque" => {
                self.opaque = Some(entry.flag()?);
                self.options.push(quote!(.opaque()));
            }
            "inline" => self.inline = Some(entry.flag()?),
            "blocking" => self.blocking = Some(entry.flag()?),
            "read_only" | "idempotent" | "destructive" | "open_world" | "durable"
            | "idempotency_key" | "recursive" => {
                entry.flag()?;
                let key = &entry.key;
                self.options.push(quote!(.#key()));
            }
            other => return Err(Error::new(entry.key.span(), unknown(other))),
        }
        Ok(())
    }
}

/// What to write instead of a key that does not exist.
fn unknown(key: &str) -> String {
    let fold = |key: &str| key.replace('_', "").to_lowercase();
    let distance = |known: &&str| strsim::osa_distance(&fold(key), &fold(known));
    let nearest = KNOWN.into_iter().min_by_key(distance);
    match nearest.filter(|known| distance(known) <= known.len() / 3) {
        Some(nearest) => format!("there is no `{key}` here; did you mean `{nearest}`?"),
        None => format!(
            "there is no `{key}` here; there are `{}`",
            KNOWN.join("`, `")
        ),
    }
}

fn refuse_conflicts(seen: &[Ident]) -> Result<()> {
    for (one, other, message) in CONFLICTS {
        let mut both = seen.iter().filter(|key| *key == one || *key == other);
        if let (Some(_), Some(second)) = (both.next(), both.next()) {
            return Err(Error::new(second.span(), message));
        }
    }
    Ok(())
}

/// The longest that a contract may say.
const DAY_MS: u64 = 24 * 60 * 60 * 1000;

fn valid_timeout(ms: &LitInt) -> Result<u64> {
    match ms.base10_parse::<u64>() {
        Ok(ms @ 1..=DAY_MS) => Ok(ms),
        _ => {
            let message = format!("`timeout_ms` needs a number from 1 to {DAY_MS}, which is a day");
            Err(Error::new(ms.span(), message))
        }
    }
}

fn valid_name(name: LitStr) -> Result<LitStr> {
    match is_tool_name(&name.value()) {
        true => Ok(name),
        false => Err(Error::new(name.span(), NAME)),
    }
}

pub(crate) const NAME: &str = "the name of a tool has at most 64 letters, digits, `_` and `-`, and \
     begins with a letter or `_`: choose one with `#[tool(name = \"…\")]`";

pub(crate) fn is_tool_name(name: &str) -> bool {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let rest = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    starts && name.len() <= 64 && name.chars().all(rest)
}
