//! The values of flags that stand for fields of the config.

use anyhow::Context as _;
use toolpact_serve::Config;
use toolpact_serve::config::Token;

pub(crate) fn listen(text: &str) -> anyhow::Result<String> {
    check_alone(|config| text.clone_into(&mut config.listen))?;
    Ok(text.to_owned())
}

pub(super) fn token(name: &str) -> anyhow::Result<String> {
    check_alone(|config| config.auth_token = Some(Token::Env(name.to_owned())))?;
    Ok(name.to_owned())
}

pub(super) fn origin(text: &str) -> anyhow::Result<String> {
    check_alone(|config| config.allowed_origins.push(text.to_owned()))?;
    Ok(text.to_owned())
}

pub(super) fn host(text: &str) -> anyhow::Result<String> {
    check_alone(|config| config.allowed_hosts.push(text.to_owned()))?;
    Ok(text.to_owned())
}

/// `call_ms=5000`.
pub(crate) fn limit(text: &str) -> anyhow::Result<(String, u64)> {
    let (name, value) = text
        .split_once('=')
        .context("expected a name and a number, such as `call_ms=5000`")?;
    let value = value
        .parse()
        .map_err(|_| anyhow::anyhow!("expected a whole number, found `{value}`"))?;
    let mut alone = Config::default();
    alone.limits.set(name, value)?;
    // Its least depends on the rest of the config, and is looked at with that.
    if name != "memory_bytes" {
        check_alone(|config| config.limits = alone.limits)?;
    }
    Ok((name.to_owned(), value))
}

/// Checks the value of a flag, as a config that contains nothing else.
fn check_alone(set: impl FnOnce(&mut Config)) -> anyhow::Result<()> {
    let mut config = Config::default();
    set(&mut config);
    let error = config.validated().err();
    error.map_or(Ok(()), |error| {
        let messages = error.problems().iter();
        let messages: Vec<&str> = messages.map(|problem| &*problem.message).collect();
        Err(anyhow::anyhow!(messages.join("; ")))
    })
}
