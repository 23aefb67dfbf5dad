//! Streams of events under their own names, and listeners that come back.

use std::time::Duration;

use reqwest::Response;
use serde_json::{Value as Json, json};
use toolpact::core::returns::stream::{Event, SseDecoder};

use crate::support::{PATIENCE, Running};

/// What the shop's `watch_orders` sends, event by event.
struct Listener {
    response: Response,
    decoder: SseDecoder,
    piece: Vec<u8>,
}

impl Listener {
    async fn next(&mut self) -> Option<Event> {
        loop {
            let mut bytes = &*self.piece;
            let event = self.decoder.next_event(&mut bytes).unwrap();
            self.piece = bytes.to_vec();
            if event.is_some() {
                return event;
            }
            let piece = tokio::time::timeout(PATIENCE, self.response.chunk()).await;
            self.piece = piece.unwrap().unwrap()?.to_vec();
        }
    }

    /// The name and the id of the next event.
    async fn heard(&mut self) -> (String, String) {
        let event = self.next().await.unwrap();
        (event.name().to_owned(), event.id().unwrap_or("").to_owned())
    }
}

async fn ask(server: &Running, call: &Json, last_id: Option<&str>) -> Response {
    let request = server.client.post(server.url("/v1/call"));
    let mut request = request
        .header("accept", "text/event-stream")
        .body(call.to_string());
    if let Some(id) = last_id {
        request = request.header("last-event-id", id);
    }
    request.send().await.unwrap()
}

async fn listen(server: &Running, call: &Json, last_id: Option<&str>) -> Listener {
    let response = ask(server, call, last_id).await;
    assert_eq!(response.status().as_u16(), 200);
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    Listener {
        response,
        decoder: SseDecoder::new(),
        piece: Vec::new(),
    }
}

async fn refused(server: &Running, call: &Json, last_id: &str) {
    let response = ask(server, call, Some(last_id)).await;
    assert_eq!(response.status().as_u16(), 404);
    let text = response.text().await.unwrap();
    assert!(text.contains("the call was not made again"), "{text}");
}

/// A shop where something happens to orders only when we do it, and the number of the last event.
async fn shop(more: &str) -> (Running, u64) {
    let server = Running::of(
        &format!("{more}\nsources: [{{ shop: {{ orders: 20 }} }}]"),
        &[],
    )
    .await;
    let opened = async {
        loop {
            let (status, quiet) = server.call("watch_orders", json!({"seconds": 1})).await;
            if status == 200 {
                return quiet["id"].as_str().unwrap().parse().unwrap();
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let last = tokio::time::timeout(PATIENCE, opened).await.unwrap();
    (server, last)
}

async fn order(server: &Running) {
    let lines = json!([{"product": "GIF-001", "quantity": 1}]);
    let args = json!({"customer": "C-101", "lines": lines});
    let (status, answer) = server.call("create_order", args).await;
    assert_eq!(status, 200, "{answer}");
}

fn watch(after: u64, most: u64) -> Json {
    let args = json!({"after": after, "most": most, "seconds": 30});
    json!({"name": "watch_orders", "args": args, "id": "my-watch"})
}

fn created(id: u64) -> (String, String) {
    ("order.created".to_owned(), id.to_string())
}

#[tokio::test]
async fn an_event_stream_has_its_own_names_and_ids_and_can_be_resumed() {
    let (server, last) = shop("").await;
    let call = watch(last, 4);
    let mut listener = listen(&server, &call, None).await;
    order(&server).await;
    let event = listener.next().await.unwrap();
    assert_eq!(
        (event.name(), event.id()),
        ("order.created", Some(&*(last + 1).to_string()))
    );
    let data: Json = serde_json::from_str(event.data()).unwrap();
    assert!(data["order"].is_string(), "{data}");
    // It hangs up, and what happens in between is not lost.
    drop(listener);
    order(&server).await;
    order(&server).await;
    let resume = (last + 1).to_string();
    let mut listener = listen(&server, &call, Some(&resume)).await;
    assert_eq!(listener.heard().await, created(last + 2));
    // A connection of which the server does not know yet that it is lost.
    let mut second = listen(&server, &call, Some(&(last + 2).to_string())).await;
    assert_eq!(second.heard().await, created(last + 3));
    order(&server).await;
    // The result is an event of its own name, too.
    assert_eq!(second.heard().await, created(last + 4));
    let end = second.next().await.unwrap();
    assert_eq!((end.name(), end.id()), ("result", Some("toolpact:end")));
    let result: Json = serde_json::from_str(end.data()).unwrap();
    assert_eq!(result["result"]["event"], "order.created");
    assert!(second.next().await.is_none());
    // Who has heard everything is told to stop; who has not, hears the rest.
    let nothing = ask(&server, &call, Some("toolpact:end")).await;
    assert_eq!(nothing.status().as_u16(), 204);
    let mut again = listen(&server, &call, Some(&(last + 3).to_string())).await;
    assert_eq!(again.heard().await, created(last + 4));
}

#[tokio::test]
async fn an_event_without_data_is_heard() {
    let (server, last) = shop("").await;
    let call = json!({"name": "watch_orders", "args": {"seconds": 1}});
    let mut listener = listen(&server, &call, None).await;
    let quiet = listener.next().await.unwrap();
    assert_eq!((quiet.name(), quiet.data()), ("quiet", ""));
    assert_eq!(quiet.id(), Some(&*last.to_string()));
}

#[tokio::test]
async fn what_cannot_be_resumed_is_not_called_again() {
    let (server, last) = shop("").await;
    let call = watch(last, 3);
    let mut listener = listen(&server, &call, None).await;
    order(&server).await;
    listener.heard().await;
    refused(&server, &call, "other").await;
    refused(&server, &watch(last, 4), &(last + 1).to_string()).await;
    // Without an `id`, it may be another client that listens.
    let mut unnamed = call.clone();
    unnamed.as_object_mut().unwrap().remove("id");
    let mut listener = listen(&server, &unnamed, None).await;
    listener.heard().await;
    refused(&server, &unnamed, &(last + 1).to_string()).await;
}

#[tokio::test]
async fn a_call_that_nobody_comes_back_to_is_cancelled() {
    let (server, last) = shop("limits: { resume_ms: 100 }").await;
    let call = watch(last, 3);
    let mut listener = listen(&server, &call, None).await;
    order(&server).await;
    listener.heard().await;
    drop(listener);
    let gone = async {
        loop {
            let (_, metrics) = server.get("/v1/metrics").await;
            let metrics = metrics.as_str().unwrap();
            if metrics.contains("toolpact_calls_running{tool=\"watch_orders\"} 0\n") {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(5), gone)
        .await
        .unwrap();
    refused(&server, &call, &(last + 1).to_string()).await;
}
