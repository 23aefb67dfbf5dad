//! Bodies that are too large, too slow, or never end.

use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt as _;

use super::{DOORS, connect, goes_on, head, heard, raw};
use crate::support::{PATIENCE, Running};

async fn small() -> Running {
    Running::with("limits: { body_bytes: 10000, body_ms: 500 }").await
}

#[tokio::test]
async fn bodies_that_never_end_are_cut_off() {
    let server = small().await;
    for door in DOORS {
        for chunk in [
            format!("1000\r\n{}\r\n", " ".repeat(0x1000)),
            // What is said beside a chunk is no way around the limit.
            format!("1;{}\r\n \r\n", "x".repeat(4000)),
        ] {
            let mut stream = connect(&server).await;
            let head = head(door, "transfer-encoding: chunked\r\n");
            stream.write_all(head.as_bytes()).await.unwrap();
            let endless = async {
                while stream.write_all(chunk.as_bytes()).await.is_ok() {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
            };
            // The server hangs up.
            tokio::time::timeout(PATIENCE, endless).await.unwrap();
        }
        goes_on(&server).await;
    }
}

#[tokio::test]
async fn bodies_that_are_too_large_are_not_waited_for() {
    let server = small().await;
    for door in DOORS {
        for length in ["10001", "999999999999"] {
            let promised = head(door, &format!("content-length: {length}\r\n"));
            let said = raw(&server, promised.as_bytes()).await;
            assert!(said.starts_with("HTTP/1.1 413"), "{door} {length}: {said}");
        }
        for length in [
            "18446744073709551615",
            "-1",
            "1e3",
            "99999999999999999999999",
            "5\r\ncontent-length: 6",
        ] {
            let nonsense = head(door, &format!("content-length: {length}\r\n")) + "{}";
            let said = raw(&server, nonsense.as_bytes()).await;
            assert!(said.starts_with("HTTP/1.1 4"), "{door} {length}: {said}");
        }
        goes_on(&server).await;
    }
}

/// The whole body has a time, however often something of it comes.
#[tokio::test]
async fn bodies_that_drip_are_not_waited_for() {
    let server = small().await;
    for door in DOORS {
        let started = Instant::now();
        let mut stream = connect(&server).await;
        let head = head(door, "content-length: 9000\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let (mut end, mut begin) = stream.into_split();
        let dripping = tokio::spawn(async move {
            while begin.write_all(b" ").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
        let mut status = [0; 12];
        let read = tokio::io::AsyncReadExt::read_exact(&mut end, &mut status);
        tokio::time::timeout(PATIENCE, read).await.unwrap().unwrap();
        assert_eq!(&status, b"HTTP/1.1 408", "{door}");
        assert!(started.elapsed() >= Duration::from_millis(500));
        // It is hung up on, too.
        tokio::time::timeout(PATIENCE, dripping)
            .await
            .unwrap()
            .unwrap();
        goes_on(&server).await;
    }
}

#[tokio::test]
async fn heads_that_never_end_are_cut_off() {
    let server = small().await;
    for line in ["GET /", "GET / HTTP/1.1\r\nx: ", "GET / HTTP/1.1\r\n"] {
        let mut stream = connect(&server).await;
        stream.write_all(line.as_bytes()).await.unwrap();
        let more = match line.ends_with('\n') {
            true => "x: y\r\n".repeat(1000),
            false => "x".repeat(6000),
        };
        let endless = async {
            while stream.write_all(more.as_bytes()).await.is_ok() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        tokio::time::timeout(PATIENCE, endless).await.unwrap();
        let said = heard(&mut stream).await;
        assert!(!said.starts_with("HTTP/1.1 2"), "{line:?}: {said}");
    }
    goes_on(&server).await;
}
