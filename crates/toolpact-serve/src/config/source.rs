//! Where tools come from.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GridSource, Trust, expand};

/// Where tools come from.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A small shop on an embedded database, to try things with.
    Shop(ShopSource),
    /// Files with tools in any dialect.
    Files(FilesSource),
    /// Another MCP server.
    Mcp(McpSource),
    /// A grid of runtimes on other machines.
    Grid(GridSource),
}

/// A small shop, in the folder `shop` of the data.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ShopSource {
    /// The namespace of its tools. Without one, they are called by their own names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Which of its tools are served, whatever `trust` of the config says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trust: Option<Trust>,
    /// How many orders a new shop has had.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orders: Option<u32>,
}

/// Files with tools, and how those are executed.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FilesSource {
    /// The namespace of its tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Which of its tools are served, whatever `trust` of the config says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trust: Option<Trust>,
    /// The files, in JSON or YAML. Relative paths begin at the config.
    #[schemars(length(min = 1))]
    pub paths: Vec<PathBuf>,
    /// How operations of OpenAPI documents are called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api: Option<Api>,
    /// How tools are executed, by their names. One that is not here runs as its contract or its
    /// OpenAPI document says; one that says nothing is left out.
    #[serde(default)]
    pub tools: BTreeMap<String, Executor>,
}

/// How a tool is executed: as a program, or by an HTTP request.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Executor {
    /// The program and its arguments, as in the `run` of a contract. The arguments of a call are on
    /// its standard input, and `{argument}` is replaced; its standard output is the result. No shell
    /// is involved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<Command>,
    /// The names of the environment variables that the program may see.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
    /// An HTTP request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http: Option<HttpExecutor>,
    /// How results are made of the output, in place of what the contract says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lift: Option<Lift>,
}

/// A program and its arguments.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Command {
    /// `[program, argument, …]`
    Words(#[schemars(length(min = 1))] Vec<String>),
    /// As it was written before.
    Older(OlderCommand),
}

/// `{ run: [program, argument, …], env: [NAME, …] }`, which is now `command` and `env`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OlderCommand {
    /// The program and its arguments.
    #[schemars(length(min = 1))]
    pub run: Vec<String>,
    /// The names of the environment variables that it may see.
    #[serde(default)]
    pub env: Vec<String>,
}

/// How results are made of output: as the field `lift` of a contract.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Lift {
    /// Not at all: the output is the result.
    Never(Never),
    /// JSON Pointers into the output, by the keys of the promised type.
    Mapping(BTreeMap<String, String>),
}

/// The word `never`.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Never {
    /// The word itself.
    Never,
}

/// An HTTP request.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HttpExecutor {
    /// The method.
    #[serde(default)]
    pub method: Method,
    /// The address, with `{argument}` in its path where arguments go.
    pub url: String,
    /// The arguments that go into the query, under their own names.
    #[serde(default)]
    pub query: Vec<String>,
    /// Headers, with `{argument}` for arguments and `${env:NAME}` for secrets.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// What the body is made of. Without this it is `json`, or `none` for GET and HEAD.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Body>,
    /// The part of the answer that is the result, as a JSON Pointer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// How long the request may take, in milliseconds.
    #[serde(default = "thirty_seconds")]
    pub timeout_ms: u64,
    /// Most bytes of an answer.
    #[serde(default = "four_mebibytes")]
    pub max_bytes: usize,
    /// How many redirects are followed: none without this. Only GET and HEAD are redirected.
    #[serde(default)]
    pub redirects: u8,
    /// The hosts that may be asked, besides that of the address: `example.com` or
    /// `example.com:8080`.
    #[serde(default)]
    pub allow_hosts: Vec<String>,
}

/// A method of HTTP.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
#[expect(missing_docs, reason = "they are what they are called")]
pub enum Method {
    #[default]
    Get,
    Head,
    Post,
    Put,
    Patch,
    Delete,
}

/// What a body is made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// A JSON object of all arguments that go nowhere else.
    Json,
    /// The same as a form.
    Form,
    /// There is none.
    None,
    /// One argument, as JSON.
    Argument(String),
}

/// How the operations of an OpenAPI document are called.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Api {
    /// What the paths are appended to, if it is not what the document says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Headers of every request, with `${env:NAME}` for secrets.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// How long a request may take, in milliseconds.
    #[serde(default = "thirty_seconds")]
    pub timeout_ms: u64,
    /// Most bytes of an answer.
    #[serde(default = "four_mebibytes")]
    pub max_bytes: usize,
}

/// Another MCP server: a program, or an address.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct McpSource {
    /// The namespace of its tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Which of its tools are served, whatever `trust` of the config says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trust: Option<Trust>,
    /// The program and its arguments. It speaks MCP on its standard input and output.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub command: Option<Vec<String>>,
    /// Variables of the program's environment: the names of those that it may see, or values, with
    /// `${env:NAME}` for secrets.
    pub env: Environment,
    /// The address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Headers of every request, with `${env:NAME}` for secrets.
    pub headers: BTreeMap<String, String>,
    /// How long a call may take, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// Files with contracts that its tools are held to as well.
    pub contracts: Vec<PathBuf>,
}

/// Variables of a program's environment.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Environment {
    /// The names of those of this process that it may see.
    Names(Vec<String>),
    /// The values by their names.
    Values(BTreeMap<String, String>),
}

impl Environment {
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Environment::Names(names) => names.is_empty(),
            Environment::Values(values) => values.is_empty(),
        }
    }

    /// The values, with secrets filled in. A name that is not set has none.
    pub(crate) fn values(&self) -> Result<Vec<(&str, OsString)>, String> {
        match self {
            Environment::Names(names) => {
                let values = names.iter();
                let values =
                    values.filter_map(|name| Some((name.as_str(), std::env::var_os(name)?)));
                Ok(values.collect())
            }
            Environment::Values(values) => {
                let values = values.iter();
                let values = values.map(|(name, text)| Ok((name.as_str(), expand(text)?.into())));
                values.collect()
            }
        }
    }
}

impl Default for Environment {
    fn default() -> Self {
        Environment::Values(BTreeMap::new())
    }
}

impl Default for Api {
    fn default() -> Self {
        Self {
            url: None,
            headers: BTreeMap::new(),
            timeout_ms: thirty_seconds(),
            max_bytes: four_mebibytes(),
        }
    }
}

impl Executor {
    /// The program and its arguments, and the names of the variables that it may see.
    pub(crate) fn program(&self) -> Option<(&[String], Vec<&str>)> {
        let (words, more): (_, &[String]) = match self.command.as_ref()? {
            Command::Words(words) => (words, &[]),
            Command::Older(older) => (&older.run, &older.env),
        };
        let env = self.env.iter().chain(more).map(String::as_str);
        Some((words, env.collect()))
    }
}

impl Source {
    /// The namespace of its tools.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Source::Shop(shop) => shop.name.as_deref(),
            Source::Files(files) => files.name.as_deref(),
            Source::Mcp(mcp) => mcp.name.as_deref(),
            Source::Grid(grid) => grid.name.as_deref(),
        }
    }

    /// Which of its tools are served, if it says so itself.
    #[must_use]
    pub fn trust(&self) -> Option<Trust> {
        match self {
            Source::Shop(shop) => shop.trust,
            Source::Files(files) => files.trust,
            Source::Mcp(mcp) => mcp.trust,
            Source::Grid(grid) => grid.trust,
        }
    }

    /// What kind it is, as in the config.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Source::Shop(_) => "shop",
            Source::Files(_) => "files",
            Source::Mcp(_) => "mcp",
            Source::Grid(_) => "grid",
        }
    }
}

impl Method {
    pub(crate) fn to_http(self) -> http::Method {
        match self {
            Method::Get => http::Method::GET,
            Method::Head => http::Method::HEAD,
            Method::Post => http::Method::POST,
            Method::Put => http::Method::PUT,
            Method::Patch => http::Method::PATCH,
            Method::Delete => http::Method::DELETE,
        }
    }
}

fn thirty_seconds() -> u64 {
    30_000
}

fn four_mebibytes() -> usize {
    4 << 20
}

/// Without headers and the like, which may be secrets.
macro_rules! quiet {
    ($($type:ident: $field:ident;)*) => {$(
        impl std::fmt::Debug for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($type))
                    .field(stringify!($field), &self.$field)
                    .finish_non_exhaustive()
            }
        }
    )*};
}

quiet! {
    HttpExecutor: url;
    Api: url;
    McpSource: name;
}
