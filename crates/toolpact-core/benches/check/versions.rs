//! What was measured, and where.

use std::process::Command;

const LOCK: &str = include_str!("../../../../Cargo.lock");
const PACKAGES: &[&str] = &[
    "toolpact-core",
    "serde",
    "serde_json",
    "jsonschema",
    "boon",
    "sonic-rs",
];

/// What a library for JSON may make use of.
macro_rules! features {
    ($($name:literal)*) => {
        [$(($name, cfg!(target_feature = $name))),*]
    };
}

pub(crate) fn page() -> String {
    let packages: Vec<String> = PACKAGES
        .iter()
        .map(|name| format!("{name} {}", version(name).unwrap_or("?")))
        .collect();
    format!(
        "{}\n{}, {} {}, target features: {}\n{}, {} cores",
        packages.join(", "),
        rustc(),
        std::env::consts::ARCH,
        std::env::consts::OS,
        target_features(),
        processor(),
        std::thread::available_parallelism().map_or(0, usize::from),
    )
}

/// The version in the lock file, which is the one that was built.
fn version(package: &str) -> Option<&'static str> {
    let name = format!("\nname = \"{package}\"\nversion = \"");
    let (_, rest) = LOCK.split_once(&name)?;
    rest.split('"').next()
}

fn target_features() -> String {
    let all = features!("sse2" "ssse3" "sse4.2" "pclmulqdq" "avx2" "bmi2" "avx512bw" "neon");
    let on: Vec<&str> = all.iter().filter(|f| f.1).map(|f| f.0).collect();
    on.join(" ")
}

fn rustc() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    text.unwrap_or_else(|_| "rustc ?".to_owned())
}

fn processor() -> String {
    // Only Linux says.
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find(|line| line.starts_with("model name"));
    let model = model.and_then(|line| Some(line.split_once(':')?.1.trim().to_owned()));
    model.unwrap_or_else(|| "processor ?".to_owned())
}
