"""The npm packages: `holdpoint`, which starts a binary, and one package with the binary for each platform. No script runs at install."""

import json
from dataclasses import replace

from files import as_json, read, text, write_tar_gz, write_tree
from names import (
    AUTHOR, DESCRIPTION, KEYWORDS, LICENCE, LICENCE_FILES, MCP_NAME, NAME, NPM_SCOPE, REPOSITORY, ROOT, THIRD_PARTY, VERSION,
    filled,
)
from platforms import PLATFORMS

FOLDER = ROOT / "packaging/npm"


def package_name(platform):
    return f"{NPM_SCOPE}/cli-{platform.name}"


def described(name, description, **more):
    return {
        "name": name,
        "version": VERSION,
        "description": description,
        "license": LICENCE,
        "author": AUTHOR,
        "repository": {"type": "git", "url": f"git+{REPOSITORY}.git"},
        "homepage": REPOSITORY,
        "bugs": {"url": f"{REPOSITORY}/issues"},
        **more,
        "publishConfig": {"access": "public", "provenance": True},
    }


def main_package(out):
    packages = {platform.name: package_name(platform) for platform in PLATFORMS}
    launcher = (FOLDER / "launcher.cjs").read_text().replace("{{PACKAGES}}", json.dumps(packages, indent=2))
    manifest = described(
        NAME,
        DESCRIPTION,
        keywords=KEYWORDS,
        mcpName=MCP_NAME,
        bin={NAME: f"bin/{NAME}.cjs"},
        # npm adds a README by itself, and licences only where a file is called LICENSE.
        files=["bin", *LICENCE_FILES],
        engines={"node": ">=18"},
        optionalDependencies={name: VERSION for name in packages.values()},
    )
    files = [
        as_json("package.json", manifest),
        text(f"bin/{NAME}.cjs", launcher, executable=True),
        text("README.md", filled(FOLDER / "README.md")),
        *(read(name, ROOT / name) for name in LICENCE_FILES),
    ]
    pack(out, NAME, files)


def for_platform(contents, out):
    platform = contents.platform
    name = package_name(platform)
    manifest = described(
        name,
        f"The binary of {NAME} for {platform.name}",
        os=[platform.os],
        cpu=[platform.cpu],
        files=[platform.binary, *LICENCE_FILES, THIRD_PARTY],
        # Yarn leaves packages in their archives, from which nothing can be started.
        preferUnplugged=True,
    )
    files = [
        as_json("package.json", manifest),
        contents.executable(platform.binary),
        text("README.md", f"The binary of `{NAME}` for {platform.name}. Install `{NAME}` instead: it takes this package along.\n"),
        *contents.licences(),
    ]
    pack(out, f"cli-{platform.name}", files)


def pack(out, folder, files):
    """A folder to look into, and the archive that `npm publish` takes: as `npm pack` makes it, which tests compare."""
    write_tree(out / "npm" / folder, files)
    name = NAME if folder == NAME else f"{NAME}-{folder}"
    write_tar_gz(out / f"{name}-{VERSION}.tgz", [replace(file, path=f"package/{file.path}") for file in files])
