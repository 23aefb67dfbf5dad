//! The items that a tool consists of, besides its function.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::{Ident, ImplItemFn, Path, Visibility};

use crate::input::{self, Input};
use crate::output::Output;
use crate::owned::check;
use crate::parameter::Parameter;

pub(crate) struct Tool<'a> {
    pub(crate) name: String,
    pub(crate) spec: TokenStream,
    pub(crate) output: Output,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) text: Option<&'a Path>,
    pub(crate) function: &'a ImplItemFn,
}

impl Tool<'_> {
    pub(crate) fn tokens(&self) -> TokenStream {
        match self.function.sig.receiver() {
            None => self.of_function(),
            Some(_) => self.of_method(),
        }
    }

    /// A struct of the same name as the function, which is its input and knows its tool.
    fn of_function(&self) -> TokenStream {
        let (name, visibility) = (&self.function.sig.ident, &self.function.vis);
        let shared = self.shared();
        let input = self.input(name, visibility, &shared);
        let (tool_name, output) = (&self.name, &self.output.of);
        let (promise, takes) = (self.output.bound(), self.takes());
        let written = self.written();
        let made = self.made(name, &quote!(#name));
        let checks = self.checks();
        quote! {
            #input

            #shared
            #[allow(deprecated)]
            const _: fn() = || { #checks };

            #shared
            impl #name where #takes {
                /// The tool, ready to be registered.
                #[allow(dead_code, deprecated, private_bounds, private_interfaces)]
            #[allow(clippy::all, clippy::pedantic)]
                #visibility fn tool() -> impl ::toolpact::Tool<Input = #name, Output = #output>
                where
                    #promise
                {
                    #made
                }
            }

            #shared
            #[allow(private_bounds, private_interfaces)]
            impl ::toolpact::typed::ToolInput for #name where #takes #written #promise {
                type Output = #output;
                const NAME: &'static str = #tool_name;
            }
        }
    }

    /// A second method, which makes the tool.
    fn of_method(&self) -> TokenStream {
        let (method, visibility) = (&self.function.sig.ident, &self.function.vis);
        let maker = format_ident!("{}_tool", method.unraw());
        let name = format_ident!("__{}Input", camel(&method.unraw().to_string()));
        let shared = self.shared();
        let input = self.input(&name, &Visibility::Inherited, &TokenStream::new());
        let output = &self.output.of;
        let (promise, takes) = (self.output.bound(), self.takes());
        let sent = quote_spanned!(method.span()=>
            Self: ::core::marker::Send + ::core::marker::Sync + 'static);
        let made = self.made(&name, &quote!(__this.#method));
        let doc = format!("The tool of [`{method}`](Self::{method}), ready to be registered.");
        let (checks, checker) = (self.checks(), format_ident!("__{}_types", method.unraw()));
        quote! {
            #shared
            #[allow(dead_code, deprecated, clippy::all, clippy::pedantic)]
            fn #checker() { #checks }

            #shared
            #[doc = #doc]
            #[allow(dead_code, deprecated, private_bounds, private_interfaces)]
            #[allow(clippy::all, clippy::pedantic)]
            #visibility fn #maker(self: ::std::sync::Arc<Self>) -> impl ::toolpact::Tool<Output = #output>
            where
                #sent,
                #takes
                #promise
            {
                #input

                #made
            }
        }
    }

    fn input(&self, name: &Ident, visibility: &Visibility, shared: &TokenStream) -> TokenStream {
        let function = &self.function.sig.ident;
        let input = Input {
            name,
            doc: &format!("What [`{function}`](fn@{function}) takes."),
            visibility,
            shared,
            parameters: &self.parameters,
        };
        input.tokens()
    }

    /// What the types of all parameters have to be, each with a comma behind it.
    fn takes(&self) -> TokenStream {
        let bounds = input::bounds(&self.parameters);
        quote!(#(#bounds,)*)
    }

    /// That the types of all parameters can be written, likewise.
    fn written(&self) -> TokenStream {
        let bounds = input::assume_all(&self.parameters, input::serialize());
        quote!(#(#bounds,)*)
    }

    /// The statements that check the types.
    fn checks(&self) -> TokenStream {
        let function = quote!(::toolpact::__private::can_be_taken);
        let fields = input::fields(&self.parameters);
        let taken = fields.map(|field| check(&field.owned.of, &function));
        let returned = self.output.check();
        quote!(#(#taken)* #returned)
    }

    /// Under which conditions all of this exists: those of the function.
    fn shared(&self) -> TokenStream {
        let attributes = self.function.attrs.iter();
        let cfgs = attributes.filter(|attribute| attribute.path().is_ident("cfg"));
        quote!(#(#cfgs)*)
    }

    /// The expression for the tool.
    fn made(&self, input: &Ident, function: &TokenStream) -> TokenStream {
        let spec = &self.spec;
        let body = self.body(input, function);
        let text = self.text.map(|text| quote!(.with_text(#text)));
        let this = self
            .function
            .sig
            .receiver()
            .map(|_| quote!(let __this = ::std::sync::Arc::clone(&self);));
        // If the future cannot be sent, the compiler points at the function's name.
        quote_spanned! {self.function.sig.ident.span()=>
            ::toolpact::tool_fn(#spec, move |__input: #input, __context: ::toolpact::Context| {
                #this
                async move { #body }
            })#text
        }
    }

    /// Takes the input apart and calls the function.
    fn body(&self, input: &Ident, function: &TokenStream) -> TokenStream {
        let fields = input::fields(&self.parameters).map(|field| {
            let (name, local) = (&field.name, &field.local);
            quote!(#name: #local)
        });
        let arguments = self.parameters.iter().map(Parameter::argument);
        let waits = self.function.sig.asyncness.map(|_| quote!(.await));
        let call = quote!(#function(#(#arguments),*)#waits);
        let result = self.output.result(&call);
        quote! {
            let #input { #(#fields),* } = __input;
            let _ = &__context;
            #result
        }
    }
}

fn camel(name: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    name.split('_').map(capital).collect()
}
