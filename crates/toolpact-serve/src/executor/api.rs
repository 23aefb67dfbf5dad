//! Operations of OpenAPI documents.

use std::time::Duration;

use reqwest::Url;
use toolpact::core::dialect::{Placement, RequestPart, Route};

use super::body::{Body, JSON, Members};
use super::headers::Headers;
use super::hosts::Hosts;
use super::http::HttpPlan;
use super::request::{Form, Query};
use super::send::Limits;
use super::style::Style;
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
        cookies: Vec::new(),
        body: body(route)?,
        ignored: Vec::new(),
    };
    if api.url.is_none() && !api.headers.is_empty() {
        return Err(
            "`api.headers` are for a server that the config names, and not for any that a \
                    document does: give it in `api.url`"
                .to_owned(),
        );
    }
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
    let Some(kind) = route.body.as_deref() else {
        return Ok(Body::None);
    };
    let mut placed = route.placements.iter();
    let whole = placed.find(|p| p.part == RequestPart::Body);
    let argument = whole.map(|whole| whole.argument.clone());
    let essence = kind.split(';').next().unwrap_or_default().trim();
    let essence = essence.to_ascii_lowercase();
    let members = || Members {
        argument: argument.clone(),
        deep: route.deep.clone(),
        files: route.files.clone(),
    };
    let json = |kind: &str| match argument.clone() {
        Some(argument) => Body::Argument(argument, kind.into()),
        None => Body::Json(kind.into()),
    };
    match &*essence {
        "*/*" | "application/*" => Ok(json(JSON)),
        essence if essence == JSON || essence.ends_with("+json") => Ok(json(kind)),
        "application/x-www-form-urlencoded" => Ok(Body::Form(members())),
        "multipart/form-data" => Ok(Body::Multipart(members())),
        essence => match argument.clone().filter(|_| is_raw(essence)) {
            Some(argument) => Ok(Body::Raw(argument, kind.into())),
            None => Err(format!(
                "its body is `{kind}`, which cannot be written here"
            )),
        },
    }
}

/// Whether a body of this type is sent as it was given.
fn is_raw(essence: &str) -> bool {
    let kinds = ["text/", "image/", "audio/", "video/"];
    let files = [
        "application/octet-stream",
        "application/pdf",
        "application/zip",
    ];
    kinds
        .iter()
        .any(|kind| essence.starts_with(kind) && essence != "text/xml")
        || files.contains(&essence)
}

/// Puts an argument in its place, if it is written there in a way that is known.
fn place(form: &mut Form, placement: &Placement) -> Result<(), String> {
    let (argument, name) = (placement.argument.clone(), placement.name.clone());
    let content = placement.content.as_deref();
    let style = match content.filter(|_| placement.part != RequestPart::Body) {
        Some(kind) if is_json(kind) => Some(Style::Json),
        Some(kind) => {
            return Err(format!(
                "its argument `{argument}` is written as `{kind}`, which is not known here"
            ));
        }
        None => Style::named(&placement.style, placement.explode),
    };
    match (placement.part, style) {
        (RequestPart::Path, _) if &*placement.style == "simple" => {}
        (RequestPart::Query, Some(style)) => form.query.push(Query {
            argument,
            name,
            style,
        }),
        // What the config says is sent, and nothing beside it.
        (RequestPart::Header, _) if form.headers.has(&name) => form.ignored.push(argument),
        (RequestPart::Header, None) => form.headers.add_argument(&name, &argument)?,
        (RequestPart::Cookie, _) if form.headers.has("cookie") => form.ignored.push(argument),
        (RequestPart::Cookie, Some(Style::Form | Style::Joined(_))) => {
            form.cookies.push((argument, name));
        }
        (RequestPart::Body, _) => {}
        (part, _) => {
            return Err(format!(
                "its argument `{argument}` is written in the {} in the style `{}`, which is not known here",
                part.as_str(),
                placement.style
            ));
        }
    }
    Ok(())
}

fn is_json(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case(JSON) || essence.to_ascii_lowercase().ends_with("+json")
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
