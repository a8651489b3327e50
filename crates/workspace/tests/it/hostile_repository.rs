//! Looking at a repository runs none of its code: one repository for each way in which git can be
//! made to run something, with a canary that must not appear.
#![cfg(unix)]

use crate::repository::{Repository, git};
use holdpoint_workspace::git::{Git, GitError};
use std::{fs, path::Path, process::Command};

/// A way to have code run: settings of the repository, and files in it. `CANARY` is the command.
struct Way {
    name: &'static str,
    config: &'static [(&'static str, &'static str)],
    files: &'static [(&'static str, &'static str)],
}

const WAYS: [Way; 20] = [
    Way {
        name: "clean filter",
        config: &[("filter.x.clean", "CANARY; cat")],
        files: &[(".gitattributes", "* filter=x\n")],
    },
    Way {
        name: "required clean filter in info/attributes",
        config: &[
            ("filter.x.clean", "CANARY; cat"),
            ("filter.x.required", "true"),
        ],
        files: &[(".git/info/attributes", "* filter=x\n")],
    },
    Way {
        name: "process filter",
        config: &[("filter.x.process", "CANARY")],
        files: &[(".gitattributes", "* filter=x\n")],
    },
    Way {
        name: "filter of an attributes file that the config names",
        config: &[
            ("filter.x.clean", "CANARY; cat"),
            ("core.attributesFile", "planted"),
        ],
        files: &[("planted", "* filter=x\n")],
    },
    Way {
        name: "hook after an index change",
        config: &[],
        files: &[(".git/hooks/post-index-change", "#!/bin/sh\nCANARY\n")],
    },
    Way {
        name: "hooks folder",
        config: &[("core.hooksPath", "hooks")],
        files: &[
            ("hooks/post-index-change", "#!/bin/sh\nCANARY\n"),
            ("hooks/reference-transaction", "#!/bin/sh\nCANARY\n"),
        ],
    },
    Way {
        name: "file system monitor",
        config: &[("core.fsmonitor", "CANARY; false")],
        files: &[],
    },
    Way {
        name: "text conversion",
        config: &[("diff.x.textconv", "CANARY; cat")],
        files: &[(".gitattributes", "* diff=x\n")],
    },
    Way {
        name: "external diff",
        config: &[("diff.external", "CANARY; true")],
        files: &[],
    },
    Way {
        name: "external diff of an attribute",
        config: &[("diff.x.command", "CANARY; true")],
        files: &[(".gitattributes", "* diff=x\n")],
    },
    Way {
        name: "lazy fetch by uploadpack",
        config: &[
            ("core.repositoryFormatVersion", "1"),
            ("extensions.partialClone", "origin"),
            ("remote.origin.promisor", "true"),
            ("remote.origin.url", "."),
            ("remote.origin.uploadpack", "CANARY; false"),
        ],
        files: &[],
    },
    Way {
        name: "lazy fetch by ssh command",
        config: &[
            ("core.repositoryFormatVersion", "1"),
            ("extensions.partialClone", "origin"),
            ("remote.origin.promisor", "true"),
            ("remote.origin.url", "ssh://localhost/x"),
            ("core.sshCommand", "CANARY; false"),
        ],
        files: &[],
    },
    Way {
        name: "lazy fetch by an ext remote",
        config: &[
            ("core.repositoryFormatVersion", "1"),
            ("extensions.partialClone", "origin"),
            ("remote.origin.promisor", "true"),
            ("remote.origin.url", "ext::CANARY"),
            ("protocol.ext.allow", "always"),
        ],
        files: &[],
    },
    Way {
        name: "included config",
        config: &[("include.path", "../planted")],
        files: &[
            ("planted", "[filter \"x\"]\n\tclean = \"CANARY; cat\"\n"),
            (".gitattributes", "* filter=x\n"),
        ],
    },
    Way {
        name: "conditionally included config",
        config: &[("includeIf.onbranch:main.path", "../planted")],
        files: &[
            (
                "planted",
                "[core]\n\tfsmonitor = \"CANARY; false\"\n\thooksPath = hooks\n[filter \"x\"]\n\tprocess = \"CANARY\"\n",
            ),
            (".gitattributes", "* filter=x\n"),
            ("hooks/post-index-change", "#!/bin/sh\nCANARY\n"),
        ],
    },
    Way {
        name: "config of the worktree",
        config: &[
            ("core.repositoryFormatVersion", "1"),
            ("extensions.worktreeConfig", "true"),
        ],
        files: &[
            (
                ".git/config.worktree",
                "[filter \"x\"]\n\tclean = \"CANARY; cat\"\n",
            ),
            (".gitattributes", "* filter=x\n"),
        ],
    },
    Way {
        name: "pager, editor, ssh and signature programs",
        config: &[
            ("core.pager", "CANARY"),
            ("pager.log", "CANARY"),
            ("pager.diff", "CANARY"),
            ("core.editor", "CANARY"),
            ("sequence.editor", "CANARY"),
            ("core.askPass", "CANARY"),
            ("credential.helper", "!CANARY"),
            ("log.showSignature", "true"),
            ("gpg.program", "hooks/run"),
            ("core.alternateRefsCommand", "CANARY"),
            ("uploadpack.packObjectsHook", "CANARY"),
            ("core.gitProxy", "hooks/run"),
            ("interactive.diffFilter", "CANARY"),
        ],
        files: &[("hooks/run", "#!/bin/sh\nCANARY\n")],
    },
    Way {
        name: "aliases of what is run",
        config: &[
            ("alias.rev-parse", "!CANARY"),
            ("alias.diff-tree", "!CANARY"),
            ("alias.ls-files", "!CANARY"),
            ("alias.add", "!CANARY"),
        ],
        files: &[],
    },
    Way {
        name: "work tree elsewhere",
        config: &[
            ("core.worktree", "../other"),
            ("filter.x.clean", "CANARY; cat"),
        ],
        files: &[
            ("other/a.txt", "two\n"),
            ("other/.gitattributes", "* filter=x\n"),
            (".gitattributes", "* filter=x\n"),
        ],
    },
    Way {
        name: "merge, rebase and submodule commands",
        config: &[
            ("submodule.dir.update", "!CANARY"),
            ("merge.x.driver", "CANARY"),
            ("trailer.x.command", "CANARY"),
            ("sendemail.sendmailCmd", "CANARY"),
            ("browser.x.cmd", "CANARY"),
            ("tar.x.command", "CANARY"),
            ("diff.x.xfuncname", "["),
        ],
        files: &[(".gitattributes", "* merge=x diff=x\n")],
    },
];

impl Way {
    /// Looks at such a repository in all ways; gives whether its code was run.
    async fn runs(&self) -> bool {
        let repository = Repository::new();
        let command = format!("touch {}", repository.canary().display());
        for (file, text) in self.files {
            let text = text.replace("CANARY", &command);
            match text.strip_prefix("#!/bin/sh\n") {
                Some(text) => repository.script(file, text),
                None => repository.write(file, text),
            }
        }
        if self.name.starts_with("lazy fetch") {
            // What is not there would be fetched.
            for id in ["HEAD:a.txt", "HEAD:dir"].map(|name| repository.git(&["rev-parse", name])) {
                let (folder, name) = id.split_at(2);
                let objects = repository.path().join(".git/objects");
                fs::remove_file(objects.join(folder).join(name)).unwrap();
            }
        }
        for (key, value) in self.config {
            let value = value.replace("CANARY", &command);
            let path = repository.path();
            let set = Command::new("git")
                .args(["config", "--file", ".git/config", key, &value])
                .current_dir(path)
                .status();
            assert!(set.unwrap().success(), "{key}");
        }
        let looked = look(&repository, &repository.path()).await;
        // What is missing is not fetched: git fails, and nothing is shown.
        let fetches = self.name.starts_with("lazy fetch");
        assert_eq!(looked.is_err(), fetches, "{}: {looked:?}", self.name);
        assert!(looked.is_ok_and(|changes| changes >= 3) || fetches);
        repository.canary().exists()
    }
}

/// Everything that only looks, with changed, new and deleted files; gives how many changes it sees.
async fn look(repository: &Repository, folder: &Path) -> Result<usize, GitError> {
    repository.write("a.txt", "two\n");
    repository.write("new.txt", "new\n");
    let _ = fs::remove_file(repository.path().join("b.txt"));
    let git = Git::find(folder).await?.unwrap();
    git.head().await?;
    let files = ["a.txt", "b.txt", "new.txt", "dir", "missing"].map(str::to_owned);
    let staged = git.staged(&files).await?;
    git.compare(&staged, &files).await?;
    Ok(staged.changes.len())
}

#[tokio::test]
async fn looking_at_a_repository_runs_none_of_its_code() {
    let mut run = Vec::new();
    for way in &WAYS {
        if way.runs().await {
            run.push(way.name);
        }
    }
    assert!(run.is_empty(), "code was run by: {run:?}");
}

/// Looking at the outer repository asks nothing of one that lies in it.
#[tokio::test]
async fn a_nested_repository_runs_nothing() {
    let repository = Repository::new();
    let nested = repository.path().join("nested");
    fs::create_dir(&nested).unwrap();
    git(&nested, &["init", "-q"]);
    for (key, value) in [("user.name", "x"), ("user.email", "x@example.org")] {
        git(&nested, &["config", key, value]);
    }
    fs::write(nested.join("x.txt"), "x\n").unwrap();
    git(&nested, &["add", "-A"]);
    git(&nested, &["commit", "-q", "-m", "nested"]);
    repository.commit("with a submodule");
    fs::write(nested.join("x.txt"), "changed\n").unwrap();
    fs::write(nested.join(".gitattributes"), "* filter=x\n").unwrap();
    let touch = format!("touch {}; false", repository.canary().display());
    git(&nested, &["config", "core.fsmonitor", &touch]);
    git(&nested, &["config", "filter.x.clean", &touch]);
    git(&nested, &["config", "filter.x.process", &touch]);
    look(&repository, &repository.path()).await.unwrap();
    let found = Git::find(&repository.path()).await.unwrap().unwrap();
    for file in ["nested", "nested/x.txt"] {
        let _ = found.staged(&[file.to_owned()]).await;
    }
    assert!(!repository.canary().exists());
}

/// A folder that looks like a bare repository is not one, wherever it lies.
#[tokio::test]
async fn a_bare_repository_hidden_in_a_folder_is_not_used() {
    let repository = Repository::new();
    let hidden = repository.path().join("dir");
    fs::create_dir_all(hidden.join("refs")).unwrap();
    fs::create_dir_all(hidden.join("objects")).unwrap();
    fs::write(hidden.join("HEAD"), "ref: refs/heads/hidden\n").unwrap();
    let touch = format!("touch {}; false", repository.canary().display());
    let config = format!(
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = \"{touch}\"\n[filter \"x\"]\n\tclean = \"{touch}\"\n"
    );
    fs::write(hidden.join("config"), config).unwrap();
    repository.write(".gitattributes", "* filter=x\n");
    look(&repository, &hidden).await.unwrap();
    assert!(!repository.canary().exists());
    let found = Git::find(&hidden).await.unwrap().unwrap();
    let staged = found.staged(&["c.txt".to_owned()]).await.unwrap();
    assert_eq!(staged.branch.as_deref(), Some("main"));
}

/// What is run in a process of its own, with variables that want something.
#[tokio::test]
#[ignore = "run by the test below"]
async fn looks_in_a_process_of_its_own() {
    let Some(folder) = std::env::var_os("LOOK_AT") else {
        return;
    };
    let found = Git::find(folder.as_ref()).await.unwrap().unwrap();
    let files = ["a.txt".to_owned()];
    let staged = found.staged(&files).await.unwrap();
    assert!(
        staged.diff().contains("-one") && staged.diff().contains("+two"),
        "{}",
        staged.diff()
    );
    let compared = found.compare(&staged, &files).await.unwrap().unwrap();
    assert_eq!(
        (compared.head.subject.as_str(), compared.is_same),
        ("begin", false)
    );
}

#[test]
fn variables_of_the_environment_run_and_fake_nothing() {
    let repository = Repository::new();
    repository.write("a.txt", "two\n");
    repository.write(".gitattributes", "* filter=x diff=x\n");
    let other = Repository::new();
    other.commit("other");
    let touch = format!("touch {}; false", repository.canary().display());
    let planted = other.path().join("planted");
    let text = format!(
        "[core]\n\tfsmonitor = \"{touch}\"\n[filter \"x\"]\n\tclean = \"{touch}\"\n[diff \"x\"]\n\tcommand = \"{touch}\"\n"
    );
    fs::write(&planted, text).unwrap();
    let planted = planted.to_str().unwrap();
    let git_dir = other.path().join(".git");
    let git_dir = git_dir.to_str().unwrap();
    let places = [
        ("GIT_DIR", git_dir),
        ("GIT_WORK_TREE", "/"),
        ("GIT_INDEX_FILE", "/dev/full"),
        ("GIT_OBJECT_DIRECTORY", git_dir),
        ("GIT_NAMESPACE", "x"),
        ("GIT_CEILING_DIRECTORIES", "/"),
        ("GIT_DEFAULT_HASH", "sha256"),
        ("GIT_SHALLOW_FILE", planted),
        ("GIT_GRAFT_FILE", planted),
        ("GIT_REPLACE_REF_BASE", "refs/heads/"),
        ("GIT_ATTR_SOURCE", "HEAD"),
    ];
    let config = [
        ("GIT_CONFIG_GLOBAL", planted),
        ("GIT_CONFIG_SYSTEM", planted),
        ("GIT_CONFIG", planted),
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "filter.x.clean"),
        ("GIT_CONFIG_VALUE_0", &touch),
        ("GIT_CONFIG_PARAMETERS", "'diff.external=touch canary'"),
    ];
    let programs = [
        ("GIT_EXTERNAL_DIFF", touch.as_str()),
        ("GIT_DIFF_OPTS", "-u0"),
        ("GIT_EXEC_PATH", "/nowhere"),
        ("GIT_GLOB_PATHSPECS", "1"),
        ("GIT_ICASE_PATHSPECS", "1"),
        ("GIT_TRACE", planted),
        ("GIT_TRACE2_EVENT", planted),
    ];
    for variables in [&places[..], &config, &programs] {
        let output = Command::new(std::env::current_exe().unwrap())
            .args([
                "--ignored",
                "--exact",
                "hostile_repository::looks_in_a_process_of_its_own",
            ])
            .env("LOOK_AT", repository.path())
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && said.contains("1 passed"),
            "{variables:?}: {said}"
        );
        assert!(!repository.canary().exists(), "{variables:?}");
    }
}
