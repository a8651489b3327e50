//! The folder of scripts, in a build without them (the feature `scripts`).

use super::Check;
use crate::{built_without, config::Config};

/// Says that they cannot be used, where a folder is set.
pub fn checks(config: &Config) -> Vec<Check> {
    let set = config.scripts_dir.iter();
    let error = built_without::error("scripts", "scripts").to_string();
    set.map(|_| Check::problem("scripts", &error).fix("remove `scripts.dir`, or use a whole build"))
        .collect()
}
