//! The routes below `/v1`, from which the router and the OpenAPI document are made.

use std::sync::LazyLock;

use super::route::Method::{self, Delete, Get, Post};
use super::route::Route;
use super::{
    approvals, authorizations, batch, call, contracts, document, health, metrics, openapi, page,
    plan, sessions, validate,
};

/// The paths and methods of all routes, for those who get them wrong.
pub(super) static METHODS: LazyLock<Vec<(&'static str, Method)>> = LazyLock::new(|| {
    let routes = routes().into_iter();
    routes.map(|route| (route.path, route.method)).collect()
});

/// Each route with the name and the description of its operation. Its handler says the rest.
#[allow(clippy::too_many_lines, reason = "a table, which grows")]
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            Get,
            "/contracts",
            "list_contracts",
            "All contracts.",
            contracts::list,
        ),
        Route::new(
            Get,
            "/contracts/{name}",
            "get_contract",
            "One contract.",
            contracts::one,
        ),
        Route::new(
            Post,
            "/call",
            "call",
            "Makes a call. With `Accept: text/event-stream`, progress, items and lines of a log come as \
             events before the result; those of an EventStream under their own names. The same request \
             with `Last-Event-ID` goes on after that event.",
            call::call,
        ),
        Route::of_tools("/tools/{name}", call::tool),
        Route::new(
            Post,
            "/batch",
            "call_batch",
            "Makes several calls at once.",
            batch::batch,
        ),
        Route::new(
            Post,
            "/plan",
            "run_plan",
            "Runs a plan: steps that use each other's results by references such as `{{s1.data[0].id}}`. A \
             plan that is wrong is refused as a whole, with `problems` in the details. With `check`, nothing \
             runs.",
            plan::plan,
        ),
        Route::new(
            Post,
            "/authorizations",
            "authorize_call",
            "Asks for a call whose tool the client runs itself: it is checked, allowed and limited as any call, and the \
             answer has its arguments. What comes of it is reported to `/v1/authorizations/{id}`.",
            authorizations::authorize,
        ),
        Route::new(
            Post,
            "/authorizations/{id}",
            "report_result",
            "Reports what came of a call that was authorized. It is checked against the contract and recorded; the answer \
             is that of a call.",
            authorizations::report,
        ),
        Route::new(
            Post,
            "/validate",
            "validate",
            "Checks arguments or a result, and runs nothing.",
            validate::validate,
        ),
        Route::new(
            Post,
            "/sessions",
            "open_session",
            "Opens a session, which keeps results whose text was truncated.",
            sessions::open,
        ),
        Route::new(
            Delete,
            "/sessions/{id}",
            "close_session",
            "Closes a session and cancels its calls.",
            sessions::close,
        ),
        Route::new(
            Get,
            "/results/{handle}",
            "read_result",
            "A page of a result whose text was truncated.",
            sessions::result,
        ),
        Route::new(
            Get,
            "/approvals",
            "list_approvals",
            "The calls that are held until somebody decides, of those that the sender may decide about.",
            approvals::list,
        ),
        Route::new(
            Post,
            "/approvals/{id}",
            "decide_approval",
            "Approves or denies a call that is held.",
            approvals::decide,
        ),
        Route::new(
            Get,
            "/stubs",
            "declare",
            "The tools as declarations of a language.",
            document::stubs,
        ),
        Route::new(
            Get,
            "/exports/{dialect}",
            "export",
            "The tools in a dialect.",
            document::export,
        ),
        Route::new(
            Get,
            "/metrics",
            "metrics",
            "Counters and latencies, as Prometheus reads them.",
            metrics::metrics,
        ),
        Route::new(
            Get,
            "/health",
            "health",
            "The state of the server and of its sources.",
            health::health,
        ),
        Route::new(Get, "/docs", "docs", "The tools, for people.", page::docs),
        Route::new(
            Get,
            "/openapi.json",
            "openapi",
            "This document.",
            openapi::openapi,
        ),
    ]
}
