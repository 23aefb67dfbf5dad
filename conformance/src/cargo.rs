use std::process::Command;

/// The cargo that started this program. It is not told of the package that this program is from: build
/// scripts that look at such variables would run anew, and all that depends on them be built twice.
#[must_use]
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let of_package =
        names.filter(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_"));
    for name in of_package {
        cargo.env_remove(name);
    }
    cargo
}
