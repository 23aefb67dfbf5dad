//! Servers whose answer to a call does not end.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use toolpact::core::json::Value;
use toolpact_serve::{Client, View};

use crate::support::PATIENCE;

const MOST: usize = 1 << 20;

/// A server that answers with this head, and then with this piece again and again, and how many bytes it could send.
async fn endless(kind: &'static str, piece: &'static str) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let sent = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&sent);
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = [0; 4096];
        assert!(stream.read(&mut request).await.unwrap() > 0);
        let head =
            format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ntoolpact-outcome: result\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let pieces = piece.repeat(4096 / piece.len() + 1);
        while stream.write_all(pieces.as_bytes()).await.is_ok() {
            counted.fetch_add(pieces.len(), Ordering::Relaxed);
        }
    });
    (address, sent)
}

#[tokio::test]
async fn an_answer_that_does_not_end_is_an_error() {
    let args = Value::from_json("{}").unwrap();
    for (kind, piece) in [
        ("application/json", "[1, 2, 3],"),
        // A refusal, where events were asked for.
        ("text/plain", "no "),
        // One event, and many.
        ("text/event-stream", "data: more\n"),
        ("text/event-stream", "event: item\ndata: {}\n\n"),
        ("text/event-stream", ": nothing but a comment\n"),
    ] {
        let (address, sent) = endless(kind, piece).await;
        let client = Client::new(&address, None).unwrap().call_bytes(MOST);
        let calling = async {
            match kind {
                "application/json" => client.call("more", &args, View::Json).await.err(),
                _ => client.call_streaming("more", &args).await.err(),
            }
        };
        let error = tokio::time::timeout(PATIENCE, calling).await.unwrap();
        let error = error.unwrap().to_string();
        assert!(
            error.ends_with("; the call may have taken effect"),
            "{error}"
        );
        assert!(error.contains(&MOST.to_string()), "{error}");
        // What is on its way is in buffers of the system.
        let sent = sent.load(Ordering::Relaxed);
        assert!((MOST..MOST + (16 << 20)).contains(&sent), "{kind}: {sent}");
    }
}
