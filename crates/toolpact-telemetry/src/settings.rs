//! What the `OTEL_*` variables say.

use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue};
use opentelemetry::KeyValue;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::resource::{ResourceDetector as _, TelemetryResourceDetector};
use opentelemetry_sdk::trace::{IdGenerator as _, RandomIdGenerator, Sampler};
use reqwest::Url;

use crate::signal::Signal;
use crate::variables::Variables;

/// Everything that can be set, and what is wrong with what is.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) traces: Option<Destination>,
    pub(crate) metrics: Option<Destination>,
    pub(crate) logs: Option<Destination>,
    pub(crate) sampler: Sampler,
    pub(crate) resource: Resource,
    /// How often metrics are exported.
    pub(crate) interval: Duration,
    pub(crate) span_batches: Batches,
    pub(crate) log_batches: Batches,
    pub(crate) complaints: Vec<String>,
}

/// Where a signal goes.
#[derive(Debug, Clone)]
pub(crate) enum Destination {
    /// Standard error: standard output may be a protocol.
    Console,
    Collector(Endpoint),
}

#[derive(Debug, Clone)]
pub(crate) struct Endpoint {
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) timeout: Duration,
}

/// How much waits, and for how long.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Batches {
    pub(crate) queue: usize,
    pub(crate) size: usize,
    pub(crate) delay: Duration,
}

const DEFAULT_ENDPOINT: &str = "http://localhost:4318";

impl Settings {
    pub(crate) fn read(get: &dyn Fn(&str) -> Option<String>) -> Self {
        let mut variables = Variables::new(get);
        let [traces, metrics, logs] = match is_disabled(&mut variables) {
            true => [None, None, None],
            false => Signal::ALL.map(|signal| destination(&mut variables, signal)),
        };
        if [&traces, &metrics, &logs].iter().any(|to| to.is_some()) {
            note_unsupported(&mut variables);
        }
        Self {
            sampler: sampler(&mut variables, traces.is_some()),
            resource: resource(&mut variables),
            interval: variables.millis(&["OTEL_METRIC_EXPORT_INTERVAL".to_owned()], 60_000),
            span_batches: batches(&mut variables, "BSP", 5000),
            log_batches: batches(&mut variables, "BLRP", 1000),
            traces,
            metrics,
            // The log is on standard error already.
            logs: logs.filter(|to| !matches!(to, Destination::Console)),
            complaints: variables.complaints,
        }
    }

    pub(crate) fn is_off(&self) -> bool {
        self.traces.is_none() && self.metrics.is_none() && self.logs.is_none()
    }
}

fn is_disabled(variables: &mut Variables<'_>) -> bool {
    let name = "OTEL_SDK_DISABLED";
    let Some(text) = variables.text(name) else {
        return false;
    };
    let is_disabled = text.eq_ignore_ascii_case("true");
    if !is_disabled && !text.eq_ignore_ascii_case("false") {
        variables.complain(name, "`true` or `false`", &text, "it is taken for `false`");
    }
    is_disabled
}

/// Nothing is exported unless a variable says where, or that it should be.
fn destination(variables: &mut Variables<'_>, signal: Signal) -> Option<Destination> {
    let name = format!("OTEL_{}_EXPORTER", signal.name().to_ascii_uppercase());
    let has_endpoint = variables.first(&signal.variables("ENDPOINT")).is_some();
    let default = if has_endpoint { "otlp" } else { "none" };
    match &*variables.text(&name).unwrap_or_else(|| default.to_owned()) {
        "otlp" => {}
        "console" => return Some(Destination::Console),
        "none" => return None,
        other => {
            let so = format!("{signal} are not exported");
            variables.complain(&name, "`otlp`, `console` or `none`", other, &so);
            return None;
        }
    }
    endpoint(variables, signal).map(Destination::Collector)
}

fn endpoint(variables: &mut Variables<'_>, signal: Signal) -> Option<Endpoint> {
    let protocol = variables.first(&signal.variables("PROTOCOL"));
    if let Some((name, protocol)) = protocol.filter(|(_, protocol)| protocol != "http/protobuf") {
        let so = format!(
            "{signal} are not exported: set it to `http/protobuf`, and the endpoint to the port for HTTP, \
             which usually is 4318"
        );
        variables.complain(&name, "`http/protobuf`", &protocol, &so);
        return None;
    }
    let url = match variables.first(&signal.variables("ENDPOINT")) {
        None => Url::parse(&format!("{DEFAULT_ENDPOINT}/v1/{signal}")).ok(),
        Some((name, address)) => {
            let address = match name.contains(&signal.name().to_ascii_uppercase()) {
                true => address,
                false => format!("{}/v1/{signal}", address.trim_end_matches('/')),
            };
            let url = Url::parse(&address).ok();
            let url = url.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
            if url.is_none() {
                // It may hold a password.
                variables.say(format!(
                    "{name}: expected an address that begins with `http://` or `https://`; {signal} are not \
                     exported"
                ));
            }
            url
        }
    };
    Some(Endpoint {
        url: url?,
        headers: headers(variables, signal),
        timeout: variables.millis(&signal.variables("TIMEOUT"), 10_000),
    })
}

fn headers(variables: &mut Variables<'_>, signal: Signal) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let Some((name, text)) = variables.first(&signal.variables("HEADERS")) else {
        return headers;
    };
    for (key, value) in variables.pairs(&name, &text) {
        let header = key.to_ascii_lowercase().parse::<HeaderName>();
        match (header, HeaderValue::from_str(&value)) {
            (Ok(header), Ok(mut value)) => {
                value.set_sensitive(true);
                headers.insert(header, value);
            }
            _ => variables.say(format!("{name}: `{key}` is no header, and is left out")),
        }
    }
    headers
}

/// What others support, so that somebody may rely on it.
fn note_unsupported(variables: &mut Variables<'_>) {
    for signal in Signal::ALL {
        let compression = variables.first(&signal.variables("COMPRESSION"));
        if let Some((name, found)) = compression.filter(|(_, found)| found != "none") {
            variables.complain(&name, "`none`", &found, "nothing is compressed");
        }
        for file in ["CERTIFICATE", "CLIENT_KEY", "CLIENT_CERTIFICATE"] {
            if let Some((name, _)) = variables.first(&signal.variables(file)) {
                variables.say(format!(
                    "{name} is not supported: the trusted certificates are those of the system, or those in the \
                     file that SSL_CERT_FILE names"
                ));
            }
        }
    }
    let name = "OTEL_PROPAGATORS";
    if let Some(found) = variables.text(name).filter(|found| found != "tracecontext") {
        let so = "`traceparent` and `tracestate` are read and passed on, and nothing else is";
        variables.complain(name, "`tracecontext`", &found, so);
    }
    let name = "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE";
    let found = variables.text(name);
    if let Some(found) = found.filter(|found| !found.eq_ignore_ascii_case("cumulative")) {
        variables.complain(name, "`cumulative`", &found, "it is used");
    }
}

fn sampler(variables: &mut Variables<'_>, is_on: bool) -> Sampler {
    let parent_based = |root: Sampler| Sampler::ParentBased(Box::new(root));
    let name = "OTEL_TRACES_SAMPLER";
    let Some(found) = variables.text(name).filter(|_| is_on) else {
        return parent_based(Sampler::AlwaysOn);
    };
    match &*found {
        "always_on" => Sampler::AlwaysOn,
        "always_off" => Sampler::AlwaysOff,
        "traceidratio" => Sampler::TraceIdRatioBased(ratio(variables)),
        "parentbased_always_on" => parent_based(Sampler::AlwaysOn),
        "parentbased_always_off" => parent_based(Sampler::AlwaysOff),
        "parentbased_traceidratio" => parent_based(Sampler::TraceIdRatioBased(ratio(variables))),
        other => {
            let expected =
                "`always_on`, `always_off` or `traceidratio`, or one of these after `parentbased_`";
            variables.complain(name, expected, other, "`parentbased_always_on` is used");
            parent_based(Sampler::AlwaysOn)
        }
    }
}

fn ratio(variables: &mut Variables<'_>) -> f64 {
    let name = "OTEL_TRACES_SAMPLER_ARG";
    let Some(text) = variables.text(name) else {
        return 1.0;
    };
    let ratio = text.parse().ok();
    let ratio = ratio.filter(|ratio| (0.0..=1.0).contains(ratio));
    ratio.unwrap_or_else(|| {
        variables.complain(name, "a number from 0 to 1", &text, "1 is used");
        1.0
    })
}

/// What is said about this process. The environment knows better than we do.
fn resource(variables: &mut Variables<'_>) -> Resource {
    let name = "OTEL_RESOURCE_ATTRIBUTES";
    let text = variables.text(name).unwrap_or_default();
    let pairs = variables.pairs(name, &text);
    let service = variables.text("OTEL_SERVICE_NAME");
    let service = service.map(|service| KeyValue::new("service.name", service));
    let own = [
        KeyValue::new("service.name", "toolpact"),
        KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
        KeyValue::new(
            "service.instance.id",
            RandomIdGenerator::default().new_trace_id().to_string(),
        ),
        KeyValue::new("process.pid", i64::from(std::process::id())),
    ];
    let sdk = TelemetryResourceDetector.detect();
    let sdk = sdk
        .iter()
        .map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
    Resource::builder_empty()
        .with_attributes(sdk)
        .with_attributes(own)
        .with_attributes(
            pairs
                .into_iter()
                .map(|(key, value)| KeyValue::new(key, value)),
        )
        .with_attributes(service)
        .build()
}

fn batches(variables: &mut Variables<'_>, kind: &str, delay: u64) -> Batches {
    let name = |name: &str| [format!("OTEL_{kind}_{name}")];
    let queue = variables.number(&name("MAX_QUEUE_SIZE"), 2048_usize).max(1);
    let size = variables.number(&name("MAX_EXPORT_BATCH_SIZE"), 512_usize);
    Batches {
        queue,
        size: size.clamp(1, queue),
        delay: variables.millis(&name("SCHEDULE_DELAY"), delay),
    }
}

#[cfg(test)]
mod tests;
