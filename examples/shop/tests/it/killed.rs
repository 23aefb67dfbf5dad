//! What was confirmed survives a process that is killed.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::json;
use toolpact::Session;

use crate::support::{ORDERS, closed, create, ok, open, text};

/// Says to this very program that it is the process to be killed, and where its shop is.
const DIR: &str = "TOOLPACT_SHOP_TO_BE_KILLED";

/// Not a test of its own: the process that the test below starts and kills. It never ends by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_process_that_is_killed() {
    let Some(dir) = std::env::var_os(DIR) else {
        return;
    };
    let session = open(Path::new(&dir));
    let product = plenty(&session).await;
    let writers: Vec<_> = (0..4)
        .map(|_| {
            let (session, product) = (session.clone(), product.clone());
            tokio::spawn(async move {
                for _ in 0..100_000 {
                    let order = create(&session, &product, 1).await;
                    // In one piece, since others write as well.
                    let line = format!("\nconfirmed {order}\n");
                    std::io::stdout().write_all(line.as_bytes()).unwrap();
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
}

/// The product of which there is most.
async fn plenty(session: &Session) -> String {
    let found = ok(session, "search_products", json!({"per_page": 100})).await;
    let products = found["data"].as_array().unwrap();
    let most = products
        .iter()
        .max_by_key(|product| product["stock"].as_u64());
    text(&most.unwrap()["sku"])
}

#[tokio::test]
async fn what_was_confirmed_is_there() {
    let dir = tempfile::tempdir().unwrap();
    let mut all = Vec::new();
    for enough in [1, 10, 25] {
        let confirmed = kill_after(dir.path(), enough);
        assert!(confirmed.len() >= enough);
        all.extend(confirmed);
        let session = open(dir.path());
        for order in &all {
            ok(&session, "get_order", json!({"order": order})).await;
        }
        drop(session);
        closed(dir.path()).await;
    }
}

#[tokio::test]
async fn a_shop_whose_making_was_interrupted_is_made_again() {
    for wait in [1, 40, 80, 160] {
        let dir = tempfile::tempdir().unwrap();
        let mut child = start(dir.path());
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
        let session = open(dir.path());
        let all = json!({"filter": {"archived": true}});
        let count = ok(&session, "count_orders", all).await;
        assert!(count["value"].as_u64().unwrap() >= ORDERS);
    }
}

/// Starts the process, kills it after so many confirmations, and returns all it has confirmed.
fn kill_after(dir: &Path, enough: usize) -> Vec<String> {
    let mut child = start(dir);
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut confirmed = Vec::new();
    for line in lines {
        let line = line.unwrap();
        if let Some(order) = line.strip_prefix("confirmed ") {
            confirmed.push(order.to_owned());
        }
        if confirmed.len() == enough {
            // SIGKILL, in the middle of whatever it does.
            child.kill().unwrap();
        }
    }
    assert!(!child.wait().unwrap().success());
    confirmed
}

fn start(dir: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "killed::the_process_that_is_killed",
            "--nocapture",
        ])
        .env(DIR, dir)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}
