//! From a function to a tool.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::{Error, FnArg, ImplItemFn, Receiver, Result, Safety, Signature};

use crate::attribute::Attribute;
use crate::input::refuse_clash;
use crate::output::Output;
use crate::parameter::{self, Parameter};
use crate::spec::{spec, tool_name};
use crate::tool::Tool;

pub(crate) fn tool(attribute: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let function: ImplItemFn = syn::parse2(item).map_err(|error| no_function(&error))?;
    let attribute: Attribute = syn::parse2(attribute)?;
    let signature = &function.sig;
    refuse(signature)?;
    let parameters = all(signature.inputs.iter().map(Parameter::read))?;
    let parameters: Vec<Parameter> = parameters.into_iter().flatten().collect();
    refuse_clash(&parameters)?;
    let tool = Tool {
        name: tool_name(signature, &attribute)?,
        spec: spec(&function, &attribute)?,
        output: Output::read(&signature.output, &attribute)?,
        parameters,
        text: attribute.text.as_ref(),
        function: &function,
    };
    let made = tool.tokens();
    let function = without_ours(&function);
    // A tool may be async without waiting for anything: it says where it runs.
    Ok(quote!(#[allow(clippy::unused_async)] #function #made))
}

/// The function as the compiler can read it.
pub(crate) fn stripped(item: TokenStream) -> Option<TokenStream> {
    let function: ImplItemFn = syn::parse2(item).ok()?;
    Some(without_ours(&function).into_token_stream())
}

fn without_ours(function: &ImplItemFn) -> ImplItemFn {
    let mut function = function.clone();
    function.sig.inputs.iter_mut().for_each(parameter::strip);
    function
}

fn no_function(error: &Error) -> Error {
    let message = format!("`#[tool]` stands on a function or a method with a body: {error}");
    Error::new(error.span(), message)
}

/// Functions that cannot be tools, whatever their types are.
fn refuse(signature: &Signature) -> Result<()> {
    let generics = &signature.generics;
    if !generics.params.is_empty() {
        let message = "a tool cannot be generic: callers cannot choose types or lifetimes. Name the \
             types, and leave lifetimes out";
        return Err(Error::new_spanned(generics, message));
    }
    if let Safety::Unsafe(word) = &signature.safety {
        let message = "a tool cannot be unsafe: callers cannot promise anything. Check what has to \
             be true, and call the unsafe function from a safe one";
        return Err(Error::new_spanned(word, message));
    }
    match signature.inputs.first() {
        Some(FnArg::Receiver(receiver)) if !is_shared(receiver) => Err(Error::new_spanned(
            receiver,
            "a tool is called again and again, and by several at once: take `&self`",
        )),
        _ => Ok(()),
    }
}

fn is_shared(receiver: &Receiver) -> bool {
    receiver.to_token_stream().to_string().replace(' ', "") == "&self"
}

/// All of them, or all that is wrong with them.
fn all<T>(results: impl Iterator<Item = Result<T>>) -> Result<Vec<T>> {
    let mut errors: Option<Error> = None;
    let mut found = Vec::new();
    for result in results {
        match (result, &mut errors) {
            (Ok(value), _) => found.push(value),
            (Err(error), Some(errors)) => errors.combine(error),
            (Err(error), None) => errors = Some(error),
        }
    }
    errors.map_or(Ok(found), Err)
}
