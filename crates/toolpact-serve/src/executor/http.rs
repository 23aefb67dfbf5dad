//! An HTTP call as the body of a tool.

use std::sync::Arc;
use std::time::Duration;

use toolpact::core::Pointer;
use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::{Context, Definition};

use super::Wrong;
use super::answer::produced;
use super::body::{Body, JSON, Members};
use super::headers::Headers;
use super::hosts::Hosts;
use super::request::{Form, Query};
use super::send::{Limits, Sender};
use super::style::Style;
use super::template::UrlTemplate;
use crate::config::{self, HttpExecutor, Method};

/// A call that has been looked at and can be made.
#[derive(Clone)]
pub(crate) struct HttpPlan {
    pub(super) form: Form,
    pub(super) limits: Limits,
    pub(super) result: Option<Pointer>,
}

impl HttpPlan {
    pub(crate) fn new(config: &HttpExecutor) -> Result<Self, Wrong> {
        let url = UrlTemplate::read(&config.url).map_err(|why| Wrong::new("url", why))?;
        let hosts = Hosts::new(url.base(), &config.allow_hosts);
        let hosts = hosts.map_err(|why| Wrong::new("allow_hosts", why))?;
        let mut headers = Headers::default();
        for (name, value) in &config.headers {
            let added = headers.add(name, value);
            added.map_err(|why| Wrong::new("headers", why))?;
        }
        let query = config.query.iter().map(|name| form(name)).collect();
        Ok(Self {
            form: Form {
                method: config.method.to_http(),
                url,
                query,
                headers,
                cookies: Vec::new(),
                body: body(config)?,
                ignored: Vec::new(),
            },
            limits: Limits {
                hosts,
                time: Duration::from_millis(config.timeout_ms),
                bytes: config.max_bytes,
                redirects: config.redirects,
            },
            result: pointer(config.result.as_deref())?,
        })
    }

    /// The tool that makes the call.
    pub(crate) fn definition(self, contract: Contract, sender: &Sender) -> Definition {
        let (sender, plan) = (sender.clone(), Arc::new((self, contract.clone())));
        Definition::new(contract, move |args: Value, _: Context| {
            let (plan, sender) = (Arc::clone(&plan), sender.clone());
            async move {
                let (plan, contract) = &*plan;
                let request = plan.form.fill(&args)?;
                let asked = request.told();
                let answer = sender.send(request, &plan.limits).await?;
                produced(&answer, contract, plan.result.as_ref(), &asked)
            }
        })
    }
}

fn form(name: &str) -> Query {
    Query {
        argument: name.into(),
        name: name.into(),
        style: Style::Plain,
    }
}

fn body(config: &HttpExecutor) -> Result<Body, Wrong> {
    let bodiless = matches!(config.method, Method::Get | Method::Head);
    match &config.body {
        None | Some(config::Body::None) if bodiless => Ok(Body::None),
        Some(config::Body::None) => Ok(Body::None),
        Some(_) if bodiless => Err(Wrong::new(
            "body",
            "expected no body: the method is GET or HEAD",
        )),
        None | Some(config::Body::Json) => Ok(Body::Json(JSON.into())),
        Some(config::Body::Form) => Ok(Body::Form(Members::default())),
        Some(config::Body::Argument(name)) => Ok(Body::Argument(name.as_str().into(), JSON.into())),
    }
}

fn pointer(text: Option<&str>) -> Result<Option<Pointer>, Wrong> {
    let read = |text| {
        let wrong = || Wrong::new("result", "expected a JSON Pointer, which begins with `/`");
        Pointer::parse(text).ok_or_else(wrong)
    };
    text.map(read).transpose()
}
