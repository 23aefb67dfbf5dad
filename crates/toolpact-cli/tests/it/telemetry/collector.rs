//! Servers that hear what is sent to them: a collector of OTLP, and an API.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value};
use prost::Message as _;

/// How long anything may take.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A request as it came in.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) path: String,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

/// A span, as far as the tests look at it.
#[derive(Debug, Clone)]
pub(crate) struct Span {
    pub(crate) service: String,
    pub(crate) name: String,
    pub(crate) kind: i32,
    pub(crate) trace: String,
    pub(crate) id: String,
    pub(crate) parent: String,
    pub(crate) is_failed: bool,
    pub(crate) attributes: BTreeMap<String, String>,
}

/// A server for as long as the process runs, and everything that it was sent.
#[derive(Clone)]
pub(crate) struct Listening {
    pub(crate) address: String,
    pub(crate) requests: Arc<Mutex<Vec<Request>>>,
}

impl Listening {
    /// Answers each request with a status line and a body.
    pub(crate) fn start(
        answer: impl Fn(&Request) -> (&'static str, String) + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let (requests, answer) = (Arc::new(Mutex::new(Vec::new())), Arc::new(answer));
        let heard = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (heard, answer) = (Arc::clone(&heard), Arc::clone(&answer));
                std::thread::spawn(move || converse(stream, &heard, &*answer));
            }
        });
        Self { address, requests }
    }

    /// A collector that takes everything.
    pub(crate) fn collector() -> Self {
        Self::start(|_| ("200 OK", String::new()))
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// Waits until what was sent is enough.
    pub(crate) fn wait<T>(&self, enough: impl Fn(&Self) -> Option<T>) -> T {
        let began = Instant::now();
        loop {
            if let Some(found) = enough(self) {
                return found;
            }
            let heard = self.requests();
            let paths: Vec<&str> = heard.iter().map(|request| &*request.path).collect();
            assert!(began.elapsed() < PATIENCE, "{paths:?} {:#?}", self.spans());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    pub(crate) fn spans(&self) -> Vec<Span> {
        let mut spans = Vec::new();
        for request in self.bodies("/v1/traces") {
            let request = ExportTraceServiceRequest::decode(&*request).unwrap();
            for group in request.resource_spans {
                let resource = read(&group.resource.unwrap().attributes);
                let service = &resource["service.name"];
                let all = group.scope_spans.into_iter().flat_map(|scope| scope.spans);
                spans.extend(all.map(|span| Span {
                    service: service.clone(),
                    kind: span.kind,
                    trace: hex(&span.trace_id),
                    id: hex(&span.span_id),
                    parent: hex(&span.parent_span_id),
                    is_failed: span.status.is_some_and(|status| status.code == 2),
                    attributes: read(&span.attributes),
                    name: span.name,
                }));
            }
        }
        spans
    }

    /// The names of the metrics of tools and what they say.
    pub(crate) fn metrics(&self) -> Vec<String> {
        let bodies = self.bodies("/v1/metrics").into_iter();
        let requests = bodies.map(|body| ExportMetricsServiceRequest::decode(&*body).unwrap());
        let groups = requests.flat_map(|request| request.resource_metrics);
        let scopes = groups.flat_map(|group| group.scope_metrics);
        let metrics = scopes.flat_map(|scope| scope.metrics);
        metrics.map(|metric| metric.name).collect()
    }

    /// The lines of the log, each with its trace.
    pub(crate) fn lines(&self) -> Vec<(String, String)> {
        let bodies = self.bodies("/v1/logs").into_iter();
        let requests = bodies.map(|body| ExportLogsServiceRequest::decode(&*body).unwrap());
        let groups = requests.flat_map(|request| request.resource_logs);
        let scopes = groups.flat_map(|group| group.scope_logs);
        let records = scopes.flat_map(|scope| scope.log_records);
        let text = |value: Option<any_value::Value>| match value {
            Some(any_value::Value::StringValue(text)) => text,
            other => format!("{other:?}"),
        };
        records
            .map(|record| {
                let body = text(record.body.and_then(|body| body.value));
                (body, hex(&record.trace_id))
            })
            .collect()
    }

    fn bodies(&self, path: &str) -> Vec<Vec<u8>> {
        let requests = self.requests().into_iter();
        let requests = requests.filter(|request| request.path == path);
        requests.map(|request| request.body).collect()
    }
}

/// Requests one after the other, until the client hangs up.
fn converse(
    stream: TcpStream,
    heard: &Mutex<Vec<Request>>,
    answer: &dyn Fn(&Request) -> (&'static str, String),
) {
    let Ok(mut output) = stream.try_clone() else {
        return;
    };
    let mut input = BufReader::new(stream);
    while let Some(request) = receive(&mut input) {
        heard.lock().unwrap().push(request.clone());
        let (status, body) = answer(&request);
        let length = body.len();
        let answered = format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
        );
        if output.write_all((answered + &body).as_bytes()).is_err() {
            return;
        }
    }
}

fn receive(input: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut line = String::new();
    input.read_line(&mut line).ok()?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        input.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            break;
        };
        headers.insert(name.to_ascii_lowercase(), value.to_owned());
    }
    let length = headers.get("content-length");
    let length = length.and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    input.read_exact(&mut body).ok()?;
    Some(Request {
        path,
        headers,
        body,
    })
}

/// Numbers in brackets, so that a text is not taken for one.
fn read(attributes: &[KeyValue]) -> BTreeMap<String, String> {
    let value = |attribute: &KeyValue| match attribute.value.as_ref()?.value.as_ref()? {
        any_value::Value::StringValue(text) => Some(text.clone()),
        any_value::Value::IntValue(number) => Some(format!("[{number}]")),
        other => Some(format!("{other:?}")),
    };
    let pairs = attributes.iter();
    pairs
        .map(|attribute| (attribute.key.clone(), value(attribute).unwrap_or_default()))
        .collect()
}

fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}
