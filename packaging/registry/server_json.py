"""`server.json`, by which the MCP registry knows where the packages are. It has no kind for cargo."""

from files import as_json, sha256
from mcpb.bundle import bundle_name
from names import DESCRIPTION, IMAGE, MCP_NAME, NAME, RELEASE, REPOSITORY, TITLE, VERSION
from output import Refused
from platforms import PLATFORMS

SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
LONGEST_DESCRIPTION = 100

STDIO = {"type": "stdio"}
SERVE = [{"type": "positional", "value": "serve"}]
# Without it the record would go with the container.
VOLUME = [{"type": "named", "name": "--volume", "value": f"{NAME}:/data"}]


def make(out):
    if len(DESCRIPTION) > LONGEST_DESCRIPTION:
        raise Refused(f"the registry takes a description of {LONGEST_DESCRIPTION} characters; shorten the one in Cargo.toml.")
    packages = [
        {"registryType": "npm", "identifier": NAME, "version": VERSION, "runtimeHint": "npx", "packageArguments": SERVE, "transport": STDIO},
        {"registryType": "pypi", "identifier": NAME, "version": VERSION, "runtimeHint": "uvx", "packageArguments": SERVE, "transport": STDIO},
        {
            "registryType": "oci",
            "identifier": f"{IMAGE}:{VERSION}",
            "runtimeHint": "docker",
            "runtimeArguments": VOLUME,
            "packageArguments": SERVE,
            "transport": STDIO,
        },
    ]
    for platform in PLATFORMS:
        bundle = out / bundle_name(platform)
        if bundle.is_file():
            packages.append(
                {"registryType": "mcpb", "identifier": f"{RELEASE}/{bundle.name}", "fileSha256": sha256(bundle), "transport": STDIO}
            )
    server = {
        "$schema": SCHEMA,
        "name": MCP_NAME,
        "title": TITLE,
        "description": DESCRIPTION,
        "repository": {"url": REPOSITORY, "source": "github"},
        "version": VERSION,
        "packages": packages,
    }
    (out / "server.json").write_bytes(as_json("", server).data)
