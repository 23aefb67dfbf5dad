//! Whether the programs that a config names are there.

use std::path::{Path, PathBuf};

/// What is wrong with a program that is started by this name; `None` if it is there. A name with a
/// path in it begins at the working directory, any other is looked for in `PATH`.
pub(super) fn missing(program: &str) -> Option<String> {
    let path = Path::new(program);
    if path.components().count() > 1 || path.is_absolute() {
        let is_there = endings().any(|ending| is_program(&with_ending(path, &ending)));
        return (!is_there).then(|| {
            format!("expected a program at `{program}`, found none that can be started there")
        });
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::env::split_paths(&folders).flat_map(|folder| {
        let path = folder.join(program);
        endings().map(move |ending| with_ending(&path, &ending))
    });
    let is_there = places.any(|place| is_program(&place));
    (!is_there)
        .then(|| format!("expected the program `{program}` in a folder of `PATH`, found none"))
}

/// What the names of programs may end in without being written so.
fn endings() -> impl Iterator<Item = String> {
    let more = match cfg!(windows) {
        true => std::env::var("PATHEXT").unwrap_or_else(|_| ".EXE".to_owned()),
        false => String::new(),
    };
    let more: Vec<String> = more.split(';').map(str::to_owned).collect();
    std::iter::once(String::new()).chain(more)
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(ending);
    path.into()
}

fn is_program(path: &Path) -> bool {
    let Ok(about) = path.metadata() else {
        return false;
    };
    #[cfg(unix)]
    let is_executable = std::os::unix::fs::PermissionsExt::mode(&about.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let is_executable = true;
    about.is_file() && is_executable
}
