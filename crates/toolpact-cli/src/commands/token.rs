use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use serde_json::json;
use toolpact_identity::{Expiry, NamedToken, NewToken, TokenFile};

use crate::origin::Origin;
use crate::output::{FINE, Output, printable};
use crate::status::Status;

/// Make, list and revoke the tokens that callers of a server show
///
/// The server knows who calls by the name of a token. Its file has the digests of tokens only, so a token is printed
/// once, when it is made. A server that runs follows the file.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
    /// The config of the server, which names the file [default: the toolpact.yaml here]
    #[arg(long, value_name = "CONFIG", global = true)]
    config: Option<PathBuf>,
    /// The file with tokens, instead of the one that the config names
    #[arg(long, value_name = "FILE", global = true, conflicts_with = "config")]
    file: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Make a token, and print it
    Add(AddArguments),
    /// List the tokens, without what they are
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Take a token away
    Revoke {
        /// Its name
        name: String,
    },
}

#[derive(Debug, Args)]
struct AddArguments {
    /// The name of its principal
    name: String,
    /// A group that the principal is in; can be given several times
    #[arg(long, value_name = "GROUP")]
    group: Vec<String>,
    /// The tenant that the principal belongs to
    #[arg(long)]
    tenant: Option<String>,
    /// A scope that the token has, for tools that need some; can be given several times
    #[arg(long, value_name = "SCOPE")]
    scope: Vec<String>,
    /// When the token ends: 90d, 12h, or a date such as 2027-01-01 [default: never]
    #[arg(long, value_name = "TIME")]
    expires: Option<Expiry>,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact token add ada --group support --expires 90d
  toolpact token list
  toolpact token revoke ada

Exit status:
  0  it was done
  1  there is no token of this name
  2  it could not run: usage, a file that cannot be read or written, a name that is taken";

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let file = arguments.file()?;
    match &arguments.action {
        Action::Add(add) => {
            let secret = file.add(NewToken {
                name: add.name.clone(),
                groups: add.group.clone(),
                tenant: add.tenant.clone(),
                scopes: add.scope.clone(),
                expires: add.expires,
            })?;
            // Only the token goes to standard output, so that scripts can take it.
            let mut stderr = Output::stderr();
            let path = printable(&file.path().display().to_string());
            writeln!(
                stderr,
                "{FINE}added:{FINE:#} this is the only time it is shown ({path} has its digest)"
            )?;
            writeln!(out, "{secret}")?;
        }
        Action::List { json } => list(&file.list()?, *json, out)?,
        Action::Revoke { name } => {
            let mut stderr = Output::stderr();
            if !file.revoke(name)? {
                let path = printable(&file.path().display().to_string());
                writeln!(stderr, "there is no token `{}` in {path}", printable(name))?;
                return Ok(Status::Wrong);
            }
            writeln!(stderr, "{FINE}revoked:{FINE:#} {}", printable(name))?;
        }
    }
    Ok(Status::Fine)
}

impl Arguments {
    fn file(&self) -> anyhow::Result<TokenFile> {
        if let Some(file) = &self.file {
            return Ok(TokenFile::at(file));
        }
        let origin = Origin::find(self.config.as_deref())?;
        let config = origin.config()?;
        let tokens = config.identity.tokens.with_context(|| {
            format!(
                "expected `identity: {{ tokens: tokens.json }}` in {origin}, which says where tokens are kept; or name \
                 the file with --file"
            )
        })?;
        Ok(TokenFile::at(tokens))
    }
}

fn list(tokens: &[NamedToken], as_json: bool, out: &mut Output) -> anyhow::Result<()> {
    if as_json {
        let tokens = tokens.iter().map(|token| {
            json!({
                "name": token.name,
                "groups": token.groups,
                "tenant": token.tenant,
                "scopes": token.scopes,
                "created": token.created.to_string(),
                "expires": token.expires.map(|expires| expires.to_string()),
            })
        });
        writeln!(out, "{:#}", json!(tokens.collect::<Vec<_>>()))?;
        return Ok(());
    }
    for token in tokens {
        let mut about = vec![printable(&token.name)];
        about.extend(
            token
                .tenant
                .iter()
                .map(|tenant| format!("tenant {}", printable(tenant))),
        );
        let words = |kind: &str, words: &[String]| {
            let words = words
                .iter()
                .map(|word| printable(word))
                .collect::<Vec<_>>()
                .join(", ");
            (!words.is_empty()).then(|| format!("{kind} {words}"))
        };
        about.extend(words("groups", &token.groups));
        about.extend(words("scopes", &token.scopes));
        about.push(match token.expires {
            Some(expires) => format!("until {expires}"),
            None => "without an end".to_owned(),
        });
        writeln!(out, "{}", about.join("  "))?;
    }
    Ok(())
}
