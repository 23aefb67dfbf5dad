use opentelemetry::Key;

use super::{Destination, Settings};

fn read(variables: &[(&str, &str)]) -> Settings {
    let get = |name: &str| {
        let mut found = variables.iter().filter(|(key, _)| *key == name);
        found.next().map(|(_, value)| (*value).to_owned())
    };
    Settings::read(&get)
}

/// Where signals go, and what is said.
fn outcome(variables: &[(&str, &str)]) -> ([String; 3], Vec<String>) {
    let settings = read(variables);
    let to = [settings.traces, settings.metrics, settings.logs];
    let to = to.map(|to| match to {
        None => "nowhere".to_owned(),
        Some(Destination::Console) => "console".to_owned(),
        Some(Destination::Collector(to)) => to.url.to_string(),
    });
    (to, settings.complaints)
}

#[test]
fn nothing_is_exported_unless_it_is_asked_for() {
    for variables in [
        &[][..],
        &[("OTEL_SERVICE_NAME", "a"), ("OTEL_TRACES_SAMPLER", "x")],
        &[("OTEL_EXPORTER_OTLP_ENDPOINT", " ")],
        &[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://a"),
            ("OTEL_SDK_DISABLED", "TRUE"),
        ],
    ] {
        let settings = read(variables);
        assert!(
            settings.is_off() && settings.complaints.is_empty(),
            "{variables:?}"
        );
    }
}

#[test]
fn where_signals_go() {
    let nowhere = || "nowhere".to_owned();
    let general = ("OTEL_EXPORTER_OTLP_ENDPOINT", "https://a:1/base/");
    let at = |signal: &str| format!("https://a:1/base/v1/{signal}");
    let (to, said) = outcome(&[general]);
    assert_eq!(
        (to, said),
        ([at("traces"), at("metrics"), at("logs")], vec![])
    );
    let own = ("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "http://b/m");
    let none = ("OTEL_LOGS_EXPORTER", "none");
    let (to, _) = outcome(&[general, own, none]);
    assert_eq!(to, [at("traces"), "http://b/m".to_owned(), nowhere()]);
    let (to, _) = outcome(&[("OTEL_TRACES_EXPORTER", "otlp")]);
    assert_eq!(
        to,
        [
            "http://localhost:4318/v1/traces".to_owned(),
            nowhere(),
            nowhere()
        ]
    );
    let all = ["TRACES", "METRICS", "LOGS"].map(|signal| format!("OTEL_{signal}_EXPORTER"));
    let all: Vec<_> = all.iter().map(|name| (&**name, "console")).collect();
    // The log is on standard error in any case.
    assert_eq!(
        outcome(&all).0,
        ["console".to_owned(), "console".to_owned(), nowhere()]
    );
}

#[test]
fn what_cannot_be_used_is_said_without_secrets() {
    let on = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://a");
    for (name, value, said, traces) in [
        (
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "user:s3cret@a",
            "an address that begins",
            false,
        ),
        (
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
            "ftp://s3cret",
            "an address that begins",
            false,
        ),
        (
            "OTEL_EXPORTER_OTLP_PROTOCOL",
            "grpc",
            "expected `http/protobuf`, found `grpc`",
            false,
        ),
        (
            "OTEL_TRACES_EXPORTER",
            "otlp,console",
            "found `otlp,console`",
            false,
        ),
        (
            "OTEL_EXPORTER_OTLP_HEADERS",
            "s3cret",
            "`key=value` pairs",
            true,
        ),
        (
            "OTEL_EXPORTER_OTLP_HEADERS",
            "a b=s3cret",
            "`a b` is no header",
            true,
        ),
        (
            "OTEL_EXPORTER_OTLP_TIMEOUT",
            "soon",
            "a whole number, found `soon`; 10000 is used",
            true,
        ),
        (
            "OTEL_EXPORTER_OTLP_CERTIFICATE",
            "/a.pem",
            "SSL_CERT_FILE",
            true,
        ),
        (
            "OTEL_TRACES_SAMPLER",
            "jaeger_remote",
            "`parentbased_always_on` is used",
            true,
        ),
        ("OTEL_PROPAGATORS", "b3", "and nothing else is", true),
        ("OTEL_SDK_DISABLED", "1", "it is taken for `false`", true),
        ("OTEL_BSP_MAX_QUEUE_SIZE", "-1", "2048 is used", true),
        ("OTEL_METRIC_EXPORT_INTERVAL", "1m", "60000 is used", true),
    ] {
        let (to, complaints) = outcome(&[(name, value), on]);
        let complaint = complaints.iter().find(|complaint| complaint.contains(said));
        assert!(
            complaint.is_some_and(|complaint| complaint.starts_with(name)),
            "{complaints:?}"
        );
        assert!(!complaints.concat().contains("s3cret"), "{complaints:?}");
        assert_eq!(to[0] != "nowhere", traces, "{name}");
    }
}

#[test]
fn samplers() {
    let sampler = |name: &str, ratio: &str| {
        let settings = read(&[
            ("OTEL_TRACES_EXPORTER", "otlp"),
            ("OTEL_TRACES_SAMPLER", name),
            ("OTEL_TRACES_SAMPLER_ARG", ratio),
        ]);
        (format!("{:?}", settings.sampler), settings.complaints.len())
    };
    assert_eq!(sampler("always_off", ""), ("AlwaysOff".to_owned(), 0));
    assert_eq!(
        sampler("traceidratio", "0.25"),
        ("TraceIdRatioBased(0.25)".to_owned(), 0)
    );
    assert_eq!(sampler("parentbased_traceidratio", "2").1, 1);
    assert_eq!(sampler("parentbased_traceidratio", "NaN").1, 1);
}

#[test]
fn what_is_said_about_the_process() {
    let name = |variables: &[(&str, &str)]| {
        let resource = read(variables).resource;
        resource
            .get(&Key::from("service.name"))
            .unwrap()
            .to_string()
    };
    assert_eq!(name(&[]), "toolpact");
    let attributes = (
        "OTEL_RESOURCE_ATTRIBUTES",
        "service.name=a, team=x%20y,,broken",
    );
    assert_eq!(name(&[attributes]), "a");
    assert_eq!(name(&[attributes, ("OTEL_SERVICE_NAME", "b")]), "b");
    let settings = read(&[attributes]);
    let team = settings.resource.get(&Key::from("team")).unwrap();
    assert_eq!(
        (team.to_string(), settings.complaints.len()),
        ("x y".to_owned(), 1)
    );
}
