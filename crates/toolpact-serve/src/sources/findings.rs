//! What is wrong with a config beyond its shape.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use toolpact::code::ScriptLimits;
use toolpact::core::model::ToolName;
use toolpact::core::{ANONYMOUS, Pointer, Violation};
use toolpact_audit::AuditConfig;
use toolpact_policy::Approval;

use crate::config::{
    Api, CodeConfig, Config, Environment, Executor, FilesSource, GridSource, McpSource, Source,
    address, expand,
};
use crate::executor::{HttpPlan, Wrong};
use crate::memory::too_small;

type Findings = Vec<(Pointer, String)>;

/// Everything that can be told without starting anything.
pub(crate) fn findings(config: &Config) -> Findings {
    let mut found = Vec::new();
    let root = Pointer::root();
    if let Err(message) = address(&config.listen) {
        found.push((root.key("listen"), message));
    }
    for (place, host) in config.allowed_hosts.iter().enumerate() {
        if !is_host(host) {
            let message = format!(
                "expected a host without a port, such as `tools.example.com`, found `{host}`"
            );
            found.push((root.key("allowed_hosts").index(place), message));
        }
    }
    for (place, origin) in config.allowed_origins.iter().enumerate() {
        if !is_origin(origin) {
            let message =
                format!("expected an origin such as `https://app.example.com`, found `{origin}`");
            found.push((root.key("allowed_origins").index(place), message));
        }
    }
    if let Some(Err(why)) = config
        .auth_token
        .as_ref()
        .map(crate::config::Token::resolve)
    {
        found.push((root.key("auth_token"), why));
    }
    found.extend(config.identity.findings(&root.key("identity")));
    if let Err(why) = config.signing_key() {
        found.push((root.key("signing_key"), why));
    }
    of_limits(&config.limits, &root.key("limits"), &mut found);
    if let Some(message) = too_small(&config.limits, &config.calls) {
        found.push((root.key("limits").key("memory_bytes"), message));
    }
    if let Some(code) = &config.code {
        of_code(code, &root.key("code"), &mut found);
    }
    of_approval(config, &root.key("policy").key("approval"), &mut found);
    if let Some(audit) = &config.audit {
        of_audit(audit, &root.key("audit"), &mut found);
    }
    let mut names = BTreeSet::new();
    for (place, source) in config.sources.iter().enumerate() {
        let pointer = root.key("sources").index(place).key(source.kind());
        if let Some(name) = source.name().filter(|name| !names.insert(*name)) {
            let message = format!("expected a name that no other source has, found `{name}` again");
            found.push((pointer.key("name"), message));
        }
        of_source(source, &pointer, &mut found);
    }
    of_shops(&config.sources, &root.key("sources"), &mut found);
    found
}

fn of_code(code: &CodeConfig, pointer: &Pointer, found: &mut Findings) {
    // The longer of its two names.
    if let Err(wrong) = ToolName::new(&code.declarations_name()) {
        let why = wrong.iter().next().map_or("", Violation::message);
        found.push((pointer.key("name"), why.to_owned()));
    }
    of_limits(&code.limits, &pointer.key("limits"), found);
    let (most, recursion) = (ScriptLimits::DEEPEST, code.limits.recursion);
    if recursion > most {
        let message = format!("expected at most {most}, found {recursion}");
        found.push((pointer.key("limits").key("recursion"), message));
    }
}

/// Calls that nobody could ever approve would only be held up.
fn of_approval(config: &Config, pointer: &Pointer, found: &mut Findings) {
    let approval = config.policy.as_ref().and_then(|one| one.approval.as_ref());
    let Some(held) = approval.and_then(Approval::held) else {
        return;
    };
    let (pointer, identity) = (pointer.key("held").key("approvers"), &config.identity);
    let takes_certificates = config
        .tls
        .as_ref()
        .is_some_and(|tls| tls.client_ca.is_some());
    let knows_callers = config.auth_token.is_some()
        || identity.tokens.is_some()
        || !identity.jwt.is_empty()
        || takes_certificates;
    if !knows_callers {
        let message = "expected `identity` or `auth_token` beside it, without which all callers are anonymous, and \
                       nobody could approve";
        found.push((pointer.clone(), message.to_owned()));
    }
    let names = held.approvers.principals.iter().enumerate();
    for (place, _) in names.filter(|(_, name)| *name == ANONYMOUS) {
        let message = "expected somebody who is known, found `anonymous`, who cannot be told apart from the caller";
        found.push((pointer.key("principals").index(place), message.to_owned()));
    }
}

fn of_audit(audit: &AuditConfig, pointer: &Pointer, found: &mut Findings) {
    if let Some(tool) = audit.useless_redact() {
        let pointer = match tool {
            Some(tool) => pointer.key("tools").key(tool),
            None => pointer.clone(),
        };
        let message =
            "expected fields to redact with `arguments: redacted` or `results: redacted` only";
        found.push((pointer.key("redact"), message.to_owned()));
    }
}

/// A limit of nothing lets nothing through.
fn of_limits(limits: &impl Serialize, pointer: &Pointer, found: &mut Findings) {
    let limits = serde_json::to_value(limits).unwrap_or_default();
    let nothing = limits.as_object().into_iter().flatten();
    // Scripts that call nothing can be meant, and so can a server that does not wait.
    let may_be_nothing = ["drain_ms", "calls"];
    let nothing =
        nothing.filter(|(name, limit)| **limit == 0 && !may_be_nothing.contains(&name.as_str()));
    found.extend(nothing.map(|(name, _)| {
        let message = "expected at least 1, found 0";
        (pointer.key(name), message.to_owned())
    }));
}

/// A shop has its database to itself.
fn of_shops(sources: &[Source], pointer: &Pointer, found: &mut Findings) {
    let shops = sources.iter().enumerate();
    let shops = shops.filter(|(_, source)| matches!(source, Source::Shop(_)));
    found.extend(shops.skip(1).map(|(place, _)| {
        let message = "expected one shop, found another: they would have one database";
        (pointer.index(place).key("shop"), message.to_owned())
    }));
}

fn of_source(source: &Source, pointer: &Pointer, found: &mut Findings) {
    if let Some(Err(wrong)) = source.name().map(ToolName::new) {
        let why = wrong
            .iter()
            .next()
            .map_or("", |violation| violation.message());
        found.push((pointer.key("name"), why.to_owned()));
    }
    match source {
        Source::Shop(_) => {}
        Source::Files(files) => of_files(files, pointer, found),
        Source::Mcp(mcp) => of_mcp(mcp, pointer, found),
        Source::Grid(grid) => of_grid(grid, pointer, found),
    }
}

fn of_files(files: &FilesSource, pointer: &Pointer, found: &mut Findings) {
    if let Some(api) = &files.api {
        of_api(api, &pointer.key("api"), found);
    }
    for (name, executor) in &files.tools {
        of_executor(executor, &pointer.key("tools").key(name), found);
    }
}

fn of_executor(executor: &Executor, pointer: &Pointer, found: &mut Findings) {
    let message = match (&executor.command, &executor.http) {
        (Some(_), Some(_)) => Some("expected `command` or `http`, found both"),
        (None, None) => Some("expected `command` or `http`, found neither"),
        (None, Some(_)) if !executor.env.is_empty() => Some("expected `env` with a `command` only"),
        _ => None,
    };
    if let Some(message) = message {
        found.push((pointer.clone(), message.to_owned()));
    }
    let program = executor.program().map(|(words, _)| words.first());
    if program.is_some_and(|program| program.is_none_or(|program| program.trim().is_empty())) {
        let message = "expected a program first";
        found.push((pointer.key("command"), message.to_owned()));
    }
    if let Some(Err(Wrong { field, message })) = executor.http.as_ref().map(HttpPlan::new) {
        found.push((pointer.key("http").key(field), message));
    }
}

fn of_api(api: &Api, pointer: &Pointer, found: &mut Findings) {
    of_secrets(&api.headers, &pointer.key("headers"), found);
    if let Some(url) = api.url.as_deref() {
        of_url(url, pointer, found);
    }
}

fn of_mcp(mcp: &McpSource, pointer: &Pointer, found: &mut Findings) {
    let message = match (&mcp.command, &mcp.url) {
        (Some(_), Some(_)) => Some("expected `command` or `url`, found both"),
        (None, None) => Some("expected `command` or `url`, found neither"),
        (Some(_), None) if !mcp.headers.is_empty() => Some("expected no `headers` for a program"),
        (None, Some(_)) if !mcp.env.is_empty() => Some("expected no `env` for an address"),
        _ => None,
    };
    if let Some(message) = message {
        found.push((pointer.clone(), message.to_owned()));
    }
    of_secrets(&mcp.headers, &pointer.key("headers"), found);
    if let Environment::Values(values) = &mcp.env {
        of_secrets(values, &pointer.key("env"), found);
    }
    if let Some(url) = mcp.url.as_deref() {
        of_url(url, pointer, found);
    }
}

fn of_grid(grid: &GridSource, pointer: &Pointer, found: &mut Findings) {
    for (place, server) in grid.servers.iter().enumerate() {
        let pointer = pointer.key("servers").index(place);
        match expand(server) {
            Err(why) => found.push((pointer, why)),
            Ok(address) if !is_nats(&address) => {
                let message = "expected an address that begins with `nats://` or `tls://`";
                found.push((pointer, message.to_owned()));
            }
            Ok(_) => {}
        }
    }
    if let Some(Err(why)) = grid.prefix.as_deref().map(toolpact_grid::Id::new) {
        found.push((pointer.key("prefix"), why.to_string()));
    }
    if let Some(durable) = &grid.durable {
        of_limits(durable, &pointer.key("durable"), found);
    }
    let alone = grid.tls.as_ref().map(|tls| (&tls.certificate, &tls.key));
    if let Some((Some(_), None) | (None, Some(_))) = alone {
        let message = "expected `certificate` and `key` together, found one of them";
        found.push((pointer.key("tls"), message.to_owned()));
    }
}

fn is_nats(address: &str) -> bool {
    let rest = ["nats://", "tls://"].map(|scheme| address.strip_prefix(scheme));
    let host = rest.into_iter().flatten().next();
    // One in which there are several is read as one with a strange name.
    host.is_some_and(|host| !host.is_empty() && !host.contains([',', ' ']))
}

fn of_url(url: &str, pointer: &Pointer, found: &mut Findings) {
    if !(url.starts_with("http://") || url.starts_with("https://")) {
        let message = "expected an address that begins with `https://` or `http://`";
        found.push((pointer.key("url"), message.to_owned()));
    }
}

fn of_secrets(texts: &BTreeMap<String, String>, pointer: &Pointer, found: &mut Findings) {
    for (name, text) in texts {
        if let Err(why) = expand(text) {
            found.push((pointer.key(name), why));
        }
    }
}

fn is_host(text: &str) -> bool {
    let authority: Option<http::uri::Authority> = text.parse().ok();
    authority.is_some_and(|authority| authority.host() == text)
}

fn is_origin(text: &str) -> bool {
    let uri: Option<http::Uri> = text.parse().ok();
    uri.is_some_and(|uri| {
        matches!(uri.scheme_str(), Some("http" | "https"))
            && uri.authority().is_some()
            && matches!(uri.path(), "" | "/")
            && uri.query().is_none()
    })
}
