//! The attributes `#[tool]` and `#[tool_type]` and the list `tools![]` of toolpact.
//!
//! Thin shells: the code they generate could be written with `toolpact::tool_fn`.

mod attribute;
mod default;
mod entry;
mod expand;
mod input;
mod list;
mod output;
mod owned;
mod parameter;
mod spec;
mod tool;
mod tool_type;

use proc_macro::TokenStream;

/// Makes a tool of a function or a method.
///
/// The function stays as it is and can be called as before. Beside it there is a tool with a typed
/// contract: its name and its description are the function's name and doc comment, what it takes are
/// the parameters, and what it promises is the return type.
///
/// ```
/// use toolpact::returns::StringValue;
/// use toolpact::{Registry, tool};
///
/// /// Greets someone.
/// #[tool(read_only)]
/// async fn greet(
///     /// Who to greet.
///     name: &str,
///     /// How often.
///     #[tool(default = 1)]
///     times: u8,
///     /// As in "Dr".
///     title: Option<&str>,
/// ) -> StringValue {
///     let title = title.map(|title| format!("{title} ")).unwrap_or_default();
///     StringValue::success(format!("Hello, {title}{name}! ").repeat(times.into()))
/// }
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let registry = Registry::new();
/// registry.add(greet::tool())?;
/// let session = registry.session().open()?;
///
/// // The struct of the same name is what the tool takes.
/// let input = greet { name: "Ada".into(), times: 1, title: None };
/// assert_eq!(session.run(input).await?, StringValue::success("Hello, Ada! "));
///
/// // The function is still one.
/// assert_eq!(greet("Bo", 2, None).await, StringValue::success("Hello, Bo! Hello, Bo! "));
/// # Ok::<(), toolpact::ToolError>(())
/// # })?;
/// # Ok::<(), toolpact::ToolError>(())
/// ```
///
/// # Attributes
///
/// | in `#[tool(…)]` | says |
/// |---|---|
/// | `name = "…"` | another name: at most 64 letters, digits, `_` and `-` |
/// | `description = "…"` | a description other than the doc comment |
/// | `returns = ListResult` | what is promised, if the function returns its natural value |
/// | `read_only` | it changes nothing |
/// | `idempotent` | a second call with the same arguments changes nothing more |
/// | `destructive` | it may destroy something |
/// | `open_world` | it deals with things outside, such as the web |
/// | `durable` | a call on the grid is kept until it has an outcome |
/// | `idempotency_key` | it uses the identifier of its call as idempotency key |
/// | `timeout_ms = 500` | how long a call may take |
/// | `text = path::to::function` | the text of a result for a model: a function from `&Output` to `String` |
/// | `template = "…"` | the same, as a Jinja template |
/// | `example = path::to::function` | an example of a result: a function that makes one, typed or as JSON |
/// | `content_type = "text/csv"` | the content type of the file or medium that it returns |
/// | `opaque` | it returns a `String`, and promises nothing about it |
/// | `recursive` | its arguments may be recursive, which not every provider supports |
/// | `inline` | it runs in the task of its caller, for tools that are quick |
/// | `blocking` | it runs on a thread of its own, for an async function that blocks |
///
/// The first four effects are those that MCP has as annotations. What is not said is not known. Without `inline`
/// and `blocking`, an async function runs on a pool of threads that tools share, and one that is not
/// async on a thread of its own, so that it may block.
///
/// # Parameters
///
/// A parameter is anything that is `Deserialize` and `JsonSchema` (for types of yours:
/// [`#[tool_type]`](macro@tool_type)); or a reference to it, since the input owns it: `&str` for a `String`, `&[T]` for a `Vec<T>`, `&T` for a `T`. What is
/// in an `Option` can be borrowed, too.
///
/// - `Option<T>` may be left out. It is absent then, never null, and so it is for fields of structs.
/// - `#[tool(default)]` and `#[tool(default = 5)]` on a parameter say what it is if it is left out.
/// - Doc comments become descriptions: those of parameters, and of types and their fields.
/// - `#[serde(…)]` and `#[schemars(…)]` mean what they mean on a field: `#[serde(rename = "from")]`,
///   `#[schemars(range(max = 100))]`.
/// - Unknown arguments are refused, in nested structs too.
/// - A parameter of the type `Context` or `&Context` is no argument: it is the context of the call. (A
///   type of yours with that name is written with its path: `weather::Context`.)
///
/// ```
/// use toolpact::returns::NumberValue;
/// use toolpact::{Context, ToolError, tool, tool_type};
///
/// #[tool_type]
/// #[serde(rename_all = "snake_case")]
/// enum Status {
///     Open,
///     /// Paid and sent.
///     Done,
/// }
///
/// #[tool_type]
/// struct Period {
///     /// The first day, as in 2026-01-31.
///     #[schemars(extend("format" = "date"))]
///     from: String,
///     to: Option<String>,
/// }
///
/// /// Counts the orders of a period.
/// #[tool(read_only, timeout_ms = 2_000)]
/// fn count_orders(
///     period: &Period,
///     #[tool(default = vec![Status::Open])] status: &[Status],
///     #[schemars(range(min = 1))]
///     #[serde(rename = "customer")]
///     customer_number: Option<u32>,
///     context: &Context,
/// ) -> Result<NumberValue, ToolError> {
///     if context.is_cancelled() {
///         return Err(ToolError::conflict("The call was cancelled."));
///     }
///     Ok(NumberValue::success(0))
/// }
/// ```
///
/// # Results
///
/// | the function returns | the contract promises |
/// |---|---|
/// | a type of `toolpact::returns`, such as `ListResult<Order>` | that standard type, with its parts |
/// | any other type that is `Serialize`, `Deserialize` and `JsonSchema` | a custom type |
/// | nothing | `VoidResult` |
/// | `String`, with `#[tool(opaque)]` | text |
/// | `Result<T, E>` | what `T` promises; `E` becomes a `ToolError` |
///
/// With `returns`, a function may return the natural value of what it promises, and the tool makes a
/// success of it: a `Vec<T>` for `ListResult`, any `T` for `ObjectResult`, a `String` or `&'static str` for
/// `StringValue`, an integer or an `f64` for `NumberValue`, a `bool` for `BooleanValue`, `File`, `Media` and
/// `Identifier` for the types they are named after. Any type that has `From` or `TryFrom` of what the function
/// returns can be named.
///
/// ```
/// use toolpact::returns::ListResult;
/// use toolpact::{ToolError, tool, tool_type};
///
/// #[tool_type]
/// struct Order {
///     number: u32,
/// }
///
/// /// Lists all orders.
/// #[tool(read_only, returns = ListResult)]
/// fn list_orders() -> Result<Vec<Order>, ToolError> {
///     Ok(vec![Order { number: 7 }])
/// }
/// ```
///
/// An error of the type `ToolError` has a text for the model. Of any other `std::error::Error`, a model
/// learns only that the tool failed, and the logs have the rest. Whatever else implements `Into<ToolError>`
/// can be an error, too. A `Result` is recognised by its name, so an alias such as `io::Result<T>` can be
/// used if its name is `Result`.
///
/// # Methods
///
/// A method takes `&self`. Its tool comes from a second method, with `_tool` behind the name, which
/// takes the owner in an `Arc`; [`tools!`](macro@tools) calls it. The attribute stands in an `impl` of the type
/// itself, not in one of a trait.
///
/// ```
/// use std::sync::Arc;
/// use toolpact::returns::NumberValue;
/// use toolpact::{Registry, tool, tools};
///
/// struct Till {
///     euros: i64,
/// }
///
/// impl Till {
///     /// Says how much there is.
///     #[tool(read_only)]
///     async fn balance(&self) -> NumberValue {
///         NumberValue::success(self.euros)
///     }
/// }
///
/// let till = Arc::new(Till { euros: 5 });
/// Registry::new().add(Arc::clone(&till).balance_tool())?;
/// Registry::new().add_all(tools![till.balance])?; // the same
/// # Ok::<(), toolpact::Error>(())
/// ```
///
/// # What is refused
///
/// What the function shows to be wrong is an error of the compiler: no description, a generic function,
/// a `String` without `opaque`, a type that lacks a trait, a future that is not `Send`. What only the
/// types reveal is refused when the tool is registered:
///
/// ```
/// use toolpact::{Registry, tool, tool_type};
///
/// #[tool_type]
/// struct Filter {
///     any_of: Vec<Filter>,
/// }
///
/// /// Searches.
/// #[tool]
/// fn search(filter: Filter) {}
///
/// let error = Registry::new().add(search::tool()).unwrap_err();
/// assert!(error.to_string().contains("contains itself at `filter.any_of[]`"));
/// ```
///
/// # Names
///
/// The input of a function is a struct of the function's name, with the function's visibility: `use
/// shop::search` brings both. So there cannot be a module of that name in the same place.
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let (attribute, kept) = (attribute.into(), item.clone());
    match expand::tool(attribute, item.into()) {
        Ok(tokens) => tokens.into(),
        Err(error) => {
            // The function stays, so that its users do not get errors of their own.
            let mut tokens = TokenStream::from(error.to_compile_error());
            tokens.extend(expand::stripped(kept.into()).map(TokenStream::from));
            tokens
        }
    }
}

/// Makes a struct or an enum a type that tools can take and return: it derives `serde::Serialize`,
/// `serde::Deserialize` and `schemars::JsonSchema`, so that a crate with tools needs neither serde nor schemars
/// among its own dependencies.
///
/// `#[serde(…)]` and `#[schemars(…)]` below it mean what they always mean. Both crates are re-exported as
/// `toolpact::serde` and `toolpact::schemars`; the derives can be written out, too.
///
/// ```
/// use toolpact::tool_type;
///
/// #[tool_type]
/// #[derive(Debug, Clone)]
/// #[serde(rename_all = "snake_case")]
/// struct Order {
///     /// As in O-4999.
///     #[schemars(length(min = 3))]
///     order_number: String,
/// }
/// ```
#[proc_macro_attribute]
pub fn tool_type(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let (attribute, kept) = (attribute.into(), item.clone());
    match tool_type::tool_type(&attribute, item.into()) {
        Ok(tokens) => tokens.into(),
        Err(error) => {
            let mut tokens = TokenStream::from(error.to_compile_error());
            tokens.extend(kept);
            tokens
        }
    }
}

/// A list of tools to register: functions by their path, methods behind the variable of their owner,
/// which is in an `Arc`.
///
/// The result is an array for `add_all`. It takes all of them or none.
///
/// ```
/// use std::sync::Arc;
/// use toolpact::{Registry, tool, tools};
///
/// /// Does nothing.
/// #[tool]
/// fn nothing() {}
///
/// mod shop {
///     use toolpact::tool;
///
///     pub struct Orders;
///
///     impl Orders {
///         /// Cancels the last order.
///         #[tool(destructive)]
///         pub async fn cancel(&self) {}
///     }
///
///     /// Opens the shop.
///     #[tool(idempotent)]
///     pub fn open() {}
/// }
///
/// let orders = Arc::new(shop::Orders);
/// let registry = Registry::new();
/// registry.add_all(tools![nothing, shop::open, orders.cancel])?;
/// # Ok::<(), toolpact::Error>(())
/// ```
#[proc_macro]
pub fn tools(input: TokenStream) -> TokenStream {
    match list::tools(input.into()) {
        Ok(tokens) => tokens.into(),
        Err(error) => error.to_compile_error().into(),
    }
}
