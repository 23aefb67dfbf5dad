//! Opening a shop: kept, refused, and the same for the same seed.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use serde_json::json;
use toolpact_shop::{Shop, ShopError, ShopErrorKind};

use crate::support::{closed, create, made, ok, session};

fn refused(dir: &Path) -> ShopError {
    Shop::options().orders(5).open(dir).unwrap_err()
}

fn digest(dir: &Path) -> Vec<String> {
    let database = Connection::open(dir.join("shop.db")).unwrap();
    let mut rows = database
        .prepare("SELECT o.id || c.email || o.total_cents || o.placed_at || o.status FROM orders o JOIN customers c ON c.id = o.customer_id")
        .unwrap();
    let rows = rows.query_map((), |row| row.get(0)).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

#[tokio::test]
async fn what_was_written_is_there_the_next_time() {
    let dir = tempfile::tempdir().unwrap();
    let shop = made(dir.path());
    let talk = session(&shop);
    let order = create(&talk, "TEA-001", 1).await;
    let text = ok(&talk, "get_order", json!({"order": order})).await;
    // While it is open, nobody else gets in.
    let error = refused(dir.path());
    assert_eq!(error.kind(), ShopErrorKind::InUse);
    assert!(
        error
            .to_string()
            .contains("another process has this shop open"),
        "{error}"
    );
    drop((talk, shop));
    closed(dir.path()).await;
    let talk = session(&Shop::options().orders(5).open(dir.path()).unwrap());
    assert_eq!(ok(&talk, "get_order", json!({"order": order})).await, text);
}

#[test]
fn the_same_seed_makes_the_same_shop() {
    let dirs: Vec<_> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
    for (dir, seed) in dirs.iter().zip([1, 1, 2]) {
        Shop::options()
            .seed(seed)
            .orders(60)
            .open(dir.path())
            .unwrap();
    }
    let [one, same, other] = [0, 1, 2].map(|n| digest(dirs[n].path()));
    assert_eq!(one.len(), 60);
    assert_eq!(one, same);
    assert_ne!(one, other);
}

#[test]
fn a_foreign_file_is_refused_and_not_touched() {
    let text = b"These are my notes, and not a database at all. ".repeat(200);
    let sqlite = |sql: &str| {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.db");
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        fs::read(path).unwrap()
    };
    let foreign = [
        text,
        sqlite("CREATE TABLE mine (x); INSERT INTO mine VALUES (1)"),
        sqlite("PRAGMA application_id = 5; CREATE TABLE orders (id)"),
        sqlite("PRAGMA application_id = 5"),
    ];
    for bytes in foreign {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("shop.db");
        fs::write(&path, &bytes).unwrap();
        let error = refused(dir.path());
        assert_eq!(error.kind(), ShopErrorKind::NotOurs, "{error}");
        assert_eq!(error.path(), path);
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn a_later_version_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    drop(Shop::options().orders(5).open(dir.path()).unwrap());
    let database = Connection::open(dir.path().join("shop.db")).unwrap();
    database.pragma_update(None, "user_version", 99).unwrap();
    drop(database);
    assert_eq!(refused(dir.path()).kind(), ShopErrorKind::TooNew);
}

#[test]
fn a_damaged_file_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    drop(Shop::options().orders(200).open(dir.path()).unwrap());
    let path = dir.path().join("shop.db");
    let mut bytes = fs::read(&path).unwrap();
    let pages = bytes.len() / 4096;
    for page in 1..pages {
        bytes[page * 4096..page * 4096 + 200].fill(0xa5);
    }
    fs::write(&path, bytes).unwrap();
    let error = refused(dir.path());
    assert_eq!(error.kind(), ShopErrorKind::Corrupt, "{error}");
    assert!(error.to_string().contains("backups"), "{error}");
}

#[test]
fn an_interrupted_beginning_is_no_beginning() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("shop.db");
    let database = Connection::open(&path).unwrap();
    database.pragma_update(None, "journal_mode", "WAL").unwrap();
    drop(database);
    Shop::options().orders(5).open(dir.path()).unwrap();
    assert_eq!(digest(dir.path()).len(), 5);
}

#[test]
fn a_directory_that_cannot_be_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "x").unwrap();
    for place in [
        file.clone(),
        file.join("below"),
        Path::new("/proc/nowhere").to_owned(),
    ] {
        let error = refused(&place);
        assert_eq!(error.kind(), ShopErrorKind::NotWritable, "{error}");
        assert!(
            error.to_string().contains(place.to_str().unwrap()),
            "{error}"
        );
    }
    fs::create_dir(dir.path().join("shop.db")).unwrap();
    let error = refused(dir.path());
    assert_eq!(error.kind(), ShopErrorKind::NotOurs, "{error}");
}

#[test]
fn a_new_shop_is_full() {
    let dir = tempfile::tempdir().unwrap();
    Shop::open(dir.path()).unwrap();
    let database = Connection::open(dir.path().join("shop.db")).unwrap();
    for (table, least) in [
        ("orders", 4000),
        ("customers", 500),
        ("products", 50),
        ("reviews", 500),
        ("order_words", 4000),
    ] {
        let sql = format!("SELECT count(*) FROM {table}");
        let count: i64 = database.query_row(&sql, (), |row| row.get(0)).unwrap();
        assert!(count >= least, "{table}: {count}");
    }
    let wrong = "SELECT count(*) FROM orders o WHERE total_cents <>
        (SELECT sum(quantity * unit_cents) FROM order_lines l WHERE l.order_id = o.id)";
    let count: i64 = database.query_row(wrong, (), |row| row.get(0)).unwrap();
    assert_eq!(count, 0);
}
