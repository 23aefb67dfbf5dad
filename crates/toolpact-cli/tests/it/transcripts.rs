//! What the program prints, as transcripts that are also documentation: `tests/cmd/`.
//!
//! `TRYCMD=overwrite cargo test -p toolpact-cli transcripts` writes them anew; read what changed.

#[test]
fn transcripts() {
    cases().case("tests/cmd/*.trycmd").case("tests/cmd/*.toml");
}

/// The same wherever they run.
pub(crate) fn cases() -> trycmd::TestCases {
    let cases = trycmd::TestCases::new();
    cases
        .default_bin_path(env!("CARGO_BIN_EXE_toolpact"))
        .register_bin(
            "toolpact",
            std::path::Path::new(env!("CARGO_BIN_EXE_toolpact")),
        )
        .env("NO_COLOR", "1")
        .env("CLICOLOR_FORCE", "0")
        .env("COLUMNS", "100");
    cases
}
