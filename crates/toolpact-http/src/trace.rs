//! The headers of W3C Trace Context.

use http::{HeaderMap, HeaderName, HeaderValue};
use toolpact_core::TraceContext;
use toolpact_core::trace::{TRACEPARENT, TRACESTATE};

static PARENT: HeaderName = HeaderName::from_static(TRACEPARENT);
static STATE: HeaderName = HeaderName::from_static(TRACESTATE);

/// The trace that a request is part of. What is invalid is as if it were not there.
pub fn trace_of(headers: &HeaderMap) -> Option<TraceContext> {
    let mut parents = headers.get_all(&PARENT).iter();
    // Of two, neither can be trusted.
    let (Some(parent), None) = (parents.next(), parents.next()) else {
        return None;
    };
    let states = headers.get_all(&STATE).iter();
    let states: Result<Vec<&str>, _> = states.map(HeaderValue::to_str).collect();
    let state = states.ok().filter(|states| !states.is_empty());
    let state = state.map(|states| states.join(","));
    TraceContext::read(parent.to_str().ok()?, state.as_deref())
}

/// Passes a trace on, unless the request says already which one it is part of.
pub fn add_trace(headers: &mut HeaderMap, trace: &TraceContext) {
    if headers.contains_key(&PARENT) {
        return;
    }
    headers.remove(&STATE);
    for (name, value) in trace.entries() {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(HeaderName::from_static(name), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{add_trace, trace_of};
    use http::{HeaderMap, HeaderValue};

    const EXAMPLE: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    fn headers(entries: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in entries {
            headers.append(*name, HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn headers_of_one_name_are_joined() {
        let trace = trace_of(&headers(&[
            ("traceparent", EXAMPLE),
            ("tracestate", "a=1"),
            ("tracestate", "b=2"),
        ]));
        assert_eq!(trace.unwrap().state(), Some("a=1,b=2"));
    }

    #[test]
    fn of_two_parents_neither_is_used() {
        assert_eq!(trace_of(&headers(&[("traceparent", EXAMPLE); 2])), None);
        assert_eq!(trace_of(&headers(&[("tracestate", "a=1")])), None);
        assert_eq!(trace_of(&headers(&[("traceparent", "x")])), None);
    }

    #[test]
    fn a_trace_that_is_there_stays() {
        let trace = trace_of(&headers(&[("traceparent", EXAMPLE)])).unwrap();
        let mut own = headers(&[("traceparent", "of-the-config"), ("tracestate", "a=1")]);
        add_trace(&mut own, &trace);
        assert_eq!(own.get("traceparent").unwrap(), "of-the-config");
        let mut none = headers(&[("tracestate", "a=1")]);
        add_trace(&mut none, &trace);
        assert_eq!(none.get("traceparent").unwrap(), EXAMPLE);
        assert!(!none.contains_key("tracestate"));
    }
}
