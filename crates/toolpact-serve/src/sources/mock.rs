//! The tools of sources that are mocked: their contracts, without anything that runs.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use toolpact::Definition;
use toolpact::core::contract::Contract;
use toolpact::core::sample::Sampler;
use toolpact::mock::Mock;
use toolpact_shop::Shop;

use super::build::{Built, NotBuilt};
use super::{files, grid, mcp};
use crate::config::{FilesSource, McpSource, Source};

/// The tools of a source, answering from their contracts.
pub(super) async fn build(source: &Source, mock: &Mock) -> Result<Built, NotBuilt> {
    let (source, mock) = (source.clone(), mock.clone());
    let built = toolpact::background::spawn(move || mocked(&source, &mock)).await;
    built.unwrap_or_else(|error| Err(NotBuilt::new("the mock ended", error.to_string())))
}

fn mocked(source: &Source, mock: &Mock) -> Result<Built, NotBuilt> {
    let (contracts, left_out) = contracts(source)?;
    let definitions = contracts.into_iter().map(|contract| {
        warn_if_silent(&contract);
        let name = match source.name() {
            Some(source) => format!("{source}__{}", contract.name()),
            None => contract.name().to_string(),
        };
        Definition::mocked_as(contract, &name, mock)
    });
    Ok(Built {
        definitions: definitions.collect(),
        left_out,
        ..Built::default()
    })
}

fn warn_if_silent(contract: &Contract) {
    let sampler = Sampler::of_result(contract);
    if sampler.first().is_none() && sampler.nth(0).is_none() {
        let tool = contract.name().as_str();
        tracing::warn!(
            tool,
            "the mock found no result that the contract allows, so calls of this tool fail: give it an example"
        );
    }
}

/// The contracts of a source as far as they are known without starting anything, and those that cannot be
/// used.
pub(super) fn contracts(source: &Source) -> Result<(Vec<Contract>, Vec<String>), NotBuilt> {
    match source {
        Source::Shop(_) => Ok((shop()?, Vec::new())),
        Source::Files(files) => of_files(files),
        Source::Mcp(mcp) => Ok((of_server(mcp)?, Vec::new())),
        Source::Grid(grid) if grid.tools.is_empty() => Err(NotBuilt::new(
            "a mock asks no grid for its contracts",
            "a mock does not connect to a grid: name files with the contracts in `tools` of the source",
        )),
        Source::Grid(config) => grid::contracts(config),
    }
}

/// All tools of files, whether or not anything says how they are run.
fn of_files(config: &FilesSource) -> Result<(Vec<Contract>, Vec<String>), NotBuilt> {
    let (mut contracts, mut left_out) = (Vec::new(), Vec::new());
    for path in &config.paths {
        let file = files::read(path)?;
        left_out.extend(file.import.left_out().iter().map(|bad| file.left_out(bad)));
        contracts.extend(file.import.contracts().cloned());
    }
    Ok((contracts, left_out))
}

fn of_server(config: &McpSource) -> Result<Vec<Contract>, NotBuilt> {
    let contracts = mcp::contracts(config)?;
    match contracts.is_empty() {
        false => Ok(contracts),
        true => Err(NotBuilt::new(
            "a mock starts no server, and no file has the contracts of this one",
            "a mock starts no server: write its tools into a file with `toolpact tools --json` and `--command` or \
             `--server`, and name that in `contracts` of the source",
        )),
    }
}

/// Those of a shop without data, which is gone when this returns.
fn shop() -> Result<Vec<Contract>, NotBuilt> {
    let folder = shop_folder();
    let contracts = toolpact::private_files::create_folder(&folder)
        .map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))
        .and_then(|()| {
            let shop = Shop::options().orders(1).open(&folder);
            let shop = shop.map_err(|error| error.to_string())?;
            let tools = shop.tools().map_err(|error| error.to_string())?;
            Ok(tools.iter().map(|tool| tool.contract().clone()).collect())
        });
    if let Err(error) = std::fs::remove_dir_all(&folder) {
        tracing::warn!(folder = %folder.display(), %error, "the shop of the mock is left behind");
    }
    contracts.map_err(|why: String| NotBuilt::new("the shop does not open", why))
}

fn shop_folder() -> PathBuf {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanoseconds = since.map_or(0, |since| since.as_nanos());
    let name = format!("toolpact-mock-shop-{}-{nanoseconds}", std::process::id());
    std::env::temp_dir().join(name)
}
