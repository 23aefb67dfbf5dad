//! What has been counted, as Prometheus reads it.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::State;
use toolpact::core::memory::MemoryBudget;
use toolpact::core::returns::ErrorKind;
use toolpact::observe::{Reading, trace};
use toolpact::{Registry, Session};
use toolpact_audit::AuditMetrics;
use toolpact_grid::{Host, RuntimeStatus};

use super::App;
use super::reply::{Failure, Text};
use super::sender::Sender;
use crate::approvals::Approvals;

/// `GET /v1/metrics`: of the tools that its sender sees. With many tools this takes a while, off the threads that answer requests.
pub(super) async fn metrics(
    State(app): State<Arc<App>>,
    Sender { principal, .. }: Sender,
) -> Result<Text, Failure> {
    let writing = Arc::clone(&app.metrics).acquire_owned().await;
    let written = toolpact::background::spawn(move || {
        let _writing = writing;
        let mut out = String::new();
        let session = app.tools(&principal);
        let _ = calls(&session, &mut out);
        let _ = seconds(&session, &mut out);
        let _ = gauges(&app, &session, &mut out);
        let _ = memory(&app, &mut out);
        let _ = app.audit.as_ref().map(|audit| audited(audit, &mut out));
        out
    });
    let failure = |_| Failure::new(ErrorKind::Internal, "The counters could not be written.");
    Ok(Text {
        content_type: "text/plain; version=0.0.4; charset=utf-8",
        text: written.await.map_err(failure)?,
    })
}

/// Names of tools and codes have nothing in them that would have to be escaped.
fn calls(session: &Session, out: &mut String) -> std::fmt::Result {
    head(
        out,
        "toolpact_calls_total",
        "counter",
        "Calls that were answered.",
    )?;
    for (tool, entry) in session.tools() {
        let metrics = entry.metrics();
        let successes = metrics.successes();
        writeln!(
            out,
            r#"toolpact_calls_total{{tool="{tool}",outcome="SUCCESS"}} {successes}"#
        )?;
        if let questions @ 1.. = metrics.questions() {
            writeln!(
                out,
                r#"toolpact_calls_total{{tool="{tool}",outcome="ASKED"}} {questions}"#
            )?;
        }
        for (kind, count) in metrics.failures() {
            let code = kind.code();
            writeln!(
                out,
                r#"toolpact_calls_total{{tool="{tool}",outcome="{code}"}} {count}"#
            )?;
        }
    }
    Ok(())
}

fn seconds(session: &Session, out: &mut String) -> std::fmt::Result {
    let name = "toolpact_call_seconds";
    head(
        out,
        name,
        "histogram",
        "How long calls took, waiting included.",
    )?;
    for (tool, entry) in session.tools() {
        let latency = entry.metrics().latency();
        for (limit, count) in latency
            .buckets()
            .filter(|(limit, _)| *limit != std::time::Duration::MAX)
        {
            let limit = limit.as_secs_f64();
            writeln!(
                out,
                r#"{name}_bucket{{tool="{tool}",le="{limit}"}} {count}"#
            )?;
        }
        let (count, total) = (latency.count(), latency.total().as_secs_f64());
        writeln!(out, r#"{name}_bucket{{tool="{tool}",le="+Inf"}} {count}"#)?;
        writeln!(out, r#"{name}_sum{{tool="{tool}"}} {total}"#)?;
        writeln!(out, r#"{name}_count{{tool="{tool}"}} {count}"#)?;
    }
    Ok(())
}

fn gauges(app: &App, session: &Session, out: &mut String) -> std::fmt::Result {
    head(
        out,
        "toolpact_calls_running",
        "gauge",
        "Calls that run now.",
    )?;
    for (tool, entry) in session.tools() {
        let running = entry.running();
        writeln!(out, r#"toolpact_calls_running{{tool="{tool}"}} {running}"#)?;
    }
    let mut last = "";
    for reading in app.readings() {
        let total = if reading.is_counter { "_total" } else { "" };
        let name = format!("{}{total}", reading.name.replace('.', "_"));
        if last != reading.name {
            let kind = if reading.is_counter {
                "counter"
            } else {
                "gauge"
            };
            head(out, &name, kind, reading.description)?;
        }
        last = reading.name;
        match reading.label {
            Some((key, value)) => writeln!(out, r#"{name}{{{key}="{value}"}} {}"#, reading.value)?,
            None => writeln!(out, "{name} {}", reading.value)?,
        }
    }
    Ok(())
}

/// The most of each part is what tells how near to its limit it was.
fn memory(app: &App, out: &mut String) -> std::fmt::Result {
    type Read = fn(&MemoryBudget) -> usize;
    let gauges: [(&str, &str, Read); 3] = [
        (
            "toolpact_memory_bytes",
            "Memory that is taken now, of all and of each part.",
            MemoryBudget::used,
        ),
        (
            "toolpact_memory_peak_bytes",
            "The most that was taken at once.",
            MemoryBudget::peak,
        ),
        (
            "toolpact_memory_limit_bytes",
            "The most that may be taken.",
            MemoryBudget::most,
        ),
    ];
    for (name, help, read) in gauges {
        head(out, name, "gauge", help)?;
        for (part, budget) in app.memory.budgets() {
            writeln!(out, r#"{name}{{part="{part}"}} {}"#, read(budget))?;
        }
    }
    Ok(())
}

fn audited(audit: &AuditMetrics, out: &mut String) -> std::fmt::Result {
    let failing = u64::from(audit.is_failing());
    for (name, kind, help, value) in [
        (
            "lines_total",
            "counter",
            "Calls that were recorded.",
            audit.lines(),
        ),
        (
            "writes_total",
            "counter",
            "How often lines were written, several at a time.",
            audit.writes(),
        ),
        (
            "lost_total",
            "counter",
            "Calls that could not be recorded.",
            audit.lost(),
        ),
        (
            "failing",
            "gauge",
            "Whether calls cannot be recorded now.",
            failing,
        ),
    ] {
        head(out, &format!("toolpact_audit_{name}"), kind, help)?;
        writeln!(out, "toolpact_audit_{name} {value}")?;
    }
    Ok(())
}

fn head(out: &mut String, name: &str, kind: &str, help: &str) -> std::fmt::Result {
    writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}")
}

impl App {
    /// What is measured besides the calls of tools, those of one name beside each other.
    pub(crate) fn readings(&self) -> Vec<Reading> {
        let reading = |name, description, is_counter, label, value| Reading {
            name,
            description,
            is_counter,
            label,
            value,
        };
        let count = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
        let sessions = count(self.sessions.count());
        let documents = self.documents.made().into_iter().map(|(document, made)| {
            let description = "Documents of all tools that were made.";
            let label = Some(("document", document.into()));
            reading("toolpact.documents.made", description, true, label, made)
        });
        let blocked = count(Registry::blocked_pools());
        let lost = trace::exporter().map(trace::Exporter::lost);
        let lost = lost.into_iter().flatten().map(|(signal, lost)| {
            let description =
                "Spans, lines of the log and exports of metrics that no collector got.";
            let label = Some(("signal", signal.into()));
            reading("toolpact.telemetry.lost", description, true, label, lost)
        });
        let description = "Pools of threads that tools block.";
        let pools = reading("toolpact.blocked_pools", description, false, None, blocked);
        let description = "Sessions of the REST API.";
        let sessions = reading("toolpact.sessions", description, false, None, sessions);
        let all = std::iter::once(sessions).chain(documents).chain([pools]);
        let hosts = self.supervisor.hosts();
        let grid = grid_readings(&hosts).into_iter().flatten();
        let grid = grid.map(|(name, description, value)| {
            reading(name, description, false, None, count(value))
        });
        let approvals = self.approvals.iter().flat_map(Approvals::readings);
        let quarantined = self.supervisor.quarantined();
        let quarantined = quarantined.into_iter().map(|(source, tools)| {
            let description = "Tools that are not served, since they are not what the lock says.";
            let label = Some(("source", source.into()));
            reading(
                "toolpact.tools.quarantined",
                description,
                false,
                label,
                count(tools),
            )
        });
        all.chain(lost)
            .chain(grid)
            .chain(approvals)
            .chain(quarantined)
            .collect()
    }
}

/// What the hosts of grids measure, all together; `None` without any.
fn grid_readings(hosts: &[Host]) -> Option<[(&'static str, &'static str, usize); 4]> {
    let all: Vec<RuntimeStatus> = hosts.iter().flat_map(Host::runtimes).collect();
    let in_flight = all.iter().map(|one| one.in_flight_here).sum();
    let open = all.iter().filter(|one| one.breaker_open).count();
    let connected = hosts.iter().filter(|host| host.is_connected()).count();
    (!hosts.is_empty()).then_some([
        (
            "toolpact.grid.connected",
            "Grids that can be reached.",
            connected,
        ),
        (
            "toolpact.grid.runtimes",
            "Runtimes that are there.",
            all.len(),
        ),
        (
            "toolpact.grid.in_flight",
            "Calls that runtimes have not answered.",
            in_flight,
        ),
        (
            "toolpact.grid.breakers_open",
            "Runtimes that are left alone after failures.",
            open,
        ),
    ])
}
