//! What has been counted, as Prometheus reads it.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::State;
use toolpact::registry::RegisteredTool;
use toolpact::{Registry, Session};

use super::App;
use super::reply::Text;

/// `GET /v1/metrics`
pub(super) async fn metrics(State(app): State<Arc<App>>) -> Text {
    let mut out = String::new();
    let session = app.tools();
    let _ = calls(&session, &mut out);
    let _ = seconds(&session, &mut out);
    let _ = gauges(&app, &session, &mut out);
    Text {
        content_type: "text/plain; version=0.0.4; charset=utf-8",
        text: out,
    }
}

fn entries(session: &Session) -> impl Iterator<Item = (&str, &Arc<RegisteredTool>)> {
    session
        .names()
        .filter_map(move |name| Some((name, session.get(name)?)))
}

/// Names of tools and codes have nothing in them that would have to be escaped.
fn calls(session: &Session, out: &mut String) -> std::fmt::Result {
    head(
        out,
        "toolpact_calls_total",
        "counter",
        "Calls that were answered.",
    )?;
    for (tool, entry) in entries(session) {
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
    for (tool, entry) in entries(session) {
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
    for (tool, entry) in entries(session) {
        let running = entry.running();
        writeln!(out, r#"toolpact_calls_running{{tool="{tool}"}} {running}"#)?;
    }
    head(
        out,
        "toolpact_sessions",
        "gauge",
        "Sessions of the REST API.",
    )?;
    writeln!(out, "toolpact_sessions {}", app.sessions.count())?;
    head(
        out,
        "toolpact_blocked_pools",
        "gauge",
        "Pools of threads that tools block.",
    )?;
    writeln!(out, "toolpact_blocked_pools {}", Registry::blocked_pools())
}

fn head(out: &mut String, name: &str, kind: &str, help: &str) -> std::fmt::Result {
    writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}")
}
