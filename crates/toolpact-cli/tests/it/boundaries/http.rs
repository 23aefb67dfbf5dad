//! Requests over HTTP, as they are on the wire.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::Value as Json;

pub(crate) struct Response {
    head: String,
    pub(crate) body: String,
}

impl Response {
    #[allow(dead_code, reason = "the tests of toolpact-code have this file, too")]
    pub(crate) fn status(&self) -> u16 {
        let status = self.head.split(' ').nth(1);
        status.and_then(|status| status.parse().ok()).unwrap()
    }

    /// A header, if it is there once.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        let mut found = lines.filter(|(key, _)| key.eq_ignore_ascii_case(name));
        let (_, value) = found.next()?;
        found.next().is_none().then_some(value)
    }

    pub(crate) fn json(&self) -> Json {
        let json = serde_json::from_str(&self.body);
        assert!(json.is_ok(), "{}\n{}", self.head, self.body);
        json.unwrap()
    }
}

pub(crate) fn post(address: &str, path: &str, headers: &[(&str, &str)], body: &Json) -> Response {
    request(address, "POST", path, headers, &body.to_string())
}

pub(crate) fn get(address: &str, path: &str) -> Response {
    request(address, "GET", path, &[], "")
}

pub(crate) fn request(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Response {
    let host = address.trim_start_matches("http://");
    let mut stream = TcpStream::connect(host).unwrap();
    let mut head = format!("{method} {path} HTTP/1.0\r\nhost: {host}\r\n");
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    let length = body.len();
    head += &format!("content-type: application/json\r\ncontent-length: {length}\r\n\r\n");
    stream.write_all((head + body).as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    Response {
        head: head.to_owned(),
        body: body.to_owned(),
    }
}
