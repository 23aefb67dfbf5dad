use std::fmt;

/// What is exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    Traces,
    Metrics,
    Logs,
}

impl Signal {
    pub(crate) const ALL: [Self; 3] = [Self::Traces, Self::Metrics, Self::Logs];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Traces => "traces",
            Self::Metrics => "metrics",
            Self::Logs => "logs",
        }
    }

    /// The variables of this signal and of all, the nearest first.
    pub(crate) fn variables(self, name: &str) -> [String; 2] {
        let signal = self.name().to_ascii_uppercase();
        [
            format!("OTEL_EXPORTER_OTLP_{signal}_{name}"),
            format!("OTEL_EXPORTER_OTLP_{name}"),
        ]
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
