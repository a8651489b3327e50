"""The bundle that desktop clients install by a click: a zip with a manifest and the binary. One for each platform, since a
manifest knows systems and not processors.
"""

from files import as_json, write_zip
from names import AUTHOR, DESCRIPTION, KEYWORDS, LICENCE, NAME, REPOSITORY, TITLE, VERSION


def bundle_name(platform):
    return f"{NAME}-{platform.name}.mcpb"


def make(contents, out):
    binary = f"server/{contents.platform.binary}"
    files = [as_json("manifest.json", manifest(contents.platform, binary)), contents.executable(binary), *contents.licences()]
    write_zip(out / bundle_name(contents.platform), files)


def manifest(platform, binary):
    return {
        "manifest_version": "0.3",
        "name": NAME,
        "display_name": TITLE,
        "version": VERSION,
        "description": DESCRIPTION,
        "author": {"name": AUTHOR, "url": REPOSITORY},
        "repository": {"type": "git", "url": REPOSITORY},
        "homepage": REPOSITORY,
        "support": f"{REPOSITORY}/issues",
        "license": LICENCE,
        "keywords": KEYWORDS,
        "server": {
            "type": "binary",
            "entry_point": binary,
            "mcp_config": {
                "command": "${__dirname}/" + binary,
                "args": ["serve", "--workspace", "${user_config.workspace}"],
                "env": {},
            },
        },
        # Which tools there are is said by the server: it depends on the person's own file.
        "tools_generated": True,
        "prompts_generated": True,
        "compatibility": {"platforms": [platform.os]},
        "user_config": {
            "workspace": {
                "type": "directory",
                "title": "Workspace",
                "description": "The folder that the agent works in: its plans and files lie there.",
                "required": True,
            }
        },
    }
