"""What everything is called. Name, version, words and addresses come from the root Cargo.toml, and are written nowhere else."""

import tomllib
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
_PACKAGE = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]

NAME = "holdpoint"
TITLE = "Holdpoint"
# The crate that has the binary.
CRATE = "holdpoint-cli"
VERSION = _PACKAGE["version"]
DESCRIPTION = _PACKAGE["description"]
LICENCE = _PACKAGE["license"]
AUTHOR = _PACKAGE["authors"][0]
REPOSITORY = _PACKAGE["repository"]
KEYWORDS = ["mcp", "elicitation", "human-in-the-loop", "approval", "agents"]

# `OWNER/NAME` of the repository.
SLUG = urlsplit(REPOSITORY).path.strip("/")
OWNER = SLUG.split("/")[0]
RELEASE = f"{REPOSITORY}/releases/download/v{VERSION}"

NPM_SCOPE = f"@{NAME}"
MCP_NAME = f"io.github.{OWNER}/{NAME}"
IMAGE = f"ghcr.io/{SLUG}"
LICENCE_FILES = ["LICENSE-APACHE", "LICENSE-MIT"]
THIRD_PARTY = "THIRD-PARTY-LICENSES.txt"


def filled(template):
    """A template's text with the names in it, which are written `{{NAME}}`."""
    text = template.read_text()
    for name, value in globals().items():
        if isinstance(value, str):
            text = text.replace("{{" + name + "}}", value)
    return text
