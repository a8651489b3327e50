//! What of a repository's config counts when it is only looked at: how its files are stored. What a
//! filter is, the person's own config says, and never the repository's.

use super::{Git, GitError};
use std::collections::BTreeMap;

/// What says how files are stored, and runs nothing.
const STORING: [&str; 9] = [
    "core.autocrlf",
    "core.eol",
    "core.filemode",
    "core.symlinks",
    "core.ignorecase",
    "core.precomposeunicode",
    "core.checkroundtripencoding",
    "core.excludesfile",
    "core.attributesfile",
];

/// What a filter's section may say that matters to what is stored.
const FILTER: [&str; 3] = ["clean", "process", "required"];

/// What of the config counts.
#[derive(Debug, Default)]
pub(super) struct Settings {
    /// What git is told.
    pub storing: Vec<(String, String)>,
    /// Every filter that git would run, and what the person's own config says of it.
    pub filters: BTreeMap<String, Vec<(String, String)>>,
}

impl Settings {
    pub async fn read(git: &Git) -> Result<Self, GitError> {
        let listed = git.ask(["config", "--list", "-z", "--show-scope", "--includes"]);
        Ok(Self::parse(&String::from_utf8_lossy(
            &listed.bytes().await?,
        )))
    }

    /// From a list of scopes and entries, where a later entry goes over an earlier one.
    fn parse(listed: &str) -> Self {
        let mut settings = Self::default();
        let mut parts = listed.split('\0');
        while let (Some(scope), Some(entry)) = (parts.next(), parts.next()) {
            // A key without a value is true.
            let (key, value) = entry.split_once('\n').unwrap_or((entry, "true"));
            let (key, value) = (key.to_owned(), value.to_owned());
            if STORING.contains(&key.as_str()) {
                settings.storing.push((key, value));
                continue;
            }
            let filter = key
                .strip_prefix("filter.")
                .and_then(|rest| rest.rsplit_once('.'));
            if let Some((name, what)) = filter
                && FILTER.contains(&what)
            {
                let own = settings.filters.entry(name.to_owned()).or_default();
                if matches!(scope, "system" | "global") {
                    own.push((key.clone(), value));
                }
            }
        }
        settings
    }

    /// What git is told of a filter that is allowed; none where the person's own config does not say
    /// what to run.
    pub fn filter(&self, name: &str) -> Option<&[(String, String)]> {
        let own = self.filters.get(name)?;
        let runs = |(key, _): &(String, String)| !key.ends_with(".required");
        own.iter().any(runs).then_some(own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_is_what_the_persons_own_config_says() {
        let listed = "global\0core.autocrlf\ninput\0global\0filter.lfs.clean\ngit-lfs clean\0\
                      local\0filter.lfs.clean\nevil\0local\0filter.x.y.process\nevil\0\
                      local\0core.fsmonitor\nevil\0local\0core.eol\ncrlf\0\
                      global\0filter.lfs.required\0local\0filter.x.smudge\nevil\0";
        let settings = Settings::parse(listed);
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        let storing = [pair("core.autocrlf", "input"), pair("core.eol", "crlf")];
        assert_eq!(settings.storing, storing);
        let own = [
            pair("filter.lfs.clean", "git-lfs clean"),
            pair("filter.lfs.required", "true"),
        ];
        assert_eq!(settings.filter("lfs"), Some(&own[..]));
        assert_eq!(settings.filters.keys().collect::<Vec<_>>(), ["lfs", "x.y"]);
        assert_eq!(settings.filter("x.y"), None);
        assert_eq!(settings.filter("x"), None);
    }
}
