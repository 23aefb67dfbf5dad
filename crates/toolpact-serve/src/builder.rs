use std::path::PathBuf;

use tokio_util::sync::CancellationToken;
use toolpact::Registry;

use crate::config::Config;
use crate::server::Service;
use crate::start_error::StartError;

/// Puts a server together: the tools of a program, the sources of a config, or both.
///
/// ```no_run
/// use toolpact::returns::NumberValue;
/// use toolpact::{Registry, tool};
/// use toolpact_serve::{Config, Service};
///
/// /// Adds two numbers.
/// #[tool(read_only)]
/// async fn add(a: i64, b: i64) -> NumberValue {
///     NumberValue::success(a + b)
/// }
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let registry = Registry::new();
/// registry.add(add::tool())?;
/// let config = Config::default().with_port(0);
/// let listener = Service::bind(&config).await?;
/// let service = Service::builder().registry(registry).config(config).start().await?;
/// println!("http://{}", listener.local_addr()?);
/// service.listen(listener).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
#[must_use]
pub struct ServiceBuilder {
    pub(crate) config: Config,
    pub(crate) file: Option<PathBuf>,
    pub(crate) registry: Option<Registry>,
    pub(crate) record: Option<PathBuf>,
    pub(crate) stop: CancellationToken,
}

impl ServiceBuilder {
    /// Serves the tools of a registry. Those that are added or removed later are, too. Tools of sources
    /// join them; if both have a name, the source's tool waits until it is free. The limits on calls are
    /// those of the registry, rather than `limits.call_ms` of the config. The registry is closed when the
    /// server ends.
    pub fn registry(mut self, registry: Registry) -> Self {
        self.registry = Some(registry);
        self
    }

    /// The address, the guards, the limits and the sources: those of [`Config::default`] without this,
    /// which has no sources.
    pub fn config(mut self, config: Config) -> Self {
        self.config = config;
        self
    }

    /// The file that the config came from. When its sources change, the server follows.
    pub fn config_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.file = Some(file.into());
        self
    }

    /// Records all calls in this folder, with everything that is needed to make them again: see
    /// [`Recorder`](toolpact_audit::Recorder). It is not for a server with a registry, which has a log of its own.
    pub fn record(mut self, folder: impl Into<PathBuf>) -> Self {
        self.record = Some(folder.into());
        self
    }

    /// Stops the server when it is cancelled.
    pub fn stop(mut self, stop: CancellationToken) -> Self {
        self.stop = stop;
        self
    }

    /// Starts the sources.
    pub async fn start(self) -> Result<Service, StartError> {
        Service::of(self).await
    }
}
