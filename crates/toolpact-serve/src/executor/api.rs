//! Operations of OpenAPI documents.

use std::time::Duration;

use reqwest::Url;
use toolpact::core::dialect::{Placement, RequestPart, Route};

use super::headers::Headers;
use super::hosts::Hosts;
use super::http::HttpPlan;
use super::request::{Body, Form};
use super::send::Limits;
use super::template::UrlTemplate;
use crate::config::Api;

/// The call of an operation, if it is one that can be made.
pub(crate) fn operation(route: &Route, api: &Api) -> Result<HttpPlan, String> {
    let server = server(route.server.as_deref(), api.url.as_deref())?;
    let path = path(route)?;
    let url = UrlTemplate::read(&format!("{}{path}", server.trim_end_matches('/')))?;
    let hosts = Hosts::new(url.base(), &[])?;
    let mut form = Form {
        method: route
            .method
            .parse()
            .map_err(|_| "its method is none of HTTP")?,
        url,
        query: Vec::new(),
        headers: Headers::default(),
        body: body(route)?,
    };
    for (name, value) in &api.headers {
        form.headers.add(name, value)?;
    }
    for placement in &route.placements {
        place(&mut form, placement)?;
    }
    let limits = Limits {
        hosts,
        time: Duration::from_millis(api.timeout_ms),
        bytes: api.max_bytes,
        redirects: 0,
    };
    Ok(HttpPlan {
        form,
        limits,
        result: None,
    })
}

/// Where an API is. A config that names only a host says where the document would be, and the
/// servers of a document may be relative to that; a config that names a path means it.
fn server(said: Option<&str>, given: Option<&str>) -> Result<String, String> {
    let relative = said.filter(|said| !said.contains("://") && !said.starts_with("//"));
    match (said, given) {
        (None, None) => Err("its document names no server: give one in `api.url`".to_owned()),
        (_, Some(given)) => {
            let host = Url::parse(given).ok().filter(|given| given.path() == "/");
            // There are many ways to spell another host.
            let resolved = host.and_then(|host| {
                let resolved = host.join(relative?).ok()?;
                (resolved.origin() == host.origin()).then_some(resolved)
            });
            Ok(resolved.map_or_else(|| given.to_owned(), String::from))
        }
        (Some(said), None) if relative.is_some() => Err(format!(
            "its server is `{said}`, which begins where the document was: give that in `api.url`"
        )),
        (Some(said), None) => Ok(said.to_owned()),
    }
}

/// The path with the names that arguments have in the contract.
fn path(route: &Route) -> Result<String, String> {
    let mut path = String::new();
    let mut rest = &*route.path;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, behind) = after
            .split_once('}')
            .ok_or("its path has a `{` without a `}`")?;
        let placed = route.placements.iter();
        let mut placed = placed.filter(|p| p.part == RequestPart::Path && *p.name == *name);
        let argument = placed.next().map(|placement| &*placement.argument);
        let argument = argument.ok_or_else(|| format!("its path has no argument for `{name}`"))?;
        path.push_str(&format!("{before}{{{argument}}}"));
        rest = behind;
    }
    path.push_str(rest);
    Ok(path)
}

fn body(route: &Route) -> Result<Body, String> {
    let whole = route
        .placements
        .iter()
        .find(|p| p.part == RequestPart::Body);
    match (route.body.as_deref(), whole) {
        (None, _) => Ok(Body::None),
        (Some(kind), Some(whole)) if kind.ends_with("json") => {
            Ok(Body::Argument(whole.argument.clone()))
        }
        (Some(kind), None) if kind.ends_with("json") => Ok(Body::Json),
        (Some("application/x-www-form-urlencoded"), None) => Ok(Body::Form),
        (Some(kind), _) => Err(format!(
            "its body is `{kind}`, which cannot be written here"
        )),
    }
}

/// Puts an argument in its place, if it is written there in a way that is known.
fn place(form: &mut Form, placement: &Placement) -> Result<(), String> {
    let (argument, name) = (placement.argument.clone(), placement.name.clone());
    if placement.content.is_some() && placement.part != RequestPart::Body {
        return Err(format!(
            "its argument `{argument}` is written in a content type of its own"
        ));
    }
    match placement.part {
        RequestPart::Path if &*placement.style == "simple" => Ok(()),
        RequestPart::Query if &*placement.style == "form" && placement.explode => {
            form.query.push((argument, name));
            Ok(())
        }
        RequestPart::Header => form.headers.add_argument(&name, &argument),
        RequestPart::Body => Ok(()),
        part => Err(format!(
            "its argument `{argument}` is written in the {} in the style `{}`, which is not known here",
            part.as_str(),
            placement.style
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::server;

    #[test]
    fn servers_may_be_relative_to_a_host() {
        let host = "http://shop.internal:8080";
        for (said, given, expected) in [
            (None, host, host),
            (Some("/v2"), host, "http://shop.internal:8080/v2"),
            (
                Some("v2/"),
                "http://shop.internal/",
                "http://shop.internal/v2/",
            ),
            (Some("../v2"), host, "http://shop.internal:8080/v2"),
            (Some("/"), host, "http://shop.internal:8080/"),
            // Who names a path means it.
            (
                Some("/v2"),
                "http://shop.internal/v3",
                "http://shop.internal/v3",
            ),
            // And nobody is led to another host.
            (Some("https://shop.example/v2"), host, host),
            (Some("//shop.example/v2"), host, host),
            (Some("/\\shop.example/v2"), host, host),
            (Some("\\\\shop.example/v2"), host, host),
            (Some("/\t/shop.example/v2"), host, host),
            (Some(" //shop.example/v2"), host, host),
            (Some("https:shop.example/v2"), host, host),
            (Some("https:/shop.example/v2"), host, host),
        ] {
            let server = server(said, Some(given));
            assert_eq!(server.as_deref(), Ok(expected), "{said:?} {given}");
        }
        assert_eq!(
            server(Some("http://a/v2"), None).as_deref(),
            Ok("http://a/v2")
        );
        let error = server(Some("/v2"), None).unwrap_err();
        assert!(error.contains("`api.url`"), "{error}");
        assert!(server(None, None).is_err());
    }
}
