//! The database in pieces, and put together again.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rusqlite::Connection;
use serde_json::{Value as Json, json};
use toolpact::core::json::Value;
use toolpact::core::returns::ErrorKind;
use toolpact::core::returns::stream::{Assembler, Chunk};
use toolpact::session::Update;
use toolpact::{Call, testing};

use crate::support::{Fixture, LONG, open, sha256, shop, text};

/// All chunks of a new backup.
async fn chunks(shop: &Fixture) -> Vec<Json> {
    let args = Value::from_json("{}").unwrap();
    let mut running = shop
        .session
        .call_streaming(Call::new("backup_database", args));
    let mut chunks: Vec<Json> = Vec::new();
    while let Some(update) = tokio::time::timeout(LONG, running.next()).await.unwrap() {
        match update {
            Update::Item(chunk) => chunks.push(serde_json::from_str(chunk.text()).unwrap()),
            Update::Log(line) => assert!(line.message.text().contains("is made"), "{line:?}"),
            update => panic!("{update:?}"),
        }
    }
    let completed = running.finish().await;
    testing::assert_success(&completed);
    chunks.push(serde_json::from_slice(&completed.to_json().unwrap()).unwrap());
    chunks
}

/// The bytes of all chunks, put together by the library.
fn joined(chunks: &[Json]) -> Vec<u8> {
    let mut assembler = Assembler::new(Vec::new());
    for (sequence, chunk) in chunks.iter().enumerate() {
        assert_eq!(chunk["sequence"], sequence);
        assert_eq!(chunk["total_chunks"], chunks.len());
        assert_eq!(chunk["is_last"], sequence + 1 == chunks.len());
        assert_eq!(chunk["chunk_id"], chunks[0]["chunk_id"]);
        let data = STANDARD.decode(chunk["data"].as_str().unwrap()).unwrap();
        assert_eq!(chunk["checksum"], sha256(&data));
        let chunk = Value::from_json(chunk.to_string()).unwrap();
        assembler.add(Chunk::from_value(&chunk).unwrap()).unwrap();
    }
    assembler.finish().unwrap();
    assembler.into_sink()
}

/// All that there is in the tables.
fn content(path: &std::path::Path) -> Vec<String> {
    let database = Connection::open(path).unwrap();
    let mut rows = Vec::new();
    for table in [
        "customers",
        "products",
        "orders",
        "order_lines",
        "reviews",
        "order_events",
    ] {
        let mut statement = database
            .prepare(&format!("SELECT * FROM {table} ORDER BY 1, 2"))
            .unwrap();
        let columns = statement.column_count();
        let read = statement.query_map((), |row| {
            let values = (0..columns).map(|column| row.get::<_, rusqlite::types::Value>(column));
            values.collect::<Result<Vec<_>, _>>()
        });
        rows.extend(
            read.unwrap()
                .map(|row| format!("{table}: {:?}", row.unwrap())),
        );
    }
    let check: String = database
        .query_row("PRAGMA integrity_check", (), |row| row.get(0))
        .unwrap();
    assert_eq!(check, "ok");
    rows
}

#[tokio::test]
async fn chunks_make_the_same_database_again() {
    let shop = shop();
    let order = shop.order("GIF-001", 1).await;
    let chunks = chunks(&shop).await;
    assert!(chunks.len() > 1);
    let restored = tempfile::tempdir().unwrap();
    let path = restored.path().join("shop.db");
    std::fs::write(&path, joined(&chunks)).unwrap();
    assert_eq!(content(&path), content(&shop.dir.path().join("shop.db")));
    // And it is a shop.
    let session = open(restored.path());
    crate::support::ok(&session, "get_order", json!({"order": order})).await;
}

#[tokio::test]
async fn who_hears_only_the_last_chunk_can_ask_for_the_others() {
    let shop = shop();
    let last = shop.ok("backup_database", json!({})).await;
    let name = text(&last["chunk_id"]);
    let total = last["total_chunks"].as_u64().unwrap();
    let mut chunks = Vec::new();
    for chunk in 0..total {
        chunks.push(
            shop.ok("read_backup", json!({"backup": name, "chunk": chunk}))
                .await,
        );
    }
    assert_eq!(chunks.last(), Some(&last));
    let file = shop.dir.path().join("backups").join(format!("{name}.db"));
    assert_eq!(joined(&chunks), std::fs::read(file).unwrap());
    let beyond = json!({"backup": name, "chunk": total});
    let failure = shop.fails("read_backup", beyond, ErrorKind::NotFound).await;
    assert!(
        failure.message.contains(&format!("has {total} chunks")),
        "{}",
        failure.message
    );
    let other = json!({"backup": "backup-20000101T000000Z-1"});
    let failure = shop.fails("read_backup", other, ErrorKind::NotFound).await;
    assert_eq!(failure.details["nearest"], name);
}

#[tokio::test]
async fn no_name_leads_elsewhere_and_old_copies_go() {
    let shop = shop();
    let failure = json!({"backup": "backup-20000101T000000Z-1"});
    let failure = shop
        .fails("read_backup", failure, ErrorKind::NotFound)
        .await;
    assert!(failure.message.contains("`backup_database` makes one"));
    for name in [
        "../shop",
        "../../etc/passwd",
        "backup-20000101T000000Z-1/../../shop",
        "/etc/passwd",
        "",
    ] {
        shop.fails(
            "read_backup",
            json!({"backup": name}),
            ErrorKind::WrongArgument,
        )
        .await;
    }
    let mut names = Vec::new();
    for _ in 0..6 {
        let last = shop.ok("backup_database", json!({})).await;
        names.push(text(&last["chunk_id"]));
    }
    let left = std::fs::read_dir(shop.dir.path().join("backups"))
        .unwrap()
        .count();
    assert_eq!(left, 5);
    shop.fails(
        "read_backup",
        json!({"backup": names[0]}),
        ErrorKind::NotFound,
    )
    .await;
    shop.ok("read_backup", json!({"backup": names[1]})).await;
}

/// The clock was set back: what is dated later is older.
#[tokio::test]
async fn a_backup_that_was_just_made_is_kept_whatever_the_dates_of_others() {
    let shop = shop();
    let dir = shop.dir.path().join("backups");
    std::fs::create_dir_all(&dir).unwrap();
    for number in 1..=5 {
        let name = format!("backup-20990101T000000Z-{number}.db");
        std::fs::write(dir.join(name), "of the future").unwrap();
    }
    let mut made = Vec::new();
    for _ in 0..3 {
        let last = shop.ok("backup_database", json!({})).await;
        made.push(text(&last["chunk_id"]));
        for name in &made {
            shop.ok("read_backup", json!({"backup": name})).await;
        }
        assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 5);
    }
}

/// Orders and customers are nobody else's business.
#[cfg(unix)]
#[tokio::test]
async fn its_files_are_for_its_user_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let shop = shop();
    shop.ok("backup_database", json!({})).await;
    let mut folders = vec![shop.dir.path().to_owned()];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
            let is_folder = entry.file_type().unwrap().is_dir();
            let expected = if is_folder { 0o700 } else { 0o600 };
            assert_eq!(mode, expected, "{:?} {mode:o}", entry.path());
            if is_folder {
                folders.push(entry.path());
            }
            seen += 1;
        }
    }
    assert!(seen >= 4, "the database, its lock, a folder and a backup");
}

/// What a process that is killed leaves behind is no backup, and the next one clears it away.
#[tokio::test]
async fn half_a_copy_is_none() {
    let shop = shop();
    let last = shop.ok("backup_database", json!({})).await;
    let whole = text(&last["chunk_id"]);
    let dir = shop.dir.path().join("backups");
    let half = "backup-99990101T000000Z-1";
    for end in [".db.part", ".db.part-journal"] {
        std::fs::write(dir.join(format!("{half}{end}")), "half").unwrap();
    }
    std::fs::write(dir.join("mine.part"), "not a backup").unwrap();
    let args = json!({"backup": half});
    let failure = shop.fails("read_backup", args, ErrorKind::NotFound).await;
    assert_eq!(failure.details["nearest"], whole);
    shop.ok("backup_database", json!({})).await;
    let mut ends: Vec<_> = std::fs::read_dir(&dir)
        .unwrap()
        .map(|entry| entry.unwrap().path().extension().unwrap().to_owned())
        .collect();
    ends.sort();
    assert_eq!(ends, ["db", "db", "part"]);
}
