//! Files before and after.

/// What a file is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    Json,
    /// JSON in which the command is a list.
    Local,
    Toml,
}

/// A file, what is asked for, and what is there then.
pub struct Case {
    pub name: &'static str,
    pub syntax: Syntax,
    /// None: there is no file.
    pub before: Option<&'static str>,
    pub args: &'static [&'static str],
    pub after: &'static str,
    /// A part of what the person is told.
    pub told: &'static str,
}

const JSON: Case = Case {
    name: "",
    syntax: Syntax::Json,
    before: None,
    args: &[],
    after: "",
    told: "Registered Holdpoint with ",
};

const LOCAL: Case = Case {
    syntax: Syntax::Local,
    ..JSON
};

const TOML: Case = Case {
    syntax: Syntax::Toml,
    ..JSON
};

const NEW: &str = r#"{
  "KEY": {
    ENTRY
  }
}
"#;

/// The entry as `TABLE` in a template, there without the end of its last line.
pub const TABLE: &str = r#"[mcp_servers.holdpoint]
command = "holdpoint"
args = ["serve"]
# A person needs minutes to answer; Codex stops a call after one unless told otherwise.
tool_timeout_sec = 3600
"#;

pub const WORKING: &[Case] = &[
    Case {
        name: "no file",
        after: NEW,
        ..JSON
    },
    Case {
        name: "empty file",
        before: Some(""),
        after: NEW,
        ..JSON
    },
    Case {
        name: "empty object",
        before: Some("{}\n"),
        after: NEW,
        ..JSON
    },
    Case {
        name: "comments and trailing commas",
        before: Some(
            r#"// whose this is
{
  // servers, by name
  "KEY": {
    "other": { "command": "x", "args": ["--y",] }, // why
    /* "off": {}, */
  },
  "inputs": [ ],
}
"#,
        ),
        after: r#"// whose this is
{
  // servers, by name
  "KEY": {
    "other": { "command": "x", "args": ["--y",] }, // why
    COMMAS,
    /* "off": {}, */
  },
  "inputs": [ ],
}
"#,
        ..JSON
    },
    Case {
        name: "other servers, tabs, no last newline",
        before: Some(
            "{\n\t\"unknown\": 1.50,\n\t\"KEY\": {\n\t\t\"é\": {\"url\":\"https:\\/\\/x\"}\n\t}\n}",
        ),
        after: "{\n\t\"unknown\": 1.50,\n\t\"KEY\": {\n\t\t\"é\": {\"url\":\"https:\\/\\/x\"},\n\t\tENTRY\n\t}\n}",
        ..JSON
    },
    Case {
        name: "no servers yet",
        before: Some("{\n  \"unknown\": null // kept\n}\n"),
        after: r#"{
  "unknown": null, // kept
  "KEY": {
    ENTRY
  }
}
"#,
        ..JSON
    },
    Case {
        name: "an entry of another program",
        before: Some(
            r#"{
  "KEY": {
    "holdpoint": {
      "command": "node", // old
      "args": ["/opt/old.js"],
      "env": { "RUST_LOG": "debug" } // mine
    }
  }
}
"#,
        ),
        after: r#"{
  "KEY": {
    "holdpoint": {
      "command": "BINARY", // old
      "args": ["serve"FOLDER],
      "env": { "RUST_LOG": "debug" } // mine
    }
  }
}
"#,
        told: "; kept your env.",
        ..JSON
    },
    Case {
        name: "an entry without args",
        before: Some(
            "{\n  \"KEY\": {\n    \"holdpoint\": {\n      \"command\": \"holdpoint\"\n    }\n  }\n}\n",
        ),
        after: "{\n  \"KEY\": {\n    \"holdpoint\": {\n      \"command\": \"BINARY\",\n      \"args\": [\"serve\"FOLDER]\n    }\n  }\n}\n",
        told: "Set the command and args of `holdpoint` in ",
        ..JSON
    },
    Case {
        name: "an entry with flags of the person's",
        before: Some(
            r#"{ "KEY": { "holdpoint": { "command": "holdpoint", "args": [ "serve" , "--journal", "memory:"FOLDER ] } } }"#,
        ),
        after: r#"{ "KEY": { "holdpoint": { "command": "holdpoint", "args": [ "serve" , "--journal", "memory:"FOLDER ] } } }"#,
        told: "has Holdpoint already, with `--journal memory:",
        ..JSON
    },
    Case {
        name: "fewer tools than before",
        before: Some(
            r#"{ "KEY": { "holdpoint": { "command": "holdpoint", "args": ["serve", "--tools=orchestra", "--journal", "memory:"FOLDER], "env": {} } } }"#,
        ),
        args: &["--tools", "elicit"],
        after: r#"{ "KEY": { "holdpoint": { "command": "holdpoint", "args": ["serve", "--journal", "memory:", "--tools", "elicit"FOLDER], "env": {} } } }"#,
        told: "; kept your env.",
        ..JSON
    },
    Case {
        name: "an entry of another program",
        before: Some(
            r#"{ "KEY": { "holdpoint": { "type": "local", "command": ["node", "x.js"], /* why */ "enabled": false } } }"#,
        ),
        after: r#"{ "KEY": { "holdpoint": { "type": "local", "command": ["holdpoint", "serve"], /* why */ "enabled": false } } }"#,
        told: "; kept your enabled.",
        ..LOCAL
    },
    Case {
        name: "an entry with flags of the person's",
        before: Some(
            r#"{ "KEY": { "holdpoint": { "command": [ "holdpoint" , "serve", "--journal", "memory:" ] } } }"#,
        ),
        after: r#"{ "KEY": { "holdpoint": { "command": [ "holdpoint" , "serve", "--journal", "memory:" ] } } }"#,
        told: "has Holdpoint already, with `--journal memory:`; nothing was changed.",
        ..LOCAL
    },
    Case {
        name: "fewer tools than before",
        before: Some(r#"{ "KEY": { "holdpoint": { "command": ["holdpoint", "serve"] } } }"#),
        args: &["--tools", "elicit"],
        after: r#"{ "KEY": { "holdpoint": { "command": ["holdpoint", "serve", "--tools", "elicit"] } } }"#,
        told: "Set the command and args of `holdpoint` in ",
        ..LOCAL
    },
    Case {
        name: "no file",
        after: TABLE,
        ..TOML
    },
    Case {
        name: "empty file",
        before: Some(""),
        after: TABLE,
        ..TOML
    },
    Case {
        name: "comments and other servers",
        before: Some(
            "# mine\nmodel = 'x'   # odd  spacing\n\n[mcp_servers.other]\ncommand = \"y\"\nargs = [\n  \"a\", # why\n]\n\n[profiles.\"é\"]\nn = 1_000\n",
        ),
        after: "# mine\nmodel = 'x'   # odd  spacing\n\n[mcp_servers.other]\ncommand = \"y\"\nargs = [\n  \"a\", # why\n]\n\n[profiles.\"é\"]\nn = 1_000\n\nTABLE\n",
        ..TOML
    },
    Case {
        name: "no last newline",
        before: Some("model = 'x' # kept"),
        after: "model = 'x' # kept\n\nTABLE",
        ..TOML
    },
    Case {
        name: "dotted keys",
        before: Some("mcp_servers.other.command = 'x'\n"),
        after: "mcp_servers.other.command = 'x'\n\nTABLE\n",
        ..TOML
    },
    Case {
        name: "inline servers",
        before: Some("mcp_servers = { other = { command = 'x' } } # kept\nmodel = 'y'\n"),
        after: "mcp_servers = { other = { command = 'x' }, holdpoint = { command = \"holdpoint\", args = [\"serve\"], tool_timeout_sec = 3600 } } # kept\nmodel = 'y'\n",
        ..TOML
    },
    Case {
        name: "no inline servers yet",
        before: Some("mcp_servers = {}\n"),
        after: "mcp_servers = { holdpoint = { command = \"holdpoint\", args = [\"serve\"], tool_timeout_sec = 3600 } }\n",
        ..TOML
    },
    Case {
        name: "an entry of another program",
        before: Some(
            "[mcp_servers.holdpoint]\nenabled = true\ncommand = 'node' # old\nargs = ['x.js',\n  'y']\n\n[mcp_servers.holdpoint.env]\nRUST_LOG = 'debug'\n",
        ),
        after: "[mcp_servers.holdpoint]\nenabled = true\ncommand = \"holdpoint\" # old\nargs = [\"serve\"]\n\n[mcp_servers.holdpoint.env]\nRUST_LOG = 'debug'\n",
        told: "; kept your enabled, env.",
        ..TOML
    },
    Case {
        name: "an entry without args",
        before: Some(
            "[mcp_servers.holdpoint]\ncommand = 'holdpoint' # mine\ntool_timeout_sec = 5\n",
        ),
        after: "[mcp_servers.holdpoint]\ncommand = 'holdpoint' # mine\nargs = [\"serve\"]\ntool_timeout_sec = 5\n",
        told: "; kept your tool_timeout_sec.",
        ..TOML
    },
    Case {
        name: "nothing after the command",
        before: Some("[mcp_servers.holdpoint]\ncommand = 'x' # mine"),
        after: "[mcp_servers.holdpoint]\ncommand = \"holdpoint\" # mine\nargs = [\"serve\"]",
        told: "Set the command and args of `holdpoint` in ",
        ..TOML
    },
    Case {
        name: "an inline entry without args",
        before: Some("[mcp_servers]\nholdpoint = { command = 'x', enabled = true }\n"),
        after: "[mcp_servers]\nholdpoint = { command = \"holdpoint\", args = [\"serve\"], enabled = true }\n",
        told: "; kept your enabled.",
        ..TOML
    },
    Case {
        name: "fewer tools than before",
        before: Some(
            "[mcp_servers.holdpoint]\ncommand = 'holdpoint'\nargs = ['serve', '--journal', 'memory:']\n",
        ),
        args: &["--tools", "elicit, orchestra"],
        after: "[mcp_servers.holdpoint]\ncommand = 'holdpoint'\nargs = [\"serve\", \"--journal\", \"memory:\", \"--tools\", \"elicit,orchestra\"]\n",
        told: "Set the command and args of `holdpoint` in ",
        ..TOML
    },
];

/// Files that are left alone; `told` says why.
pub const BROKEN: &[Case] = &[
    Case {
        name: "a missing comma",
        before: Some("{\n  \"a\": 1\n  \"KEY\": {}\n}\n"),
        told: "line 2, column 9: Expected comma",
        ..JSON
    },
    Case {
        name: "cut short",
        before: Some("{\n  \"KEY\": {\n"),
        told: "line 2",
        ..JSON
    },
    Case {
        name: "not an object",
        before: Some("\n[]\n"),
        told: "line 2: the file is not a JSON object",
        ..JSON
    },
    Case {
        name: "servers are not an object",
        before: Some("{\n  \"a\": [\n  ],\n  \"KEY\": []\n}\n"),
        told: "line 4: `KEY` is not an object",
        ..JSON
    },
    Case {
        name: "the entry is not an object",
        before: Some("{\n  \"KEY\": {\n    \"holdpoint\": \"x\"\n  }\n}\n"),
        told: "line 3: `holdpoint` is not an object",
        ..JSON
    },
    Case {
        name: "the entry is there twice",
        before: Some("{ \"KEY\": {\n  \"holdpoint\": {},\n  \"holdpoint\": {}\n} }"),
        told: "line 3: `holdpoint` is there twice",
        ..JSON
    },
    Case {
        name: "the entry is a server elsewhere",
        before: Some("{ \"KEY\": { \"holdpoint\": { \"url\": \"http://x/mcp\" } } }"),
        told: "its entry `holdpoint` is a server at http://x/mcp",
        ..JSON
    },
    Case {
        name: "a missing value",
        before: Some("a = 1\nb =\n"),
        told: "line 2: ",
        ..TOML
    },
    Case {
        name: "a table twice",
        before: Some("[a]\nx = 1\n[a]\ny = 1\n"),
        told: "line 3: ",
        ..TOML
    },
    Case {
        name: "servers are no table",
        before: Some("# one\nmcp_servers = 'x'\n"),
        told: "line 2: `mcp_servers` is not a table",
        ..TOML
    },
    Case {
        name: "the entry is a server elsewhere",
        before: Some("[mcp_servers.holdpoint]\nurl = 'http://x/mcp'\n"),
        told: "its entry `holdpoint` is a server at http://x/mcp",
        ..TOML
    },
    Case {
        name: "no command",
        before: Some("\n[mcp_servers.holdpoint]\nenabled = false\n"),
        told: "line 2: `mcp_servers.holdpoint` has no command",
        ..TOML
    },
];
