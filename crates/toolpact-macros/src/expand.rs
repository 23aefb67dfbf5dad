//! From a function to a tool.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, format_ident, quote};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{
    Error, Expr, ExprLit, FnArg, Ident, ImplItemFn, Lit, Meta, Receiver, Result, Safety, Signature,
};

use crate::attribute::{Attribute, NAME, is_tool_name};
use crate::input;
use crate::output::Output;
use crate::parameter::{self, Parameter};

pub(crate) fn tool(attribute: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let function: ImplItemFn = syn::parse2(item)?;
    let attribute: Attribute = syn::parse2(attribute)?;
    let signature = &function.sig;
    refuse(signature)?;
    let parameters = signature.inputs.iter().map(Parameter::read);
    let parameters: Vec<Option<Parameter>> = all(parameters)?;
    let tool = Tool {
        name: tool_name(signature, &attribute)?,
        about: about(&function, &attribute)?,
        output: Output::read(&signature.output, &attribute)?,
        parameters: parameters.into_iter().flatten().collect(),
        receiver: signature.receiver(),
        attribute: &attribute,
        function: &function,
    };
    let made = tool.tokens();
    let function = without_ours(&function);
    Ok(quote!(#function #made))
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

struct Tool<'a> {
    name: String,
    about: TokenStream,
    output: Output,
    parameters: Vec<Parameter>,
    receiver: Option<&'a Receiver>,
    attribute: &'a Attribute,
    function: &'a ImplItemFn,
}

impl Tool<'_> {
    fn tokens(&self) -> TokenStream {
        match self.receiver {
            None => self.of_function(),
            Some(_) => self.of_method(),
        }
    }

    /// A struct of the same name as the function, which is its input and knows its tool.
    fn of_function(&self) -> TokenStream {
        let (name, visibility) = (&self.function.sig.ident, &self.function.vis);
        let input = input::tokens(name, visibility, &self.parameters);
        let output = &self.output.of;
        let (about, tool_name) = (&self.about, &self.name);
        let body = self.body(name, &quote!(#name));
        let text = self.text();
        quote! {
            #input

            impl #name {
                /// The tool, ready to be registered.
                #[allow(dead_code)]
                #visibility fn tool() -> impl ::toolpact::Tool<Input = #name, Output = #output> {
                    ::toolpact::tool_fn(#about, move |__input: #name, __context: ::toolpact::Context| {
                        async move { #body }
                    })#text
                }
            }

            impl ::toolpact::Named for #name {
                type Output = #output;
                const NAME: &'static str = #tool_name;
            }
        }
    }

    /// A second method, which makes the tool.
    fn of_method(&self) -> TokenStream {
        let (method, visibility) = (&self.function.sig.ident, &self.function.vis);
        let maker = format_ident!("{}_tool", method.unraw());
        let name = format_ident!("{}Input", camel(&method.unraw().to_string()));
        let private = syn::Visibility::Inherited;
        let input = input::tokens(&name, &private, &self.parameters);
        let output = &self.output.of;
        let about = &self.about;
        let body = self.body(&name, &quote!(__this.#method));
        let text = self.text();
        let doc = format!("The tool of [`{method}`](Self::{method}), ready to be registered.");
        quote! {
            #[doc = #doc]
            #[allow(dead_code)]
            #visibility fn #maker(self: ::std::sync::Arc<Self>) -> impl ::toolpact::Tool<Output = #output> {
                #input

                ::toolpact::tool_fn(#about, move |__input: #name, __context: ::toolpact::Context| {
                    let __this = ::std::sync::Arc::clone(&self);
                    async move { #body }
                })#text
            }
        }
    }

    /// Takes the input apart and calls the function.
    fn body(&self, input: &Ident, function: &TokenStream) -> TokenStream {
        let names = input::fields(&self.parameters).map(|field| &field.name);
        let arguments = self.parameters.iter().map(Parameter::argument);
        let waits = self.function.sig.asyncness.map(|_| quote!(.await));
        let call = quote!(#function(#(#arguments),*)#waits);
        let result = self.output.result(&call);
        quote! {
            let #input { #(#names),* } = __input;
            let _ = &__context;
            #result
        }
    }

    fn text(&self) -> Option<TokenStream> {
        let text = self.attribute.text.as_ref()?;
        Some(quote!(.with_text(#text)))
    }
}

/// What is said about the tool: its name, its description and the options.
fn about(function: &ImplItemFn, attribute: &Attribute) -> Result<TokenStream> {
    let name = tool_name(&function.sig, attribute)?;
    let description = match &attribute.description {
        Some(description) => description.value(),
        None => documentation(function),
    };
    if description.trim().is_empty() {
        let message = "a tool needs a description, for the model that is to use it: write it above \
             as a `///` comment";
        return Err(Error::new(function.sig.ident.span(), message));
    }
    let options = &attribute.options;
    let place = match (attribute.inline, attribute.blocking, function.sig.asyncness) {
        (Some(_), _, _) => quote!(Caller),
        (None, Some(_), _) | (None, None, None) => quote!(Thread),
        (None, None, Some(_)) => quote!(Pool),
    };
    Ok(quote! {
        ::toolpact::About::new(#name, #description)
            #(#options)*
            .runs_on(::toolpact::RunsOn::#place)
    })
}

fn tool_name(signature: &Signature, attribute: &Attribute) -> Result<String> {
    let name = match &attribute.name {
        Some(name) => name.value(),
        None => signature.ident.unraw().to_string(),
    };
    match is_tool_name(&name) {
        true => Ok(name),
        false => Err(Error::new(signature.ident.span(), NAME)),
    }
}

/// The doc comment, paragraph for paragraph as it is written.
fn documentation(function: &ImplItemFn) -> String {
    let lines = function.attrs.iter().filter_map(|attribute| {
        let Meta::NameValue(pair) = &attribute.meta else {
            return None;
        };
        match &pair.value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(line),
                ..
            }) if pair.path.is_ident("doc") => {
                let line = line.value();
                Some(line.strip_prefix(' ').map_or(line.clone(), str::to_owned))
            }
            _ => None,
        }
    });
    lines.collect::<Vec<String>>().join("\n").trim().to_owned()
}

/// What a tool cannot be, whatever its types are.
fn refuse(signature: &Signature) -> Result<()> {
    let generics = &signature.generics;
    if !generics.params.is_empty() {
        let message = "a tool cannot be generic: callers cannot choose types or lifetimes";
        return Err(Error::new(generics.span(), message));
    }
    if let Safety::Unsafe(word) = &signature.safety {
        let message = "a tool cannot be unsafe: callers cannot promise anything";
        return Err(Error::new(word.span(), message));
    }
    match signature.inputs.first() {
        Some(FnArg::Receiver(receiver)) if !is_shared(receiver) => Err(Error::new(
            receiver.span(),
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

fn camel(name: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    name.split('_').map(capital).collect()
}
