"""The list of what the binary is built of, as CycloneDX 1.6 writes it."""

import tomllib

import crates
from names import CRATE, LICENCE, NAME, REPOSITORY, ROOT, TITLE, VERSION


def for_target(target):
    found = crates.of_target(target)
    checksums = {
        (package["name"], package["version"]): package["checksum"]
        for package in tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
        if "checksum" in package
    }
    start = found[(CRATE, VERSION)]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": reference(start.key),
                "name": NAME,
                "version": VERSION,
                "description": f"{TITLE} for {target}",
                "licenses": [{"expression": LICENCE}],
                "externalReferences": [{"type": "vcs", "url": REPOSITORY}],
            }
        },
        "components": [component(crate, checksums) for crate in found.values() if crate is not start],
        "dependencies": [
            {"ref": reference(crate.key), "dependsOn": [reference(used) for used in sorted(crate.uses)]} for crate in found.values()
        ],
    }


def component(crate, checksums):
    made = {
        "type": "library",
        "bom-ref": reference(crate.key),
        "name": crate.name,
        "version": crate.version,
        "purl": reference(crate.key),
        # Old packages write "MIT/Apache-2.0" for an "or".
        "licenses": [{"expression": crate.licence.replace("/", " OR ")}] if crate.licence else [],
    }
    if crate.key in checksums:
        made["hashes"] = [{"alg": "SHA-256", "content": checksums[crate.key]}]
    if crate.repository:
        made["externalReferences"] = [{"type": "vcs", "url": crate.repository}]
    return made


def reference(key):
    name, version = key
    return f"pkg:cargo/{name}@{version.replace('+', '%2B')}"
