//! The folder of scripts.

use super::Check;
use crate::config::Config;
use holdpoint_script::Loaded;

/// Checks every file of the folder; nothing where none is set.
pub fn checks(config: &Config) -> Vec<Check> {
    let name = "scripts";
    let Some(folder) = &config.scripts_dir else {
        return Vec::new();
    };
    let shown = folder.display();
    if !folder.is_dir() {
        let what = format!("the folder {shown} does not exist");
        return vec![Check::problem(name, what).fix("create it, or correct `scripts.dir`")];
    }
    let loaded = Loaded::read(folder, &Loaded::default());
    let mut found: Vec<_> = loaded
        .errors()
        .map(|error| Check::problem(name, error.to_string()).fix("fix the file"))
        .collect();
    let files = loaded.programs().count();
    let tools: usize = loaded
        .programs()
        .map(|program| program.methods().len())
        .sum();
    found.push(Check::ok(
        name,
        format!("{shown}: {files} files, {tools} tools"),
    ));
    found
}
