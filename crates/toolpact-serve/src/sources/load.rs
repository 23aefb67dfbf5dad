//! The tools of a config for a program that calls them itself and serves nothing.

use std::sync::Arc;

use futures_util::future::join_all;
use toolpact::core::memory::MemoryBudget;
use toolpact::{Registry, Session};

use super::build::build;
use super::install::Installed;
use super::supervisor::labelled;
use crate::code::CodeHost;
use crate::config::Config;

/// The tools of a config.
#[derive(Debug)]
pub struct Loaded {
    /// It sees the tools under the names that a server of the config gives them.
    pub session: Session,
    /// What is missing: the sources that do not start and the tools that are left out, and why.
    pub wrong: Vec<String>,
}

/// Starts the sources of a config, once. Fails if two tools cannot be told apart.
pub async fn load(config: &Config) -> Result<Loaded, toolpact::Error> {
    let (registry, data) = (registry(config), config.data_folder());
    let sources = labelled(&config.sources);
    let built = sources.iter().map(|(_, source)| build(source, &data));
    let built = join_all(built).await;
    let mut wrong = Vec::new();
    for ((label, source), built) in sources.iter().zip(built) {
        let built = match built {
            Ok(built) => built,
            Err(error) => {
                wrong.push(format!(
                    "the source {label} does not start: {}",
                    error.reason
                ));
                continue;
            }
        };
        let mut installed = Installed::new(source.name());
        wrong.extend(built.left_out);
        wrong.extend(installed.update(&registry, built.definitions));
        wrong.extend(installed.waiting().into_iter().map(|name| {
            format!(
                "the tool `{name}` of the source {label} is left out, since another source has one of \
                 this name; give a source a `name`, which becomes a part of the names of its tools"
            )
        }));
    }
    if let Some(code) = &config.code {
        wrong.extend(CodeHost::new(code, &registry).refresh());
    }
    let session = registry.session().qualified().open()?;
    Ok(Loaded { session, wrong })
}

/// An empty registry with the limits of a config.
pub(crate) fn registry(config: &Config) -> Registry {
    let limits = toolpact::call::CallLimits::default().timeout(config.limits.call());
    let memory = Arc::new(MemoryBudget::new(config.limits.results_bytes));
    Registry::builder()
        .limits(limits)
        .result_memory(memory)
        .build()
}
