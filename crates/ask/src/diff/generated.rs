//! Which files programs make, by their paths.

/// Whether a file of this path is made by a program: locks, bundles, code of others, snapshots.
///
/// ```
/// use holdpoint_ask::diff::is_generated;
///
/// assert!(is_generated("web/package-lock.json"));
/// assert!(!is_generated("src/lock.rs"));
/// ```
pub fn is_generated(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
    NAMES.contains(&name)
        || ENDINGS.iter().any(|ending| name.ends_with(ending))
        || folders.split('/').any(|folder| FOLDERS.contains(&folder))
}

const NAMES: [&str; 18] = [
    "bun.lock",
    "bun.lockb",
    "cargo.lock",
    "composer.lock",
    "deno.lock",
    "flake.lock",
    "gemfile.lock",
    "go.sum",
    "gradle.lockfile",
    "mix.lock",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "packages.lock.json",
    "pdm.lock",
    "pipfile.lock",
    "pnpm-lock.yaml",
    "poetry.lock",
    "uv.lock",
];

const ENDINGS: [&str; 15] = [
    "yarn.lock",
    ".min.js",
    ".min.css",
    ".js.map",
    ".css.map",
    ".snap",
    ".pb.go",
    ".pb.h",
    ".pb.cc",
    "_pb2.py",
    "_pb2_grpc.py",
    ".g.dart",
    ".designer.cs",
    ".generated.ts",
    ".generated.rs",
];

const FOLDERS: [&str; 6] = [
    "__generated__",
    "__snapshots__",
    "node_modules",
    "third_party",
    "vendor",
    "vendored",
];
