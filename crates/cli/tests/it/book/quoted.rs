//! Blocks of the book that claim to be configuration, rules, scripts, or calls of tools are read as such.

use crate::support::{new_home, stderr};
use docs::{Block, Page, chapters};
use holdpoint_policy::Rules;
use holdpoint_script::Program;
use serde_json::Value;
use std::{path::Path, str::FromStr};

const TOOLS: &str = include_str!("../snapshots/it__tools_list__tools.snap");

fn check(language: &str, read: impl Fn(&Page, &Block) -> Result<bool, String>) {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for page in chapters() {
        for block in page.blocks() {
            if !language
                .split(' ')
                .any(|language| block.language == language)
            {
                continue;
            }
            match read(&page, &block) {
                Ok(was_read) => count += usize::from(was_read),
                Err(what) => wrong.push(format!("{}:{}: {what}", page.name, block.line)),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 3, "{count} blocks of {language} were read");
}

#[test]
fn configuration_is_taken() {
    check("toml", |page, block| {
        let text = block.text.as_str();
        let is_for_cargo = text.contains("dependencies]\n");
        if is_for_cargo {
            return toml_edit::DocumentMut::from_str(text)
                .map(|_| true)
                .map_err(|error| error.to_string());
        }
        if page.name == "docs/rules.md" || text.starts_with("# rules.toml") {
            // Those of the page about rules are read by the policy's own tests.
            return match page.name.as_str() {
                "docs/rules.md" => Ok(false),
                _ => Rules::own(text, "rules.toml")
                    .map(|_| true)
                    .map_err(|error| error.to_string()),
            };
        }
        let is_profile = page.name == "docs/clients.md" && !text.starts_with('[');
        let home = new_home();
        home.config(&if is_profile {
            format!("[clients.somebody]\n{text}")
        } else {
            text.to_owned()
        });
        // It reads all of its settings, and ends with its input.
        let served = home.run(&["serve"]);
        if served.status.success() {
            Ok(true)
        } else {
            Err(stderr(&served))
        }
    });
}

#[test]
fn scripts_are_loaded() {
    check("js ts", |_, block| {
        let text = &block.text;
        // Nothing but a direction for an editor.
        if text.starts_with("///") {
            return Ok(false);
        }
        let name = format!("script.{}", block.language);
        let load = |source: &str| {
            let program = Program::from_source("script", Path::new(&name), source);
            program.map_err(|error| error.to_string())
        };
        // Some stand for a part of a file, of a class, or of a method.
        let class = |inside: &str| format!("export default class Whole {{\n{inside}\n}}\n");
        let wholes = [
            text.clone(),
            format!("{text}\n{}", class("*go() {}")),
            class(text),
            class(&format!("*go() {{\n{text}\n}}")),
        ];
        let is_whole = |source: &String| load(source).is_ok_and(|read| !read.methods().is_empty());
        if wholes.iter().any(is_whole) {
            return Ok(true);
        }
        load(text).map(|_| true)
    });
}

#[test]
fn json_is_json_and_calls_fit_their_tools() {
    let (_, tools) = TOOLS.split_once("expression: listed\n---\n").unwrap();
    let tools: Vec<Value> = serde_json::from_str(tools).unwrap();
    check("json", |_, block| {
        let lines = block.text.lines();
        let text: Vec<_> = lines.filter(|line| !line.starts_with("//")).collect();
        let text = text.join("\n");
        let (name, json) = text.split_at(text.find(['{', '[']).unwrap_or_default());
        let value: Value = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let name = name.trim();
        if name.is_empty() {
            return Ok(true);
        }
        let tool = tools.iter().find(|tool| tool["name"] == name);
        let Some(tool) = tool else {
            // A tool of the reader's own.
            return Ok(true);
        };
        let schema = jsonschema::validator_for(&tool["inputSchema"]).unwrap();
        schema
            .validate(&value)
            .map(|()| true)
            .map_err(|error| error.to_string())
    });
}
