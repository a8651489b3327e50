//! A folder of scripts.

mod watch;

use crate::{LoadError, Program, engine::ModuleInspector, program, source::script_stem};
use holdpoint_ask::Digest;
use holdpoint_workspace::{PathError, ReadError, Workspace};
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};
use tokio::{sync::watch::Receiver, task::JoinHandle};

/// A file: a program, or what is wrong with it.
pub type File = Result<Arc<Program>, LoadError>;

/// What a folder holds: each script as a program or as what is wrong with it.
#[derive(Debug, Clone, Default)]
pub struct Loaded {
    /// By the file's name, sorted.
    pub files: BTreeMap<String, File>,
}

impl Loaded {
    /// Loads a folder; what has not changed since `before` is taken from there. A folder that is not
    /// there is empty.
    pub fn read(folder: &Path, before: &Self) -> Self {
        let names = match names(folder) {
            Ok(names) => names,
            Err(error) => {
                if error.kind() != io::ErrorKind::NotFound {
                    tracing::warn!(folder = %folder.display(), %error, "cannot read the scripts' folder");
                }
                return Self::default();
            }
        };
        let mut inspector = ModuleInspector::default();
        let files = names.into_iter().map(|name| {
            let loaded = load(folder, &name, before.files.get(&name), &mut inspector);
            (name, loaded)
        });
        let mut loaded = Self {
            files: files.collect(),
        };
        loaded.refuse_clashes();
        loaded
    }

    /// The programs, in the order of their files.
    pub fn programs(&self) -> impl Iterator<Item = &Arc<Program>> {
        self.files.values().filter_map(|file| file.as_ref().ok())
    }

    /// What is wrong with the other files.
    pub fn errors(&self) -> impl Iterator<Item = &LoadError> {
        self.files.values().filter_map(|file| file.as_ref().err())
    }

    /// The program of this name: `kitchen-sink`.
    pub fn program(&self, name: &str) -> Option<&Arc<Program>> {
        self.programs().find(|program| program.name() == name)
    }

    /// The program and the name of the method that are this tool.
    pub fn tool(&self, tool: &str) -> Option<(&Arc<Program>, &str)> {
        self.programs().find_map(|program| {
            let mut methods = program.methods().iter();
            let method = methods.find(|method| method.tool == tool)?;
            Some((program, method.name.as_str()))
        })
    }

    /// `a.js` and `a.ts` have one name, and `a-b.js` and `a_b.js` can offer one tool; the first of them
    /// keeps it.
    fn refuse_clashes(&mut self) {
        let mut owners: BTreeMap<String, String> = BTreeMap::new();
        let mut stems: BTreeMap<String, String> = BTreeMap::new();
        for (name, file) in &mut self.files {
            let stem = script_stem(name).unwrap_or(name).to_owned();
            if let Some(other) = stems.get(&stem) {
                let message = format!("has the same name as {other} ({stem}): rename one of them");
                *file = Err(LoadError::new(name, message));
                continue;
            }
            stems.insert(stem, name.clone());
            let Ok(program) = file else { continue };
            let mut tools = program.methods().iter().map(|method| &method.tool);
            let clash = tools.find_map(|tool| Some((tool.clone(), owners.get(tool)?.clone())));
            if let Some((tool, other)) = clash {
                let message = format!("offers the tool {tool}, as {other} does: rename the file");
                *file = Err(LoadError::new(name, message));
                continue;
            }
            let tools = program.methods().iter().map(|method| method.tool.clone());
            owners.extend(tools.map(|tool| (tool, name.clone())));
        }
    }

    /// Whether the same files say the same.
    fn same(&self, other: &Self) -> bool {
        let same = |(one, two): (&File, &File)| match (one, two) {
            (Ok(one), Ok(two)) => one.digest() == two.digest(),
            (Err(one), Err(two)) => one == two,
            _ => false,
        };
        self.files.keys().eq(other.files.keys())
            && self.files.values().zip(other.files.values()).all(same)
    }
}

/// A folder of scripts that is kept up to date.
#[derive(Debug)]
pub struct Library {
    folder: PathBuf,
    loaded: Receiver<Arc<Loaded>>,
    task: JoinHandle<()>,
}

impl Library {
    /// Loads a folder, and from now on what changes in it. It may be missing, and come later.
    pub async fn open(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        let (loaded, task) = watch::keep(folder.clone()).await;
        Self {
            folder,
            loaded,
            task,
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What it holds now.
    pub fn now(&self) -> Arc<Loaded> {
        Arc::clone(&self.loaded.borrow())
    }

    /// A receiver that has each change.
    pub fn changes(&self) -> Receiver<Arc<Loaded>> {
        self.loaded.clone()
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The scripts of a folder, sorted; hidden files are left out.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if script_stem(&name).is_some() && !name.starts_with('.') {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

fn load(folder: &Path, name: &str, before: Option<&File>, inspector: &mut ModuleInspector) -> File {
    let path = folder.join(name);
    let source = program::source(name, read(folder, name)?)?;
    if let Some(Ok(program)) = before
        && program.digest() == Digest::hash_bytes(source.as_bytes())
    {
        return Ok(Arc::clone(program));
    }
    Program::from_source_with(&program::stem(&path), &path, &source, inspector).map(Arc::new)
}

/// Reads a file. A link may lead to another file of the folder, and nowhere else.
fn read(folder: &Path, name: &str) -> Result<Result<String, ReadError>, LoadError> {
    let fault = |message: &str| LoadError::new(name, message);
    let folder = match Workspace::open(folder) {
        Ok(folder) => folder,
        Err(error) => return Ok(Err(error.into())),
    };
    match folder.read_text(name, program::LARGEST) {
        Ok(text) => Ok(Ok(text)),
        Err(PathError::Read { source, .. }) => Ok(Err(source)),
        Err(PathError::LeadsOutside(_)) => {
            Err(fault("is a link that leads out of the scripts' folder"))
        }
        Err(PathError::NotAFile(_)) => Err(fault("is not a file")),
        Err(error) => Err(fault(&error.to_string())),
    }
}
