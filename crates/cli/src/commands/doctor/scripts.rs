//! The folder of scripts.

use super::Check;
use crate::config::Config;
use holdpoint_script::Loaded;

/// Every file that is no script is a problem of its own; nothing is said where there is no folder.
pub fn checks(config: &Config) -> Vec<Check> {
    let name = "scripts";
    let Some(folder) = &config.scripts_dir else {
        return Vec::new();
    };
    let shown = folder.display();
    if !folder.is_dir() {
        let what = format!("there is no folder {shown}");
        return vec![Check::problem(name, what).mend("make it, or correct `scripts.dir`")];
    }
    let loaded = Loaded::read(folder, &Loaded::default());
    let mut found: Vec<_> = loaded
        .errors()
        .map(|error| Check::problem(name, error.to_string()).mend("mend the file"))
        .collect();
    let files = loaded.programs().count();
    let tools: usize = loaded.programs().map(|it| it.methods().len()).sum();
    found.push(Check::ok(
        name,
        format!("{shown}: {files} files, {tools} tools"),
    ));
    found
}
