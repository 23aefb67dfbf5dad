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

/// The same for [`the_process_that_is_killed_while_it_copies`].
const COPYING: &str = "TOOLPACT_SHOP_TO_BE_KILLED_COPYING";

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
        let mut child = start(dir.path(), DIR, "killed::the_process_that_is_killed");
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
        let session = open(dir.path());
        let all = json!({"filter": {"archived": true}});
        let count = ok(&session, "count_orders", all).await;
        assert!(count["value"].as_u64().unwrap() >= ORDERS);
    }
}

/// Not a test of its own, either. It makes one copy after the other and tells when one is under way.
#[tokio::test]
async fn the_process_that_is_killed_while_it_copies() {
    let Some(dir) = std::env::var_os(COPYING) else {
        return;
    };
    let session = open(Path::new(&dir));
    loop {
        std::io::stdout().write_all(b"\nbegun\n").unwrap();
        ok(&session, "backup_database", json!({})).await;
    }
}

#[tokio::test]
async fn a_copy_that_was_interrupted_is_none() {
    let dir = tempfile::tempdir().unwrap();
    drop(open(dir.path()));
    closed(dir.path()).await;
    for wait in 0..16 {
        let test = "killed::the_process_that_is_killed_while_it_copies";
        let mut child = start(dir.path(), COPYING, test);
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        for line in lines {
            if line.unwrap() == "begun" {
                std::thread::sleep(Duration::from_millis(wait));
                child.kill().unwrap();
            }
        }
        assert!(!child.wait().unwrap().success());
        whole(&dir.path().join("backups"));
    }
    let session = open(dir.path());
    ok(&session, "backup_database", json!({})).await;
    whole(&dir.path().join("backups"));
}

/// Whatever has the name of a copy is one.
fn whole(backups: &Path) {
    for entry in std::fs::read_dir(backups).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "db") {
            let copy = rusqlite::Connection::open(&path).unwrap();
            let number = |sql| copy.query_row(sql, (), |row| row.get::<_, u32>(0)).unwrap();
            assert_eq!(u64::from(number("SELECT count(*) FROM orders")), ORDERS);
            let sound = "SELECT count(*) FROM pragma_quick_check WHERE quick_check = 'ok'";
            assert_eq!(number(sound), 1);
        }
    }
}

/// Starts the process, kills it after so many confirmations, and returns all it has confirmed.
fn kill_after(dir: &Path, enough: usize) -> Vec<String> {
    let mut child = start(dir, DIR, "killed::the_process_that_is_killed");
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

fn start(dir: &Path, variable: &str, test: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(variable, dir)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}
