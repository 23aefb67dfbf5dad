//! MCP servers: at an address, or programs.

use std::sync::Arc;

use anyhow::{Context as _, bail};
use toolpact_audit::Recorder;
use toolpact_upstream::{Upstream, UpstreamError};

use super::{Local, Origins, registry};
use crate::output::Output;
use crate::status::Status;
use crate::tools::say_left_out;

/// The server at an address that is none of ours: `answer` says why. Where no path is given, most
/// servers have theirs at `/mcp`.
pub(super) async fn foreign(
    url: &str,
    token: Option<&str>,
    address: &str,
    answer: &str,
    recorder: Option<Arc<Recorder>>,
) -> anyhow::Result<Local> {
    let base = url.trim_end_matches('/');
    let has_path = base
        .split_once("://")
        .is_some_and(|(_, rest)| rest.contains('/'));
    let urls = match has_path {
        true => vec![url.to_owned()],
        false => vec![format!("{base}/mcp"), format!("{base}/")],
    };
    let mut tried = format!("{address} is no toolpact server: {answer}");
    for url in urls {
        match at(&url, token, &url, recorder.clone()).await {
            Ok(local) => return local,
            Err(error) => tried = format!("{tried}; and no MCP server at {url}: {error}"),
        }
    }
    bail!(tried)
}

/// The server at an address. The inner error is about what it offers.
pub(super) async fn at(
    url: &str,
    token: Option<&str>,
    origin: &str,
    recorder: Option<Arc<Recorder>>,
) -> Result<anyhow::Result<Local>, UpstreamError> {
    let builder = Upstream::http(url);
    let builder = match token {
        Some(token) => builder.bearer(token),
        None => builder,
    };
    Ok(opened(&builder.connect().await?, origin, recorder))
}

/// The server that a program is.
pub(super) async fn program(
    command: &str,
    recorder: Option<Arc<Recorder>>,
) -> anyhow::Result<Local> {
    let mut words = split(command).context("cannot use --command")?.into_iter();
    let Some(program) = words.next() else {
        bail!("expected a program after --command, found nothing");
    };
    let builder = Upstream::command(program).args(words);
    opened(&builder.connect().await?, command, recorder)
}

fn opened(
    upstream: &Upstream,
    origin: &str,
    recorder: Option<Arc<Recorder>>,
) -> anyhow::Result<Local> {
    for tool in upstream.left_out() {
        let reason = tool.violations.to_string();
        say_left_out(&tool.name, &reason, &mut Output::stderr())?;
    }
    let registry = registry(recorder);
    registry.add_all(upstream.definitions())?;
    Ok(Local {
        session: registry.session().open()?,
        origins: Origins::One(origin.to_owned()),
        status: Status::wrong_if(!upstream.left_out().is_empty()),
    })
}

/// The words of a command, as a shell has them: quotes keep spaces, and nothing is expanded.
fn split(command: &str) -> anyhow::Result<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in command.chars() {
        match (letter, quote) {
            (_, Some(open)) if letter == open => quote = None,
            ('\'' | '"', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (_, None) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    if let Some(open) = quote {
        bail!("expected another {open} in `{command}`");
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn quotes_keep_spaces() {
        let words = split(r#"npx  -y 'a b' "" --x="c 'd'""#).unwrap();
        assert_eq!(words, ["npx", "-y", "a b", "", "--x=c 'd'"]);
        assert!(split("  ").unwrap().is_empty());
        assert!(split("a 'b").is_err());
    }
}
