//! Arguments from files, and results into files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::first_steps::TOOLS;
use crate::run::{Folder, Ran, cleaned, run};
use crate::serve::Server;

/// Beside `echo`; `mark` leaves a mark that it was called.
const MORE: &str = r#"  - name: mark
    description: Leaves a mark.
    parameters: { type: object, properties: {} }
    returns: StringValue
    run: { command: [sh, -c, 'touch marked; echo \"done\"'] }
  - name: part
    description: A chunk.
    parameters: { type: object, properties: {} }
    returns: ChunkedData
    run: { command: [echo, '{"chunk_id": "a", "sequence": 1, "total_chunks": 3, "data": "SGk="}'] }
  - name: letter
    description: A file that is elsewhere.
    parameters: { type: object, properties: {} }
    returns: FileResult
    run: { command: [echo, '{"success": true, "file": {"name": "a", "url": "https://a.example/b"}}'] }
  - name: broken
    description: A file that is not there.
    parameters: { type: object, properties: {} }
    returns: FileResult
    run: { command: [echo, '{"success": false, "error": {"code": "NOT_FOUND_RESOURCE", "message": "Gone."}}'] }
"#;

fn tools() -> String {
    format!("{TOOLS}{MORE}")
}

fn folder() -> Folder {
    Folder::new().file("tools.yaml", tools())
}

fn call(folder: &Folder, words: &[&str]) -> Ran {
    folder.run([&["call"], words, &["--tools", "tools.yaml"]].concat())
}

#[test]
fn arguments_are_read_from_files() {
    let folder = folder()
        .file("a.txt", "5\n\"two\"\n")
        .file("a.json", "{\"n\": 1}")
        .file("bytes", b"\xff");
    let ask = |word: &str| call(&folder, &["echo", word, "--view", "json"]);
    ask("text=@a.txt").assert(0, r#"{"text":"5\n\"two\"\n"}"#, "");
    ask("other=@a.json").assert(0, r#"{"other":"{\"n\": 1}"}"#, "");
    ask("other:=@a.json").assert(0, r#"{"other":{"n":1}}"#, "");
    ask("text=@@a.txt").assert(0, r#"{"text":"@a.txt"}"#, "");
    ask("text=@gone").assert(2, "", "a text that begins with `@` is written `@@`");
    ask("text=@bytes").assert(2, "", "expected bytes to be text in UTF-8");
}

#[test]
fn results_are_written_to_files() {
    let folder = folder().file("old.txt", "old");
    let ran = call(
        &folder,
        &["echo", "text=x", "--output", "new.json", "--view", "json"],
    );
    ran.assert(0, "", "wrote new.json: 13 bytes\n");
    assert_eq!(
        (&*ran.stdout, &*folder.read("new.json")),
        ("", "{\"text\":\"x\"}\n")
    );
    call(&folder, &["echo", "text=x", "-o", "old.txt"]).assert(0, "", "wrote old.txt");
    assert_eq!(folder.read("old.txt"), "text: x\n");
    call(&folder, &["part", "-o", "part"]).assert(0, "", "2 bytes, which is chunk 2 of 3\n");
    assert_eq!(folder.read("part"), "Hi");
    // Who asks for a view gets it.
    call(&folder, &["part", "-o", "part", "--view", "json"]).assert(0, "", "");
    assert!(folder.read("part").starts_with("{\"chunk_id\""));
    call(&folder, &["echo", "-o", "/dev/stdout", "--view", "json"]).assert(0, "{}", "");
    assert_eq!(
        listed(&folder),
        ["new.json", "old.txt", "part", "tools.yaml"]
    );
}

#[test]
fn what_was_there_stays_unless_there_is_something_new() {
    let folder = folder().file("old.txt", "old");
    let ran = call(&folder, &["broken", "-o", "old.txt"]);
    ran.assert(1, "Error NOT_FOUND_RESOURCE: Gone.\nWhat to do:", "");
    let ran = call(&folder, &["letter", "-o", "old.txt"]);
    ran.assert(
        2,
        "",
        "the result has no content; it is at https://a.example/b",
    );
    assert_eq!(folder.read("old.txt"), "old");
    // Nothing is called whose result could not be written.
    let ran = call(&folder, &["mark", "-o", "no/such/folder"]);
    ran.assert(2, "", "cannot write no/such/folder");
    assert_eq!(listed(&folder), ["old.txt", "tools.yaml"]);
}

/// The last of several chunks may be all that is left of a whole.
#[test]
fn a_whole_is_not_replaced_by_a_part() {
    let tools = tools().replace(r#""sequence": 1"#, r#""sequence": 2"#);
    let folder = Folder::new().file("tools.yaml", tools).file("old", "old");
    let ran = call(&folder, &["part", "-o", "old"]);
    ran.assert(2, "", "this is the last of 3 chunks");
    assert_eq!(folder.read("old"), "old");
}

/// What could not be written is known before the tool is called.
#[cfg(unix)]
#[test]
fn names_that_are_none() {
    let folder = folder();
    std::os::unix::fs::symlink("nowhere", folder.path("link")).unwrap();
    for (name, why) in [
        ("new/", "it is the name of a folder"),
        ("link", "it is a link that leads nowhere"),
    ] {
        call(&folder, &["mark", "-o", name]).assert(2, "", why);
    }
    assert_eq!(listed(&folder), ["link", "tools.yaml"]);
}

/// As in a shell, what is in the file already stays there.
#[cfg(unix)]
#[test]
fn standard_output_is_added_to() {
    let folder = folder().file("log", "before\n");
    let program = env!("CARGO_BIN_EXE_toolpact");
    let mut shell = cleaned(Command::new("sh"));
    let line = format!("{program} call echo text=x --tools tools.yaml -o /dev/stdout >> log");
    shell.args(["-c", &line]).current_dir(folder.path(""));
    assert_eq!(run(shell).status, 0);
    assert_eq!(folder.read("log"), "before\ntext: x\n");
}

/// Whoever waits for a file that nobody writes can be stopped.
#[cfg(unix)]
#[test]
fn a_file_that_does_not_end_can_be_left() {
    let folder = folder();
    let made = Command::new("mkfifo").arg(folder.path("pipe")).status();
    assert!(made.unwrap().success());
    let mut command = folder.command(["call", "echo", "text=@pipe", "--tools", "tools.yaml"]);
    let mut child = command.spawn().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let kill = Command::new("kill").arg(child.id().to_string()).status();
    assert!(kill.unwrap().success());
    let patience = Instant::now() + Duration::from_secs(20);
    while child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < patience, "it does not stop");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_picture_of_a_server_is_a_file() {
    let folder = Folder::new();
    let server = Server::start(&folder, &[]);
    let words = [
        "call",
        "sales_chart",
        "-o",
        "sales.png",
        "--server",
        server.address(),
    ];
    let patience = Instant::now() + Duration::from_secs(60);
    // A new shop opens after a moment.
    while folder.run(words).status != 0 {
        assert!(Instant::now() < patience);
        std::thread::sleep(Duration::from_millis(50));
    }
    let picture = fs::read(folder.path("sales.png")).unwrap();
    assert!(picture.starts_with(b"\x89PNG\r\n"));
    // All chunks of a backup, of which only the last is the result.
    let words = [
        "call",
        "backup_database",
        "-o",
        "backup",
        "--server",
        server.address(),
    ];
    let ran = folder.run(words);
    ran.assert(0, "", " bytes\n");
    let made = fs::read(backup(&folder.path("toolpact"))).unwrap();
    assert!(made.len() > 1 << 20 && fs::read(folder.path("backup")).unwrap() == made);
}

/// The file of the backup that was made below a folder.
fn backup(folder: &Path) -> PathBuf {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for file in fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            match path.is_dir() {
                true => folders.push(path),
                false if name.starts_with("backup-") => return path,
                false => {}
            }
        }
    }
    PathBuf::new()
}

/// `script` runs a program in a terminal of its own.
#[test]
#[cfg(target_os = "linux")]
fn tables_are_aligned_for_people_only() {
    let tools = tools().replace("[cat]", r#"[echo, '{"all": [{"id": 7}, {"id": 12345}]}']"#);
    let folder = Folder::new().file("tools.yaml", tools);
    let plain = call(&folder, &["echo"]);
    plain.assert(0, "  | id |\n  |---|\n  | 7 |\n  | 12345 |\n", "");
    let program = env!("CARGO_BIN_EXE_toolpact");
    let mut terminal = cleaned(Command::new("script"));
    let line = format!("{program} call echo --tools tools.yaml");
    terminal
        .args(["-qec", &line, "/dev/null"])
        .current_dir(folder.path(""));
    let Ok(output) = terminal.output() else {
        assert!(std::env::var_os("CI").is_none(), "there is no `script`");
        return;
    };
    let seen = Ran::of(output).stdout.replace('\r', "");
    let expected = "  | id    |\n  |-------|\n  | 7     |\n  | 12345 |\n";
    assert!(seen.contains(expected), "{seen}");
}

fn listed(folder: &Folder) -> Vec<String> {
    let files = fs::read_dir(folder.path("")).unwrap();
    let mut names: Vec<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
