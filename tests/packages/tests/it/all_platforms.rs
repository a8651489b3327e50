//! What is made of the archives of every platform, as a release puts them together; and that the same input makes the same
//! bytes. With small programs in place of the binary: what is tried is what is around it.

use packages::{finished, package_script, root, succeeded};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
};

/// What `packaging/platforms.py` has: the first target of each platform is the one that is released.
pub fn targets() -> Vec<String> {
    let print = "import platforms; print(*(p.targets[0] for p in platforms.PLATFORMS))";
    let mut python = Command::new("python3");
    python
        .args(["-B", "-c", print])
        .env("PYTHONPATH", root().join("packaging"));
    let targets = succeeded(&mut python);
    targets.split_whitespace().map(str::to_owned).collect()
}

fn archive_name(target: &str) -> String {
    let ending = if target.contains("windows") {
        "zip"
    } else {
        "tar.gz"
    };
    format!("holdpoint-{target}.{ending}")
}

#[test]
fn every_platform_can_be_installed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    let targets = targets();
    assert_eq!(targets.len(), 5, "{targets:?}");
    for target in &targets {
        fs::write(out.join(archive_name(target)), target).unwrap();
    }
    for platform in [
        "linux-x64",
        "linux-arm64",
        "darwin-x64",
        "darwin-arm64",
        "win32-x64",
    ] {
        fs::write(out.join(format!("holdpoint-{platform}.mcpb")), platform).unwrap();
    }
    succeeded(package_script(out).arg("--all-platforms"));

    let sums = fs::read_to_string(out.join("sha256sum.txt")).unwrap();
    let sum = |name: &str| {
        let line = sums
            .lines()
            .find(|line| line.ends_with(&format!(" *{name}")));
        line.unwrap().split(' ').next().unwrap().to_owned()
    };
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    let (shell, powershell, formula) = (
        read("holdpoint-installer.sh"),
        read("holdpoint-installer.ps1"),
        read("holdpoint.rb"),
    );
    for target in &targets {
        let name = archive_name(target);
        let is_windows = target.contains("windows");
        for (text, is_for_it) in [
            (&shell, !is_windows),
            (&powershell, is_windows),
            (&formula, !is_windows),
        ] {
            assert_eq!(text.contains(&name), is_for_it, "{name}\n{text}");
            assert_eq!(text.contains(&sum(&name)), is_for_it, "{name}\n{text}");
        }
        assert!(out.join(format!("{name}.sha256")).is_file(), "{name}");
    }
    for (text, name) in [(&shell, "sh"), (&powershell, "ps1"), (&formula, "rb")] {
        assert!(!text.contains("{{"), "{name}: {text}");
    }
    succeeded(Command::new("shellcheck").arg(out.join("holdpoint-installer.sh")));
    succeeded(Command::new("ruby").arg("-c").arg(out.join("holdpoint.rb")));

    let server: Value = serde_json::from_str(&read("server.json")).unwrap();
    let packages = server["packages"].as_array().unwrap();
    let bundles: BTreeSet<_> = packages
        .iter()
        .filter(|package| package["registryType"] == "mcpb")
        .map(|package| {
            let name = package["identifier"]
                .as_str()
                .unwrap()
                .rsplit('/')
                .next()
                .unwrap();
            assert_eq!(package["fileSha256"], sum(name));
            name
        })
        .collect();
    assert_eq!(bundles.len(), targets.len());

    let npm: Value = serde_json::from_str(&read("npm/holdpoint/package.json")).unwrap();
    let optional = npm["optionalDependencies"].as_object().unwrap();
    assert_eq!(optional.len(), targets.len());
    assert!(
        optional.values().all(|version| *version == npm["version"]),
        "{npm}"
    );
}

/// A program that is as static as a released binary.
fn static_program(folder: &Path) -> std::path::PathBuf {
    let (source, program) = (folder.join("program.c"), folder.join("holdpoint"));
    fs::write(&source, "int main(void) { return 1; }\n").unwrap();
    succeeded(
        Command::new("cc")
            .args(["-static", "-o"])
            .arg(&program)
            .arg(source),
    );
    program
}

/// Every file below a folder, but for what lies there while packages are made.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut left = vec![folder.to_owned()];
    while let Some(path) = left.pop() {
        if path.ends_with("work") {
            continue;
        }
        if path.is_dir() {
            left.extend(
                fs::read_dir(path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        } else {
            let name = path.strip_prefix(folder).unwrap().display().to_string();
            files.insert(name, fs::read(path).unwrap());
        }
    }
    files
}

#[test]
fn the_same_input_makes_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let program = static_program(folder.path());
    let make = |name: &str, umask: &str, time_zone: &str, seed: &str| {
        let out = folder.path().join(name);
        let script = package_script(&out);
        let mut command = Command::new("sh");
        command
            .arg("-c")
            .arg(format!("umask {umask} && exec \"$@\""))
            .arg("sh")
            .arg(script.get_program())
            .args(script.get_args())
            .arg("--binary")
            .arg(&program)
            // As a release compresses.
            .env("PACKAGE_COMPRESSION", "9")
            .env("SOURCE_DATE_EPOCH", "1794000000")
            .env("CARGO_NET_OFFLINE", "true")
            .env("PYTHONHASHSEED", seed)
            .env("TZ", time_zone);
        succeeded(command.current_dir(folder.path()));
        files(&out)
    };
    let one = make("one", "022", "UTC", "1");
    let other = make("other", "077", "Asia/Tokyo", "2");
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&one), names(&other));
    for (name, bytes) in &one {
        assert!(*bytes == other[name], "{name} differs");
    }

    // What is static runs on every Linux, and the packages say so.
    let version = env!("CARGO_PKG_VERSION");
    let wheel = format!(
        "holdpoint-{version}-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64.whl"
    );
    assert!(one.contains_key(&wheel), "{:?}", names(&one));
    let package = folder
        .path()
        .join("one")
        .join(format!("holdpoint_{version}_amd64.deb"));
    let needs = succeeded(
        Command::new("dpkg-deb")
            .arg("--field")
            .arg(package)
            .arg("Depends"),
    );
    assert_eq!(needs.trim(), "");
}

#[test]
fn what_cannot_be_packaged_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (args, wanted) in [
        (
            &[
                "--target",
                "riscv64gc-unknown-linux-gnu",
                "--binary",
                "/bin/sh",
            ][..],
            "there are no packages for",
        ),
        (&["--binary", "/no/such"], "there is no binary at /no/such"),
    ] {
        let output = finished(package_script(folder.path()).args(args));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(
            said.contains(wanted) && !said.contains("Traceback"),
            "{said}"
        );
    }
}
