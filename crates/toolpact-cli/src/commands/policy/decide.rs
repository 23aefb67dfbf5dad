use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use toolpact::session::ClientInfo;
use toolpact_core::Principal;
use toolpact_core::json::Value;
use toolpact_policy::{CallFacts, PolicyOutcome, principal_id};

use super::{config, ready};
use crate::output::{BOLD, Output, printable};
use crate::status::Status;

/// Say which policy decides about a call
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The tool, by the name that clients use
    #[arg(value_name = "TOOL")]
    tool: String,
    /// The arguments, as one JSON object
    #[arg(value_name = "ARGUMENTS", default_value = "{}")]
    args: String,
    /// Name of the caller; without it, the caller is anonymous
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,
    /// Group of the caller; can be given several times
    #[arg(long, value_name = "GROUP", requires = "name")]
    group: Vec<String>,
    /// Tenant of the caller
    #[arg(long, value_name = "TENANT", requires = "name")]
    tenant: Option<String>,
    /// Who says who the caller is
    #[arg(long, value_name = "ISSUER", requires = "name")]
    issuer: Option<String>,
    /// Claims of the caller, as one JSON object
    #[arg(long, value_name = "JSON", requires = "name")]
    claims: Option<String>,
    /// What the client says about itself, its name alone or with its version: desk-agent/2.1
    #[arg(long, value_name = "CLIENT")]
    client: Option<String>,
    /// The config [default: the toolpact.yaml of the working directory]
    #[arg(long)]
    config: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let (principal, args) = (arguments.caller()?, object(&arguments.args)?);
    let client = arguments.client.as_deref().map(client_of);
    let Some(ready) = ready(&config(arguments.config.as_deref())?)? else {
        return Ok(Status::Wrong);
    };
    let Some(tool) = ready.loaded.session.get(&arguments.tool) else {
        let names = ready.loaded.session.names();
        let near = toolpact_core::violation::nearest(&arguments.tool, names);
        let near = near.map(|near| format!("; did you mean `{near}`?"));
        bail!(
            "there is no tool `{}`{}",
            arguments.tool,
            near.unwrap_or_default()
        );
    };
    let facts = CallFacts {
        principal: &principal,
        args: &args,
        session: 0,
        client: client.as_ref(),
    };
    let verdict = ready.policies.decide(tool, facts);
    let caller = printable(&principal_id(&principal));
    writeln!(
        out,
        "{BOLD}{}{BOLD:#}  Principal::\"{caller}\"",
        verdict.outcome.as_str()
    )?;
    match (&verdict.policies[..], &verdict.outcome) {
        ([], _) => writeln!(out, "nothing permits it")?,
        (policies, outcome) => {
            for policy in policies {
                writeln!(out, "policy {}", printable(policy))?;
            }
            if let PolicyOutcome::Ask(question) = outcome {
                writeln!(out, "question {}", printable(question))?;
            }
        }
    }
    for error in &verdict.errors {
        writeln!(out, "error {}", printable(error))?;
    }
    if !ready.policies.may_call(&principal, tool) {
        writeln!(
            out,
            "the caller does not see the tool, since no call of it is permitted"
        )?;
    }
    Ok(Status::Fine)
}

/// A client as `User-Agent` of HTTP names it.
fn client_of(text: &str) -> ClientInfo {
    match text.split_once('/') {
        Some((name, version)) => ClientInfo::new(name).with_version(version),
        None => ClientInfo::new(text),
    }
}

impl Arguments {
    fn caller(&self) -> anyhow::Result<Principal> {
        let Some(name) = &self.name else {
            return Ok(Principal::anonymous());
        };
        let mut principal = Principal::new(&**name).groups(self.group.iter().map(|one| &**one));
        if let Some(tenant) = &self.tenant {
            principal = principal.with_tenant(&**tenant);
        }
        if let Some(issuer) = &self.issuer {
            principal = principal.issued_by(&**issuer);
        }
        Ok(match &self.claims {
            Some(claims) => principal.with_claims(object(claims)?),
            None => principal,
        })
    }
}

fn object(text: &str) -> anyhow::Result<Value> {
    let value = Value::from_json(text)
        .with_context(|| format!("expected a JSON object, found `{text}`"))?;
    match value.kind() {
        toolpact_core::json::Kind::Object => Ok(value),
        _ => bail!("expected a JSON object, found `{text}`"),
    }
}
