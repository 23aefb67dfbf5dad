//! The thread that sends.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime};

use opentelemetry_proto::transform::common::tonic::ResourceAttributesWithSchema;
use tokio_util::sync::CancellationToken;
use toolpact_http::outgoing;

use crate::batcher::{Batcher, Encode, Outlet, Report};
use crate::console;
use crate::logs::Lines;
use crate::metrics::{Measure, Writer};
use crate::queue::Queue;
use crate::queues::Queues;
use crate::sender::Sender;
use crate::settings::{Destination, Settings};
use crate::signal::Signal;
use crate::spans::Spans;

/// Exports, until it is stopped.
pub(crate) struct Exporting {
    pub(crate) queues: Arc<Queues>,
    /// What goes where, for the log.
    pub(crate) summary: String,
    measure: Arc<OnceLock<Measure>>,
    stop: CancellationToken,
    ended: Receiver<()>,
}

impl Exporting {
    pub(crate) fn start(settings: &Settings) -> Result<Self, String> {
        let queues = Arc::new(Queues::new(settings));
        let (measure, stop) = (Arc::default(), CancellationToken::new());
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime = runtime.map_err(|error| format!("there is no thread for it: {error}"))?;
        let client = outgoing::client().build();
        let client = client.map_err(|error| format!("HTTP cannot be used: {error}"))?;
        let outlets = Outlets {
            client,
            stop: stop.clone(),
        };
        let resource = || ResourceAttributesWithSchema::from(&settings.resource);
        let spans = outlets.batcher(
            settings.traces.as_ref(),
            queues.spans.as_ref(),
            Spans(resource()),
        );
        let lines = outlets.batcher(
            settings.logs.as_ref(),
            queues.lines.as_ref(),
            Lines(resource()),
        );
        let meter = settings.metrics.as_ref().map(|to| Meter {
            outlet: outlets.outlet(to),
            interval: settings.interval,
            writer: Writer {
                resource: resource().attributes.0,
                start: SystemTime::now(),
            },
            queues: Arc::clone(&queues),
            measure: Arc::clone(&measure),
            report: Report::default(),
        });
        let (done, ended) = channel();
        let until = stop.clone();
        let thread = std::thread::Builder::new().name("toolpact-otel".to_owned());
        let spawned = thread.spawn(move || {
            runtime.block_on(async {
                tokio::join!(
                    run(spans.map(|spans| spans.run(until.clone()))),
                    run(lines.map(|lines| lines.run(until.clone()))),
                    run(meter.map(|meter| meter.run(until.clone()))),
                )
            });
            // Nobody may wait for it any more.
            let _ = done.send(());
        });
        spawned.map_err(|error| format!("there is no thread for it: {error}"))?;
        Ok(Self {
            queues,
            summary: summary(settings),
            measure,
            stop,
            ended,
        })
    }

    pub(crate) fn measure(&self, measure: Measure) {
        // The first stays.
        let _ = self.measure.set(measure);
    }

    pub(crate) fn stop(self, patience: Duration) {
        self.stop.cancel();
        // What cannot be sent by then is lost.
        let _ = self.ended.recv_timeout(patience);
    }
}

async fn run(task: Option<impl Future<Output = ()>>) {
    if let Some(task) = task {
        task.await;
    }
}

/// `OpenTelemetry: traces to 127.0.0.1:4318, logs to 127.0.0.1:4318`
fn summary(settings: &Settings) -> String {
    let to = [&settings.traces, &settings.metrics, &settings.logs];
    let to = Signal::ALL.into_iter().zip(to).filter_map(|(signal, to)| {
        Some(match to.as_ref()? {
            Destination::Console => format!("{signal} to standard error"),
            Destination::Collector(to) => format!("{signal} to {}", outgoing::authority(&to.url)),
        })
    });
    format!("OpenTelemetry: {}", to.collect::<Vec<_>>().join(", "))
}

struct Outlets {
    client: reqwest::Client,
    stop: CancellationToken,
}

impl Outlets {
    fn outlet(&self, to: &Destination) -> Outlet {
        match to {
            Destination::Console => Outlet::Console,
            Destination::Collector(endpoint) => {
                let (client, stop) = (self.client.clone(), self.stop.clone());
                Outlet::Collector(Box::new(Sender::new(client, endpoint.clone(), stop)))
            }
        }
    }

    fn batcher<E: Encode>(
        &self,
        to: Option<&Destination>,
        queue: Option<&Arc<Queue<E::Item>>>,
        encode: E,
    ) -> Option<Batcher<E>> {
        Some(Batcher {
            queue: Arc::clone(queue?),
            encode,
            outlet: self.outlet(to?),
            report: Report::default(),
        })
    }
}

/// Exports metrics from time to time, and once more at the end.
struct Meter {
    outlet: Outlet,
    interval: Duration,
    writer: Writer,
    queues: Arc<Queues>,
    measure: Arc<OnceLock<Measure>>,
    report: Report,
}

impl Meter {
    async fn run(mut self, stop: CancellationToken) {
        loop {
            let pause = tokio::time::sleep(self.interval);
            let is_stopped = stop.run_until_cancelled(pause).await.is_none();
            self.export().await;
            if is_stopped {
                return;
            }
        }
    }

    async fn export(&mut self) {
        let Some(measure) = self.measure.get() else {
            return;
        };
        let (session, readings) = measure();
        let sender = match &self.outlet {
            Outlet::Console => return console::write(&self.writer.lines(&session, &readings)),
            Outlet::Collector(sender) => sender,
        };
        let sent = sender.send(self.writer.encode(&session, &readings)).await;
        let Some(lost) = &self.queues.metrics else {
            return;
        };
        let missing = sent.as_ref().map_or(1, |answer| Writer::rejected(answer));
        let lost = lost.fetch_add(missing, Ordering::Relaxed) + missing;
        let result = sent.map(drop);
        self.report
            .note(Signal::Metrics, &sender.place(), &result, lost);
    }
}
