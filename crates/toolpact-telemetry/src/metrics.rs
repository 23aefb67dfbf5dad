//! The counters and latencies of tools, which `/v1/metrics` has too, as OTLP writes them.

use std::time::{Duration, SystemTime};

use opentelemetry_proto::tonic::collector::metrics::v1::{
    ExportMetricsServiceRequest, ExportMetricsServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::{AnyValue, InstrumentationScope, KeyValue, any_value};
use opentelemetry_proto::tonic::metrics::v1::{
    AggregationTemporality, Histogram, HistogramDataPoint, Metric, NumberDataPoint,
    ResourceMetrics, ScopeMetrics, Sum, metric, number_data_point,
};
use opentelemetry_proto::tonic::resource::v1::Resource;
use prost::Message as _;
use toolpact::Session;
use toolpact::observe::{Latency, Metrics, Reading};

/// Most tools that have numbers of their own; those of the others are added up.
const TOOLS: usize = 2000;

/// What is measured: the tools, and what a server knows besides.
pub(crate) type Measure = Box<dyn Fn() -> (Session, Vec<Reading>) + Send + Sync>;

/// Writes metrics.
pub(crate) struct Writer {
    pub(crate) resource: Vec<KeyValue>,
    pub(crate) start: SystemTime,
}

/// The points of all metrics at one time.
struct Points {
    start: u64,
    now: u64,
    calls: Vec<NumberDataPoint>,
    durations: Vec<HistogramDataPoint>,
    running: Vec<NumberDataPoint>,
    others: Total,
}

/// The tools that are too many, together.
#[derive(Default)]
struct Total {
    calls: u64,
    running: u64,
}

impl Writer {
    pub(crate) fn encode(&self, session: &Session, readings: &[Reading]) -> Vec<u8> {
        let scope_metrics = ScopeMetrics {
            scope: Some(InstrumentationScope {
                name: "toolpact".to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                ..InstrumentationScope::default()
            }),
            metrics: self.metrics(session, readings),
            ..ScopeMetrics::default()
        };
        let resource_metrics = ResourceMetrics {
            resource: Some(Resource {
                attributes: self.resource.clone(),
                ..Resource::default()
            }),
            scope_metrics: vec![scope_metrics],
            ..ResourceMetrics::default()
        };
        let request = ExportMetricsServiceRequest {
            resource_metrics: vec![resource_metrics],
        };
        request.encode_to_vec()
    }

    /// How many points the collector has refused, by its answer.
    pub(crate) fn rejected(answer: &[u8]) -> u64 {
        let answer = ExportMetricsServiceResponse::decode(answer).ok();
        let rejected = answer.and_then(|answer| Some(answer.partial_success?.rejected_data_points));
        rejected
            .and_then(|rejected| u64::try_from(rejected).ok())
            .unwrap_or(0)
    }

    /// Lines for people.
    pub(crate) fn lines(&self, session: &Session, readings: &[Reading]) -> Vec<String> {
        let mut lines = Vec::new();
        for metric in self.metrics(session, readings) {
            match &metric.data {
                Some(metric::Data::Sum(sum)) => lines.extend(sum.data_points.iter().map(|point| {
                    let Some(number_data_point::Value::AsInt(value)) = point.value else {
                        return String::new();
                    };
                    format!(
                        "metric {} {value}{}",
                        metric.name,
                        labels(&point.attributes)
                    )
                })),
                Some(metric::Data::Histogram(histogram)) => {
                    lines.extend(histogram.data_points.iter().map(|point| {
                        let (count, sum) = (point.count, point.sum.unwrap_or_default());
                        let labels = labels(&point.attributes);
                        format!("metric {} count={count} sum={sum}{labels}", metric.name)
                    }));
                }
                _ => {}
            }
        }
        lines
    }

    fn metrics(&self, session: &Session, readings: &[Reading]) -> Vec<Metric> {
        let mut points = Points::new(nanos(self.start), nanos(SystemTime::now()));
        for (place, (name, tool)) in session.tools().enumerate() {
            points.add(name, tool.metrics(), tool.running() as u64, place < TOOLS);
        }
        let mut metrics = points.finish();
        let (start, now) = (nanos(self.start), nanos(SystemTime::now()));
        for reading in readings {
            let labels = reading.label.as_ref().map(|(key, value)| text(key, value));
            let point = number(start, now, labels.into_iter().collect(), reading.value);
            let same = metrics
                .iter_mut()
                .find(|metric| metric.name == reading.name);
            match same.and_then(|metric| metric.data.as_mut()) {
                Some(metric::Data::Sum(sum)) => sum.data_points.push(point),
                _ => {
                    let (name, description) = (reading.name, reading.description);
                    metrics.push(sum(name, description, "1", reading.is_counter, vec![point]));
                }
            }
        }
        metrics
    }
}

impl Points {
    fn new(start: u64, now: u64) -> Self {
        Self {
            start,
            now,
            calls: Vec::new(),
            durations: Vec::new(),
            running: Vec::new(),
            others: Total::default(),
        }
    }

    /// A tool that was never called has nothing to say.
    fn add(&mut self, tool: &str, metrics: &Metrics, running: u64, has_own: bool) {
        let calls = metrics.calls() + metrics.questions();
        if calls + running == 0 {
            return;
        }
        if !has_own {
            self.others.calls += calls;
            self.others.running += running;
            return;
        }
        let name = || text("gen_ai.tool.name", tool);
        let mut count = |labels: Vec<KeyValue>, value: u64| {
            if value > 0 {
                let labels = [name()].into_iter().chain(labels).collect();
                self.calls.push(number(self.start, self.now, labels, value));
            }
        };
        count(
            vec![text("toolpact.outcome", "SUCCESS")],
            metrics.successes(),
        );
        count(vec![text("toolpact.outcome", "ASKED")], metrics.questions());
        for (kind, failures) in metrics.failures() {
            let code = kind.code();
            let labels = vec![text("toolpact.outcome", code), text("error.type", code)];
            count(labels, failures);
        }
        let labels = vec![text("gen_ai.operation.name", "execute_tool"), name()];
        let duration = histogram(self.start, self.now, labels, metrics.latency());
        self.durations.push(duration);
        let running = number(self.start, self.now, vec![name()], running);
        self.running.push(running);
    }

    fn finish(mut self) -> Vec<Metric> {
        let overflow = || {
            vec![KeyValue {
                key: "otel.metric.overflow".to_owned(),
                value: Some(any(any_value::Value::BoolValue(true))),
                ..KeyValue::default()
            }]
        };
        let (start, now) = (self.start, self.now);
        if self.others.calls > 0 {
            self.calls
                .push(number(start, now, overflow(), self.others.calls));
        }
        if self.others.running > 0 {
            self.running
                .push(number(start, now, overflow(), self.others.running));
        }
        let durations = Metric {
            name: "gen_ai.execute_tool.duration".to_owned(),
            description: "How long calls took, waiting included.".to_owned(),
            unit: "s".to_owned(),
            data: Some(metric::Data::Histogram(Histogram {
                data_points: self.durations,
                aggregation_temporality: AggregationTemporality::Cumulative.into(),
            })),
            ..Metric::default()
        };
        let answered = "Calls that were answered.";
        vec![
            durations,
            sum("toolpact.calls", answered, "{call}", true, self.calls),
            sum(
                "toolpact.calls.running",
                "Calls that run now.",
                "{call}",
                false,
                self.running,
            ),
        ]
    }
}

fn sum(
    name: &str,
    description: &str,
    unit: &str,
    is_monotonic: bool,
    data_points: Vec<NumberDataPoint>,
) -> Metric {
    Metric {
        name: name.to_owned(),
        description: description.to_owned(),
        unit: unit.to_owned(),
        data: Some(metric::Data::Sum(Sum {
            data_points,
            aggregation_temporality: AggregationTemporality::Cumulative.into(),
            is_monotonic,
        })),
        ..Metric::default()
    }
}

fn number(start: u64, now: u64, attributes: Vec<KeyValue>, value: u64) -> NumberDataPoint {
    let value = i64::try_from(value).unwrap_or(i64::MAX);
    NumberDataPoint {
        attributes,
        start_time_unix_nano: start,
        time_unix_nano: now,
        value: Some(number_data_point::Value::AsInt(value)),
        ..NumberDataPoint::default()
    }
}

/// Ours counts everything up to a bound, OTLP what is between two of them.
fn histogram(
    start: u64,
    now: u64,
    attributes: Vec<KeyValue>,
    latency: &Latency,
) -> HistogramDataPoint {
    let (mut bucket_counts, mut explicit_bounds, mut before) = (Vec::new(), Vec::new(), 0);
    for (bound, so_far) in latency.buckets() {
        bucket_counts.push(so_far - before);
        before = so_far;
        if bound != Duration::MAX {
            explicit_bounds.push(bound.as_secs_f64());
        }
    }
    HistogramDataPoint {
        attributes,
        start_time_unix_nano: start,
        time_unix_nano: now,
        count: before,
        sum: Some(latency.total().as_secs_f64()),
        bucket_counts,
        explicit_bounds,
        ..HistogramDataPoint::default()
    }
}

fn text(key: &str, value: &str) -> KeyValue {
    KeyValue {
        key: key.to_owned(),
        value: Some(any(any_value::Value::StringValue(value.to_owned()))),
        ..KeyValue::default()
    }
}

fn any(value: any_value::Value) -> AnyValue {
    AnyValue { value: Some(value) }
}

fn labels(attributes: &[KeyValue]) -> String {
    let mut labels = String::new();
    for KeyValue { key, value, .. } in attributes {
        labels += &match value.as_ref().and_then(|value| value.value.as_ref()) {
            Some(any_value::Value::StringValue(text)) => format!(" {key}={text}"),
            _ => format!(" {key}"),
        };
    }
    labels
}

fn nanos(time: SystemTime) -> u64 {
    let since = time
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}
