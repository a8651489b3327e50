"""Plugins, marketplaces and install links: what clients read in this repository, and the tables of them in its pages.

A plugin brings the MCP server and nothing else. It registers no hook and allows no tool: a hook holds up everything that an
agent does, so `holdpoint init CLIENT --prompts` asks the person at a terminal first.
"""

import base64
import json
import tomllib
from urllib.parse import quote

from files import as_json, text
from names import AUTHOR, DESCRIPTION, KEYWORDS, LICENCE, NAME, REPOSITORY, ROOT, SLUG, TITLE, VERSION, filled

FOLDER = ROOT / "packaging/plugins"
CATEGORY = "developer-tools"
INSTALLED = f"{NAME}@{NAME}"

SERVER = {"command": "npx", "args": ["-y", NAME, "serve"]}
# Codex hands its servers few variables and gives them little time; `holdpoint init codex` sets the same.
CODEX_SERVER = {
    **SERVER,
    "env_vars": ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "HOLDPOINT_JOURNAL"],
    # The first start may have to download the program.
    "startup_timeout_sec": 60,
    "tool_timeout_sec": 3600,
}


def files():
    """All that clients read, by its path in the repository."""
    return [
        as_json(".claude-plugin/marketplace.json", claude_marketplace()),
        as_json("plugins/claude/.claude-plugin/plugin.json", claude_plugin()),
        as_json("plugins/claude/.mcp.json", servers(SERVER)),
        as_json(".agents/plugins/marketplace.json", codex_marketplace()),
        as_json("plugins/codex/.codex-plugin/plugin.json", codex_plugin()),
        as_json("plugins/codex/.mcp.json", servers(CODEX_SERVER)),
        as_json(".cursor-plugin/marketplace.json", cursor_marketplace()),
        as_json("plugins/cursor/.cursor-plugin/plugin.json", cursor_plugin()),
        as_json("plugins/cursor/mcp.json", servers(SERVER)),
        as_json("gemini-extension.json", gemini_extension()),
        *(text(f"plugins/{client}/README.md", filled(FOLDER / f"{client}.md")) for client in ("claude", "codex", "cursor")),
    ]


def servers(server):
    return {"mcpServers": {NAME: server}}


def described():
    return {"name": NAME, "version": VERSION, "description": DESCRIPTION}


def plugin(**more):
    return {
        **described(),
        "author": {"name": AUTHOR},
        "homepage": REPOSITORY,
        "repository": REPOSITORY,
        "license": LICENCE,
        "keywords": KEYWORDS,
        **more,
    }


def claude_marketplace():
    entry = {**described(), "source": "./plugins/claude", "category": CATEGORY}
    return {"name": NAME, "description": DESCRIPTION, "owner": {"name": AUTHOR}, "plugins": [entry]}


def claude_plugin():
    return plugin(displayName=TITLE, mcpServers="./.mcp.json")


def codex_marketplace():
    entry = {
        "name": NAME,
        "source": {"source": "local", "path": "./plugins/codex"},
        "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
        "category": "Productivity",
    }
    return {"name": NAME, "interface": {"displayName": TITLE}, "plugins": [entry]}


def codex_plugin():
    interface = {
        "displayName": TITLE,
        "shortDescription": DESCRIPTION,
        "longDescription": f"{DESCRIPTION}. What you decide is on the record before anything happens.",
        "developerName": AUTHOR,
        "category": "Productivity",
        "capabilities": ["Interactive"],
        "websiteURL": REPOSITORY,
    }
    return plugin(mcpServers="./.mcp.json", interface=interface)


def cursor_marketplace():
    entry = {"name": NAME, "source": "plugins/cursor", "description": DESCRIPTION}
    return {"name": NAME, "owner": {"name": AUTHOR}, "metadata": {"description": DESCRIPTION}, "plugins": [entry]}


def cursor_plugin():
    # Cursor keeps only the files that the manifest names.
    return plugin(displayName=TITLE, category=CATEGORY, mcpServers="./mcp.json")


def gemini_extension():
    return {**described(), **servers(SERVER)}


def vscode_link():
    """To VS Code by way of a web page, because GitHub shows no links with the scheme `vscode:`."""
    return f"https://insiders.vscode.dev/redirect/mcp/install?name={NAME}&config={quote(compact(SERVER), safe='')}"


def cursor_link():
    """To Cursor by way of a web page, for the same reason."""
    config = base64.b64encode(compact(SERVER).encode()).decode()
    return f"https://cursor.com/en/install-mcp?name={NAME}&config={quote(config, safe='')}"


def compact(value):
    return json.dumps(value, separators=(",", ":"))


# For clients that have one: what the button says, and where it leads from README.md.
BUTTONS = {
    "vscode": ("Install in VS Code", vscode_link()),
    "cursor": ("Install in Cursor", cursor_link()),
    "claude": ("Install the plugin", "docs/getting-started.md#install-as-a-plugin"),
    "codex": ("Install the plugin", "docs/getting-started.md#install-as-a-plugin"),
    "gemini": ("Install the extension", "docs/getting-started.md#install-as-a-plugin"),
    "qwen": ("Install the extension", "docs/getting-started.md#install-as-a-plugin"),
    "claude-desktop": ("Download the bundle", f"{REPOSITORY}/releases/latest"),
}


def known_clients():
    """The clients that `holdpoint init` sets up: what it calls each, and its title."""
    clients = tomllib.loads((ROOT / "crates/ask/src/clients.toml").read_text())["client"]
    return [(client["init"], client["title"]) for client in clients if "init" in client]


def clients_table():
    rows = ["| client | one line, in your project's folder | or |", "|---|---|---|"]
    for word, title in known_clients():
        place = title.lower().replace(" ", "-")
        says, target = BUTTONS.get(word, ("What you will see", f"docs/clients.md#{place}"))
        rows.append(f"| {title} | `{NAME} init {word}` | [{says}]({target}) |")
    return rows


def plugins_table():
    rows = ["| client | install | take out |", "|---|---|---|"]
    for title, install, remove in [
        (
            "Claude Code",
            f"`claude plugin marketplace add {SLUG}`, then `claude plugin install {INSTALLED}`",
            f"`claude plugin uninstall {INSTALLED}`",
        ),
        (
            "Codex",
            f"`codex plugin marketplace add {SLUG}`, then `codex plugin add {INSTALLED}`",
            f"`codex plugin remove {INSTALLED}`",
        ),
        ("Gemini CLI", f"`gemini extensions install {REPOSITORY}`", f"`gemini extensions uninstall {NAME}`"),
        ("Qwen Code", f"`qwen extensions install {REPOSITORY}`", f"`qwen extensions uninstall {NAME}`"),
        ("VS Code", f"[its link]({vscode_link()})", "`MCP: List Servers`, then *Uninstall*"),
        ("Cursor", f"[its link]({cursor_link()}); a team imports this repository as a marketplace", "its settings, under MCP"),
    ]:
        rows.append(f"| {title} | {install} | {remove} |")
    return rows


# The pages with a table that is made here, and the comment around it.
TABLES = {"README.md": ("clients", clients_table), "docs/getting-started.md": ("plugins", plugins_table)}


def page(path):
    """A page with its table as it should be."""
    marker, table = TABLES[path]
    begin, end = f"<!-- {marker}: made by tools/plugins -->\n", f"<!-- /{marker} -->\n"
    before, rest = (ROOT / path).read_text().split(begin)
    _, after = rest.split(end)
    return text(path, before + begin + "\n".join(table()) + "\n" + end + after)


def all_files():
    return [*files(), *(page(path) for path in TABLES)]


def stale():
    """What is not in the tree as it should be, by path."""
    wanted = {file.path: file.data for file in all_files()}
    # Whatever lies in `plugins/` is shipped to people.
    there = {path.relative_to(ROOT).as_posix() for path in (ROOT / "plugins").rglob("*") if path.is_file()}
    wrong = {path for path, data in wanted.items() if not (ROOT / path).is_file() or (ROOT / path).read_bytes() != data}
    return sorted(wrong), sorted(there - set(wanted))


def write():
    for file in all_files():
        path = ROOT / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.data)
