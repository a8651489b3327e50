//! Which variables may be set without changing what a command runs.

/// Whether setting this variable changes at most what a program says, not what it runs.
pub(super) fn is_harmless(name: &str) -> bool {
    let lower = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    if HARMLESS.contains(&name) || name.starts_with("LC_") {
        return true;
    }
    // A shell's own variables are written small, and few programs look at such.
    !name.is_empty() && name.bytes().all(lower) && !SMALL.iter().any(|small| name.ends_with(small))
}

/// `NAME` of `NAME=value`, `NAME+=value` and `NAME[1]=value`.
pub(super) fn name_of(setting: &str) -> &str {
    let end = setting.find(['=', '+', '[']).unwrap_or(setting.len());
    &setting[..end]
}

/// Variables that programs are told harmless things by.
const HARMLESS: [&str; 26] = [
    "CARGO_TERM_COLOR",
    "CI",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLORTERM",
    "COLUMNS",
    "DEBIAN_FRONTEND",
    "FORCE_COLOR",
    "GOARCH",
    "GOOS",
    "INSTA_UPDATE",
    "LANG",
    "LANGUAGE",
    "LINES",
    "NEXTEST_PROFILE",
    "NODE_ENV",
    "NO_COLOR",
    "PROPTEST_CASES",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONHASHSEED",
    "PYTHONUNBUFFERED",
    "RUST_BACKTRACE",
    "RUST_LOG",
    "RUST_TEST_THREADS",
    "TERM",
    "TZ",
];

/// Ends of names that are written small and still reach programs, or are zsh's `PATH`.
const SMALL: [&str; 4] = ["proxy", "path", "aliases", "functions"];
