//! OpenTelemetry, if this program was built with it.

#[cfg(feature = "telemetry")]
pub(crate) use toolpact_telemetry::Telemetry;

#[cfg(not(feature = "telemetry"))]
pub(crate) use absent::Telemetry;

#[cfg(not(feature = "telemetry"))]
mod absent {
    use toolpact::Session;
    use toolpact::observe::Reading;

    use super::super::log::ExportLayer;

    /// Exports nothing.
    pub(crate) struct Telemetry;

    #[expect(clippy::unused_self, reason = "as the one that exports")]
    impl Telemetry {
        pub(crate) fn from_env() -> Self {
            Self
        }

        pub(crate) fn layer(&self, _: tracing::Level) -> Option<ExportLayer> {
            None
        }

        /// Who has said where to export to should know that nothing is.
        pub(crate) fn announce(&self) {
            if std::env::var_os("OTEL_EXPORTER_OTLP_ENDPOINT").is_some_and(|to| !to.is_empty()) {
                tracing::warn!(
                    "OTEL_EXPORTER_OTLP_ENDPOINT is set, but this program was built without the feature \
                     `telemetry`: nothing is exported"
                );
            }
        }

        pub(crate) fn measure(
            &self,
            _: impl Fn() -> (Session, Vec<Reading>) + Send + Sync + 'static,
        ) {
        }

        pub(crate) fn stop(self) {}
    }
}
