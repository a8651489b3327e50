//! What says where the packages are and what is in them, against the schemas of those who read it.

use jsonschema::{Registry, Validator};
use packages::{packages, root, succeeded};
use serde_json::Value;
use std::{collections::BTreeSet, fs, path::Path, process::Command};

fn json(file: &Path) -> Value {
    let text =
        fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    serde_json::from_str(&text).unwrap()
}

#[track_caller]
fn check(schema: &Validator, value: &Value) {
    let wrong: Vec<_> = schema
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// No package of a registry has the schema of `server.json`. Ours says what the published one says of what we write,
/// and refuses what it does not know.
#[test]
fn the_server_is_described_as_the_registry_wants_it() {
    let schema = json(&root().join("tests/packages/server.schema.json"));
    let schema = jsonschema::validator_for(&schema).unwrap();
    let server = json(&packages().join("server.json"));
    check(&schema, &server);

    for (pointer, wrong) in [
        ("/name", "holdpoint"),
        ("/description", ""),
        ("/version", "^0.1.0"),
        ("/packages/0/version", "latest"),
        ("/packages/0/transport/type", "pipe"),
        ("/packages/0/packageArguments/0/type", "named"),
        ("/packages/3/fileSha256", "ABC"),
    ] {
        let mut server = server.clone();
        *server.pointer_mut(pointer).unwrap() = wrong.into();
        assert!(!schema.is_valid(&server), "{pointer} may be {wrong:?}");
    }
}

/// The registry looks into each package for the server's name, and takes no other owner's.
#[test]
fn every_package_names_the_server() {
    let server = json(&packages().join("server.json"));
    let name = server["name"].as_str().unwrap();
    let npm = json(&packages().join("npm/holdpoint/package.json"));
    assert_eq!(npm["mcpName"], name);
    let image = fs::read_to_string(packages().join("oci/Containerfile")).unwrap();
    assert!(image.contains(&format!("io.modelcontextprotocol.server.name=\"{name}\"")));
    let python = fs::read_to_string(root().join("packaging/python/README.md")).unwrap();
    assert!(python.contains(&format!("<!-- mcp-name: {name} -->")));

    let kinds: Vec<_> = server["packages"].as_array().unwrap().iter().collect();
    for package in &kinds {
        let kind = package["registryType"].as_str().unwrap();
        // These two say their version in their address.
        let has_version = package.get("version").is_some();
        assert_eq!(has_version, ["npm", "pypi"].contains(&kind), "{package}");
        assert_eq!(
            package.get("fileSha256").is_some(),
            kind == "mcpb",
            "{package}"
        );
    }
    assert_eq!(kinds.len(), 4);
}

#[test]
fn the_list_of_crates_is_valid_and_whole() {
    let schemas = clients::tools().join("node_modules/@cyclonedx/cyclonedx-library/res/schema");
    let schema = json(&schemas.join("bom-1.6.SNAPSHOT.schema.json"));
    let mut registry = Registry::new();
    for name in ["spdx", "jsf-0.82"] {
        let file = format!("{name}.SNAPSHOT.schema.json");
        let uri = format!("http://cyclonedx.org/schema/{file}");
        registry = registry.add(uri, json(&schemas.join(file))).unwrap();
    }
    let registry = registry.prepare().unwrap();
    let schema = jsonschema::options()
        .with_registry(&registry)
        .build(&schema);
    let list = json(&packages().join("holdpoint-x86_64-unknown-linux-gnu.cdx.json"));
    check(&schema.unwrap(), &list);

    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let components = list["components"].as_array().unwrap();
    let mut known: BTreeSet<_> = components
        .iter()
        .map(|part| text(&part["bom-ref"]))
        .collect();
    assert_eq!(known.len(), components.len(), "each is named once");
    known.insert(text(&list["metadata"]["component"]["bom-ref"]));
    let used = list["dependencies"].as_array().unwrap();
    for part in used {
        for name in part["dependsOn"].as_array().unwrap() {
            assert!(known.contains(name.as_str().unwrap()), "{name}");
        }
    }
    // What everything is built of, and what no package has.
    let names: BTreeSet<_> = components.iter().map(|part| text(&part["name"])).collect();
    for name in ["holdpoint", "holdpoint-ask", "rmcp", "rusqlite", "tokio"] {
        assert!(names.contains(name), "{name}");
    }
    assert!(!names.contains("holdpoint-testkit") && !names.contains("proptest"));
    for part in components {
        let name = text(&part["name"]);
        assert!(
            !part["licenses"].as_array().unwrap().is_empty(),
            "{name} has no licence"
        );
        let is_own = name == "holdpoint" || name.starts_with("holdpoint-");
        assert_eq!(part.get("hashes").is_none(), is_own, "{name}");
    }
}

/// Of every crate in the binary that is not ours.
#[test]
fn every_licence_is_there() {
    let list = json(&packages().join("holdpoint-x86_64-unknown-linux-gnu.cdx.json"));
    let licences = packages().join("npm/cli-linux-x64/THIRD-PARTY-LICENSES.txt");
    let licences = fs::read_to_string(licences).unwrap();
    for part in list["components"].as_array().unwrap() {
        if part.get("hashes").is_none() {
            continue;
        }
        let [name, version] = ["name", "version"].map(|key| part[key].as_str().unwrap());
        assert!(
            licences.contains(&format!("{name} {version} ")),
            "{name} {version}"
        );
    }
}

#[test]
fn the_checksums_are_those_of_the_files() {
    let mut command = Command::new("sha256sum");
    command.args(["--check", "--strict", "--quiet", "sha256sum.txt"]);
    succeeded(command.current_dir(packages()));
    let listed = fs::read_to_string(packages().join("sha256sum.txt")).unwrap();
    for ending in [
        ".tar.gz",
        ".tgz",
        ".whl",
        ".deb",
        ".mcpb",
        ".cdx.json",
        "server.json",
        ".rb",
        ".sh",
    ] {
        assert!(
            listed.lines().any(|line| line.ends_with(ending)),
            "{ending}\n{listed}"
        );
    }
}

/// The context has what the image's definition copies, and everything that it copies is there.
#[test]
fn the_images_context_is_whole() {
    let context = packages().join("oci");
    let image = fs::read_to_string(context.join("Containerfile")).unwrap();
    assert!(!image.contains("{{"), "{image}");
    let mut copied = 0;
    for line in image.lines().filter_map(|line| line.strip_prefix("COPY ")) {
        let mut words = line.split(' ').filter(|word| !word.starts_with("--"));
        let source = words.next().unwrap().replace("${TARGETOS}", "linux");
        let source = source.replace("${TARGETARCH}", "amd64");
        assert!(context.join(&source).is_dir(), "{source}");
        copied += 1;
    }
    assert_eq!(copied, 4);
    let start = image
        .lines()
        .find_map(|line| line.strip_prefix("ENTRYPOINT [\"/"));
    let program = start.unwrap().trim_end_matches("\"]");
    assert!(context.join("linux-amd64").join(program).is_file());
}

#[test]
fn the_formula_is_ruby() {
    succeeded(
        Command::new("ruby")
            .arg("-c")
            .arg(packages().join("holdpoint.rb")),
    );
}
