//! Which tools of which harness are which.

use crate::Harness;

/// A tool of a harness, by its names there.
pub(super) struct Row {
    names: &'static [&'static str],
    /// What the rules call it.
    pub tool: &'static str,
    /// Where its arguments are.
    pub shape: Shape,
}

/// Where the arguments of a tool are that the rules look at.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    /// As they are.
    Plain,
    /// A command, and the folder that it is run in.
    Shell { command: Keys, at: Keys },
    /// A path, and what else has another name.
    File {
        path: Keys,
        others: &'static [(&'static str, Keys)],
    },
    /// Several edits, under this key: each with its path, or all with one.
    Edits { list: &'static str, path: Keys },
    /// A search in the folder under one of these keys; in the folder of the call where there is none.
    Search(Keys),
    /// A patch that names its files.
    Patch,
    /// An editor whose `command` says what it does.
    Editor,
    /// An address, several, or words that hold them, under this key.
    Fetch(&'static str),
}

type Keys = &'static [&'static str];

const fn tool(names: Keys, tool: &'static str, shape: Shape) -> Row {
    Row { names, tool, shape }
}

const fn file(path: Keys) -> Shape {
    Shape::File { path, others: &[] }
}

const fn shell(command: Keys, at: Keys) -> Shape {
    Shape::Shell { command, at }
}

/// The row of this tool; none where it is not known.
pub(super) fn row(harness: Harness, name: &str) -> Option<&'static Row> {
    let rows: &[Row] = match harness {
        Harness::Claude => &CLAUDE,
        Harness::Codex => &CODEX,
        Harness::VsCode => &VSCODE,
        Harness::Copilot => &COPILOT,
        Harness::Cursor => &CURSOR,
        Harness::Gemini => &GEMINI,
        Harness::OpenCode => &OPENCODE,
    };
    let by_name = rows.iter().find(|row| row.names.contains(&name));
    // What the rules call it is known everywhere: bindings have that name.
    by_name.or_else(|| rows.iter().find(|row| row.tool == name))
}

static CLAUDE: [Row; 7] = [
    tool(&["Bash"], "Bash", shell(&["command"], &[])),
    tool(&["PowerShell"], "PowerShell", shell(&["command"], &[])),
    tool(&["Edit"], "Edit", file(&["file_path"])),
    tool(
        &["MultiEdit"],
        "Edit",
        Shape::Edits {
            list: "edits",
            path: &["file_path"],
        },
    ),
    tool(&["Write"], "Write", file(&["file_path"])),
    tool(&["Read"], "Read", file(&["file_path"])),
    tool(&["WebFetch"], "WebFetch", Shape::Fetch("url")),
];

static CODEX: [Row; 4] = [
    tool(
        &[
            "Bash",
            "shell",
            "local_shell",
            "exec_command",
            "shell_command",
        ],
        "Bash",
        shell(&["command", "cmd"], &["workdir"]),
    ),
    tool(&["apply_patch", "Edit", "Write"], "Edit", Shape::Patch),
    tool(&["spawn_agent"], "Agent", Shape::Plain),
    tool(&["web_search"], "WebSearch", Shape::Plain),
];

static VSCODE: [Row; 10] = [
    tool(
        &[
            "run_in_terminal",
            "runInTerminal",
            "runTerminalCommand",
            "Bash",
        ],
        "Bash",
        shell(&["command"], &[]),
    ),
    tool(&["create_file", "createFile", "Write"], "Write", WRITE),
    tool(
        &["replace_string_in_file", "replaceStringInFile", "Edit"],
        "Edit",
        EDIT,
    ),
    tool(
        &["multi_replace_string_in_file", "multiReplaceStringInFile"],
        "Edit",
        Shape::Edits {
            list: "replacements",
            path: &["filePath"],
        },
    ),
    tool(&["insert_edit_into_file", "insertEdit"], "Edit", EDIT),
    tool(&["apply_patch", "applyPatch"], "Edit", Shape::Patch),
    tool(&["read_file", "readFile", "Read"], "Read", EDIT),
    tool(
        &["fetch_webpage", "fetch", "WebFetch"],
        "WebFetch",
        Shape::Fetch("urls"),
    ),
    tool(&["runSubagent"], "Agent", Shape::Plain),
    tool(
        &["vscode_askQuestions", "askQuestions"],
        "AskUserQuestion",
        Shape::Plain,
    ),
];

/// By its own names, and by Claude Code's in events that are written as those.
static COPILOT: [Row; 14] = [
    tool(&["bash", "Bash"], "Bash", shell(&["command"], &[])),
    tool(&["powershell"], "PowerShell", shell(&["command"], &[])),
    tool(&["view", "Read"], "Read", EDIT),
    tool(&["create", "Write"], "Write", WRITE),
    tool(&["edit", "Edit"], "Edit", EDIT),
    tool(&["str_replace_editor"], "Edit", Shape::Editor),
    tool(&["apply_patch"], "Edit", Shape::Patch),
    tool(
        &["web_fetch", "fetch", "WebFetch"],
        "WebFetch",
        Shape::Fetch("url"),
    ),
    tool(&["web_search"], "WebSearch", Shape::Plain),
    tool(&["grep", "rg"], "Grep", Shape::Search(&["path"])),
    tool(&["glob"], "Glob", Shape::Search(&["path"])),
    tool(&["task"], "Agent", Shape::Plain),
    tool(&["ask_user"], "AskUserQuestion", Shape::Plain),
    tool(&["update_todo"], "TodoWrite", Shape::Plain),
];

static CURSOR: [Row; 9] = [
    tool(
        &["Shell", "run_terminal_cmd", "Bash"],
        "Bash",
        shell(&["command"], &["working_directory"]),
    ),
    tool(&["Read", "read_file"], "Read", CURSOR_FILE),
    tool(&["Write", "write_file"], "Write", CURSOR_FILE),
    tool(
        &["Edit", "StrReplace", "edit_file", "search_replace"],
        "Edit",
        CURSOR_FILE,
    ),
    tool(&["Delete", "delete_file"], "Delete", CURSOR_FILE),
    tool(&["WebFetch", "web_fetch"], "WebFetch", Shape::Fetch("url")),
    tool(&["WebSearch", "web_search"], "WebSearch", Shape::Plain),
    tool(
        &["Grep", "grep_search"],
        "Grep",
        Shape::Search(&["path", "target_directory"]),
    ),
    tool(&["Task"], "Agent", Shape::Plain),
];

static GEMINI: [Row; 9] = [
    tool(
        &["run_shell_command"],
        "Bash",
        shell(&["command"], &["dir_path"]),
    ),
    tool(&["write_file"], "Write", file(&["file_path"])),
    tool(&["replace"], "Edit", file(&["file_path"])),
    tool(
        &["read_file"],
        "Read",
        file(&["file_path", "absolute_path"]),
    ),
    tool(&["web_fetch"], "WebFetch", Shape::Fetch("prompt")),
    tool(&["google_web_search"], "WebSearch", Shape::Plain),
    tool(
        &["grep_search", "search_file_content"],
        "Grep",
        Shape::Search(&["dir_path", "path"]),
    ),
    tool(&["glob"], "Glob", Shape::Search(&["dir_path", "path"])),
    tool(&["ask_user"], "AskUserQuestion", Shape::Plain),
];

static OPENCODE: [Row; 12] = [
    tool(&["bash"], "Bash", shell(&["command"], &["workdir"])),
    tool(&["edit"], "Edit", OPENCODE_FILE),
    tool(
        &["multiedit"],
        "Edit",
        Shape::Edits {
            list: "edits",
            path: &["filePath"],
        },
    ),
    tool(&["write"], "Write", OPENCODE_FILE),
    tool(&["read"], "Read", OPENCODE_FILE),
    tool(&["apply_patch", "patch"], "Edit", Shape::Patch),
    tool(&["webfetch"], "WebFetch", Shape::Fetch("url")),
    tool(&["websearch"], "WebSearch", Shape::Plain),
    tool(&["grep"], "Grep", Shape::Search(&["path"])),
    tool(&["glob"], "Glob", Shape::Search(&["path"])),
    tool(&["task"], "Agent", Shape::Plain),
    tool(&["question"], "AskUserQuestion", Shape::Plain),
];

const EDIT: Shape = Shape::File {
    path: &["filePath", "path", "file_path"],
    others: &[
        ("old_string", &["oldString", "old_str", "old_string"]),
        ("new_string", &["newString", "new_str", "new_string"]),
    ],
};

const WRITE: Shape = Shape::File {
    path: &["filePath", "path", "file_path"],
    others: &[("content", &["file_text", "content"])],
};

const CURSOR_FILE: Shape = Shape::File {
    path: &["file_path", "target_file", "path"],
    others: &[("content", &["contents", "content"])],
};

const OPENCODE_FILE: Shape = Shape::File {
    path: &["filePath", "filepath"],
    others: &[
        ("old_string", &["oldString"]),
        ("new_string", &["newString"]),
    ],
};
