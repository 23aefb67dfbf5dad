//! Collectors that fail, and variables that cannot be used.

use std::time::{Duration, Instant};

use super::collector::{Listening, PATIENCE};
use super::{api, parent, rest, small, variables};
use crate::boundaries::http::get;
use crate::serve::Server;

/// A collector that is not there, one that takes connections and says nothing, and one that refuses.
#[test]
fn a_collector_that_is_down_or_slow_does_not_hold_up_calls() {
    let gone = Listening {
        address: "http://127.0.0.1:9".to_owned(),
        ..Listening::collector()
    };
    let silent = Listening::start(|_| {
        std::thread::sleep(PATIENCE);
        ("200 OK", String::new())
    });
    let refusing = Listening::start(|_| ("500 Internal Server Error", String::new()));
    for collector in [gone, silent, refusing] {
        let api = api();
        let folder = small(&api);
        let mut environment = variables(&collector);
        environment.push(("OTEL_BSP_MAX_QUEUE_SIZE", "10".into()));
        environment.push(("OTEL_EXPORTER_OTLP_TIMEOUT", "2000".into()));
        let server = Server::start_with(&folder, &[], &environment);
        let began = Instant::now();
        for _ in 0..20 {
            rest(&server, "api", &[]);
        }
        assert!(
            began.elapsed() < Duration::from_secs(15),
            "{:?}",
            began.elapsed()
        );
        let lost = |body: &str| {
            let line = body
                .lines()
                .find(|line| line.contains(r#"lost_total{signal="traces"}"#));
            line.and_then(|line| line.rsplit(' ').next()?.parse::<u64>().ok())
        };
        let began = Instant::now();
        while lost(&get(server.address(), "/v1/metrics").body).is_none_or(|lost| lost < 10) {
            assert!(began.elapsed() < PATIENCE);
            std::thread::sleep(Duration::from_millis(100));
        }
        let log = || folder.read("stderr.log");
        while !log().contains("takes no traces") {
            assert!(began.elapsed() < PATIENCE, "{}", log());
            std::thread::sleep(Duration::from_millis(100));
        }
        // Once, however often it fails.
        std::thread::sleep(Duration::from_secs(3));
        assert_eq!(log().matches("takes no traces").count(), 1, "{}", log());
        let began = Instant::now();
        assert_eq!(server.stop(), 0);
        assert!(began.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn what_is_not_supported_is_said_and_does_not_stop_the_server() {
    let (collector, api) = (Listening::collector(), api());
    let folder = small(&api);
    let mut environment = variables(&collector);
    environment.extend([
        ("OTEL_TRACES_EXPORTER", "zipkin".into()),
        ("OTEL_EXPORTER_OTLP_LOGS_PROTOCOL", "grpc".into()),
        ("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip".into()),
    ]);
    let server = Server::start_with(&folder, &[], &environment);
    assert_eq!(
        rest(&server, "program", &[("traceparent", &parent())]),
        format!("{} ", parent())
    );
    let log = folder.read("stderr.log");
    for said in [
        "OTEL_TRACES_EXPORTER: expected `otlp`, `console` or `none`, found `zipkin`; traces are not exported",
        "OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: expected `http/protobuf`, found `grpc`; logs are not exported",
        "OTEL_EXPORTER_OTLP_COMPRESSION: expected `none`, found `gzip`; nothing is compressed",
        "metrics to 127.0.0.1:",
    ] {
        assert!(log.contains(said), "{said}\n{log}");
    }
    collector.wait(|collector| (!collector.metrics().is_empty()).then_some(()));
    let paths: Vec<String> = collector
        .requests()
        .into_iter()
        .map(|request| request.path)
        .collect();
    assert!(paths.iter().all(|path| path == "/v1/metrics"), "{paths:?}");
}

#[test]
fn spans_can_be_written_to_standard_error() {
    let api = api();
    let folder = small(&api);
    let environment = [
        ("OTEL_TRACES_EXPORTER", "console".into()),
        ("OTEL_BSP_SCHEDULE_DELAY", "50".into()),
    ];
    let server = Server::start_with(&folder, &[], &environment);
    rest(&server, "program", &[("traceparent", &parent())]);
    let began = Instant::now();
    while !folder
        .read("stderr.log")
        .contains("span execute_tool program Internal")
    {
        assert!(began.elapsed() < PATIENCE, "{}", folder.read("stderr.log"));
        std::thread::sleep(Duration::from_millis(50));
    }
}
