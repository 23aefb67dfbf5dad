//! The tools of a config, called from here.

use std::io::Write as _;
use std::sync::Arc;

use toolpact_audit::Recorder;
use toolpact_serve::Config;

use super::{Local, Origins};
use crate::output::{ERROR, Output, printable};
use crate::status::Status;

/// Starts its sources. What is missing is reported on standard error, and the rest can be called.
pub(super) async fn open(
    config: &Config,
    origin: String,
    recorder: Option<Arc<Recorder>>,
) -> anyhow::Result<Local> {
    let loaded = toolpact_serve::load_recorded(config, recorder).await?;
    let mut stderr = Output::stderr();
    for line in loaded.wrong.iter().flat_map(|why| why.lines()) {
        writeln!(stderr, "{ERROR}error:{ERROR:#} {}", printable(line))?;
    }
    Ok(Local {
        session: loaded.session,
        origins: Origins::One(origin),
        status: Status::wrong_if(!loaded.wrong.is_empty()),
    })
}
