//! The servers, each of which is a process of its own, so that its time can be told from the others'.

use std::fmt;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use toolpact::Registry;
use toolpact::observe::Detail;
use toolpact_audit::{AuditConfig, AuditLog};
use toolpact_identity::{Identity, IdentityConfig, NewToken, TokenFile};
use toolpact_mcp::Server;
use toolpact_mcp::http::{Connections, Guard, Http, listen};
use toolpact_policy::{Catalogue, Policies, PolicyConfig, PolicyGuard};

use crate::Result;
use crate::tool;

/// It looks at an argument, so that Cedar is asked about each call.
const POLICY: &str = r#"
permit (principal in Group::"support", action == Action::"echo", resource) when { context.input.count <= 100 };
forbid (principal, action in Action::"effects:destructive", resource);
"#;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// Everybody may call, and nothing is recorded.
    Off,
    /// Callers have named tokens.
    Token,
    /// And a policy decides about their calls.
    Policy,
    /// An audit, as a config has it that names a directory and nothing else.
    Digest,
    /// An audit with all arguments and results.
    Whole,
    /// Tokens, a policy, and an audit with digests.
    All,
    /// None of these, and a tool that does something.
    Shop,
    /// The same with an audit of digests.
    ShopDigest,
    /// The same with an audit of all arguments and results.
    ShopWhole,
}

impl Kind {
    /// The base of the comparison first.
    pub(crate) const ALL: [Kind; 6] = [
        Kind::Off,
        Kind::Token,
        Kind::Policy,
        Kind::Digest,
        Kind::Whole,
        Kind::All,
    ];

    /// Those whose tool does something.
    pub(crate) const WITH_SHOP: [Kind; 3] = [Kind::Shop, Kind::ShopDigest, Kind::ShopWhole];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Off => "off",
            Kind::Token => "token",
            Kind::Policy => "policy",
            Kind::Digest => "digest",
            Kind::Whole => "whole",
            Kind::All => "all",
            Kind::Shop => "shop",
            Kind::ShopDigest => "shop-digest",
            Kind::ShopWhole => "shop-whole",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let all = Self::ALL.into_iter().chain(Self::WITH_SHOP);
        { all }.find(|kind| kind.name() == name)
    }

    fn has_tokens(self) -> bool {
        matches!(self, Kind::Token | Kind::Policy | Kind::All)
    }

    fn has_policy(self) -> bool {
        matches!(self, Kind::Policy | Kind::All)
    }

    /// What of arguments and results the audit has, if there is one.
    fn audited(self) -> Option<Detail> {
        match self {
            Kind::Digest | Kind::All | Kind::ShopDigest => Some(Detail::Digest),
            Kind::Whole | Kind::ShopWhole => Some(Detail::Whole),
            Kind::Off | Kind::Token | Kind::Policy | Kind::Shop => None,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::Off => "nothing",
            Kind::Token => "named tokens",
            Kind::Policy => "tokens and a policy",
            Kind::Digest => "audit, digests",
            Kind::Whole => "audit, whole values",
            Kind::All => "tokens, policy, digests",
            Kind::Shop => "looks for orders",
            Kind::ShopDigest => "the same, audit, digests",
            Kind::ShopWhole => "the same, audit, whole",
        })
    }
}

/// Says its port and a token, and serves until the process that started it closes its input or is gone.
pub(crate) fn http(kind: Kind) -> Result<()> {
    let directory = tempfile::tempdir()?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
    let (guard, token) = guard(kind, directory.path())?;
    println!("{} {token}", listener.local_addr()?.port());
    if Kind::WITH_SHOP.contains(&kind) {
        tool::open_shop(directory.path())?;
    }
    let registry = registry(kind, directory.path())?;
    let service = Server::new(registry)?.http(Http::default().guard(guard));
    let (connections, stop) = (Connections::default(), CancellationToken::new());
    runtime.spawn(listen(listener, service, connections, stop));
    std::io::stdin().read_to_end(&mut Vec::new())?;
    runtime.shutdown_background();
    Ok(())
}

/// Who may call, and the token of one.
fn guard(kind: Kind, directory: &Path) -> Result<(Guard, String)> {
    if !kind.has_tokens() {
        return Ok((Guard::default(), String::new()));
    }
    let tokens = directory.join("tokens.json");
    let token = TokenFile::at(&tokens).add(NewToken {
        name: "ada".to_owned(),
        groups: vec!["support".to_owned()],
        ..NewToken::default()
    })?;
    let config = IdentityConfig {
        tokens: Some(tokens),
        ..IdentityConfig::default()
    };
    let identity = Identity::new(&config, None)?;
    Ok((Guard::default().authenticator(Arc::new(identity)), token))
}

fn registry(kind: Kind, directory: &Path) -> Result<Registry> {
    let mut builder = Registry::builder();
    if let Some(detail) = kind.audited() {
        let mut config = AuditConfig::new(directory);
        (config.arguments, config.results) = (detail, detail);
        builder = builder.log(AuditLog::open(&config)?);
    }
    if !kind.has_policy() {
        let registry = builder.build();
        registry.add(tool::echo::tool())?;
        return Ok(registry);
    }
    let guard = PolicyGuard::default();
    let registry = builder
        .guard(guard.clone())
        .tool_filter(guard.clone())
        .build();
    registry.add(tool::echo::tool())?;
    let file = directory.join("policies.cedar");
    std::fs::write(&file, POLICY)?;
    let policies = Policies::read(&PolicyConfig {
        files: vec![file],
        ..PolicyConfig::default()
    })?;
    policies.check(&Catalogue::of_tools(&registry.list()))?;
    guard.replace(policies);
    registry.refresh();
    Ok(registry)
}
