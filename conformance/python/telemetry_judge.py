"""A collector and a caller: both are the official ones of OpenTelemetry for Python, and neither knows ours.

usage: telemetry_judge.py PACKAGE_DIR < {"serve": ["toolpact", "serve", …], "stdio": […], "tools": ["…"]}

Starts the servers with the variables of OpenTelemetry, calls the tools over MCP (HTTP and standard input) and
over REST, each inside of a span of the SDK, and receives what the servers export. Writes one line of JSON:
{"spans": […], "calls": […], "metrics": […], "logs": […]}.
"""

import json
import os
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sys.dont_write_bytecode = True

KINDS = ["UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"]


class Collector(ThreadingHTTPServer):
    """Decodes requests of OTLP with the types of the official package."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Receive)
        self.spans, self.metrics, self.logs = [], [], []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def address(self):
        return f"http://127.0.0.1:{self.server_address[1]}"


class Receive(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        assert self.headers["content-type"] == "application/x-protobuf"
        {"/v1/traces": traces, "/v1/metrics": metrics, "/v1/logs": logs}[self.path](self.server, body)
        self.send_response(200)
        self.send_header("content-type", "application/x-protobuf")
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def value(any_value):
    kind = any_value.WhichOneof("value")
    return getattr(any_value, kind) if kind else None


def attributes(pairs):
    return {pair.key: value(pair.value) for pair in pairs}


def traces(collector, body):
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
        service = attributes(resource.resource.attributes)["service.name"]
        for span in (span for scope in resource.scope_spans for span in scope.spans):
            collector.spans.append({
                "service": service,
                "name": span.name,
                "kind": KINDS[span.kind],
                "trace": span.trace_id.hex(),
                "span": span.span_id.hex(),
                "parent": span.parent_span_id.hex(),
                "failed": span.status.code == 2,
                "attributes": attributes(span.attributes),
            })


def metrics(collector, body):
    from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest

    for resource in ExportMetricsServiceRequest.FromString(body).resource_metrics:
        service = attributes(resource.resource.attributes)["service.name"]
        for metric in (metric for scope in resource.scope_metrics for metric in scope.metrics):
            data = getattr(metric, metric.WhichOneof("data"))
            for point in data.data_points:
                is_sum = metric.WhichOneof("data") == "sum"
                collector.metrics.append({
                    "service": service,
                    "name": metric.name,
                    "unit": metric.unit,
                    "attributes": attributes(point.attributes),
                    "value": point.as_int if is_sum else point.count,
                    "buckets": [] if is_sum else list(point.bucket_counts),
                    "bounds": [] if is_sum else list(point.explicit_bounds),
                    "cumulative": data.aggregation_temporality == 2,
                })


def logs(collector, body):
    from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

    for resource in ExportLogsServiceRequest.FromString(body).resource_logs:
        for line in (line for scope in resource.scope_logs for line in scope.log_records):
            collector.logs.append({
                "body": value(line.body),
                "trace": line.trace_id.hex(),
                "severity": line.severity_text,
                "attributes": attributes(line.attributes),
            })


def environment(collector):
    return {
        **os.environ,
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.address(),
        "OTEL_SERVICE_NAME": "judged",
        "OTEL_BSP_SCHEDULE_DELAY": "100",
        "OTEL_BLRP_SCHEDULE_DELAY": "100",
    }


def headers_of(span):
    """What the propagator of the SDK makes of a span."""
    from opentelemetry.propagate import inject

    headers = {}
    inject(headers)
    return headers


async def over_mcp(tracer, server, mode, tools, calls):
    from mcp.client import Client

    async with Client(server, mode=mode) as client:
        for tool in tools:
            with tracer.start_as_current_span(f"ask {tool}") as span:
                result = await client.call_tool(tool, {})
                text = " ".join(part.text for part in result.content if part.type == "text")
            calls.append(call(span, tool, f"mcp {mode}", text))


def call(span, tool, way, text):
    context = span.get_span_context()
    return {
        "way": way,
        "tool": tool,
        "trace": format(context.trace_id, "032x"),
        "span": format(context.span_id, "016x"),
        "text": text,
    }


def over_rest(tracer, address, tools, calls):
    for tool in tools:
        with tracer.start_as_current_span(f"ask {tool}") as span:
            headers = {"content-type": "application/json", **headers_of(span)}
            request = urllib.request.Request(f"{address}/v1/tools/{tool}", b"{}", headers)
            try:
                text = urllib.request.urlopen(request).read().decode()
            except urllib.error.HTTPError as error:
                text = error.read().decode()
        calls.append(call(span, tool, "rest", text))


def main(task):
    import anyio
    from mcp import StdioServerParameters
    from mcp.client.stdio import stdio_client
    from opentelemetry import trace
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    tracer = trace.get_tracer("judge")
    collector, calls = Collector(), []
    served = subprocess.Popen(
        task["serve"], stdout=subprocess.PIPE, env=environment(collector), text=True
    )
    try:
        address = served.stdout.readline().split("http://")[1].split()[0]
        address = f"http://{address}"
        for mode in ["legacy", "auto"]:
            anyio.run(over_mcp, tracer, f"{address}/mcp", mode, task["tools"], calls)
        over_rest(tracer, address, task["tools"], calls)
        words = task["stdio"]
        stdio = StdioServerParameters(command=words[0], args=words[1:], env=environment(collector))
        anyio.run(over_mcp, tracer, stdio_client(stdio), "legacy", task["tools"], calls)
    finally:
        served.terminate()
        served.wait(20)
    # The servers have sent all they had before they ended.
    time.sleep(0.2)
    provider.force_flush()
    own = [
        {"name": span.name, "span": format(span.context.span_id, "016x"),
         "parent": format(span.parent.span_id, "016x") if span.parent else ""}
        for span in exporter.get_finished_spans()
    ]
    print(json.dumps({
        "calls": calls, "own": own, "spans": collector.spans,
        "metrics": collector.metrics, "logs": collector.logs,
    }))


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])
    main(json.load(sys.stdin))
