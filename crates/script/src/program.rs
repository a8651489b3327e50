//! A script: one file, the methods that it offers, and what it may do.

use crate::{
    LoadError, Permissions,
    doc_comments::Docs,
    engine::{Bytecode, Limits, MethodLocation, ModuleInspector, ONE_FILE, Pool, compile},
    tool_names,
};
use holdpoint_ask::{Digest, arguments::Arguments};
use holdpoint_workspace::{ReadError, read_text_file};
use serde_json::{Map, Value};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// The largest file that is taken for a script.
pub(crate) const LARGEST: u64 = 1 << 20;

/// A loaded script.
#[derive(Debug)]
pub struct Program {
    name: String,
    file: String,
    path: PathBuf,
    digest: Digest,
    description: Option<String>,
    methods: Vec<Method>,
    permissions: Permissions,
    limits: Limits,
    code: Bytecode,
    pool: Pool,
}

/// A generator method: a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Method {
    /// Its name in the file: `askUserName`.
    pub name: String,
    /// Its name as a tool: `kitchen_sink_askUserName`.
    pub tool: String,
    /// What it does.
    pub description: Option<String>,
    /// What it takes, as its JSDoc says.
    pub arguments: Arguments,
    /// The JSON Schema of its arguments.
    pub input: Map<String, Value>,
    /// The JSON Schema of what it returns, where its JSDoc says so.
    pub output: Option<Map<String, Value>>,
    pub(crate) location: MethodLocation,
}

impl Program {
    /// Reads and loads a file.
    ///
    /// # Errors
    /// When it cannot be read or is not a script.
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        let read = read_text_file(path, LARGEST);
        let source = source(&file_name(path), read)?;
        Self::of_source(&stem(path), path, &source)
    }

    /// Loads a source as the file `path`, whose tools are named after `name`.
    ///
    /// # Errors
    /// When it is not a script.
    pub fn of_source(name: &str, path: &Path, source: &str) -> Result<Self, LoadError> {
        Self::within(name, path, source, Limits::default())
    }

    /// Like [`Self::of_source`], with a place for several files to be looked at.
    pub(crate) fn inspected_by(
        name: &str,
        path: &Path,
        source: &str,
        inspector: &mut ModuleInspector,
    ) -> Result<Self, LoadError> {
        Self::of(name, path, source, Limits::default(), inspector)
    }

    /// Like [`Self::of_source`], with limits of one's own.
    ///
    /// # Errors
    /// When it is not a script.
    pub fn within(
        name: &str,
        path: &Path,
        source: &str,
        limits: Limits,
    ) -> Result<Self, LoadError> {
        Self::of(name, path, source, limits, &mut ModuleInspector::default())
    }

    fn of(
        name: &str,
        path: &Path,
        source: &str,
        limits: Limits,
        inspector: &mut ModuleInspector,
    ) -> Result<Self, LoadError> {
        let file = file_name(path);
        let docs = Docs::parse(source);
        if let Some(byte) = docs.import {
            return Err(LoadError::at_byte(&file, source, byte, ONE_FILE));
        }
        let code = compile(&file, source)
            .map_err(|wrong| LoadError::at(&wrong.at, source, wrong.told()))?;
        let offered = inspector
            .inspect(&file, &code, limits)
            .map_err(|error| LoadError::of_run(&error, source))?;
        let refused = |message: String| LoadError::of_file(&file, message);
        let permissions = match &offered.permissions {
            Some(declared) => Permissions::read(declared).map_err(refused)?,
            None => Permissions::default(),
        };
        let methods = methods(name, offered.methods, &docs).map_err(refused)?;
        let owners = methods
            .iter()
            .map(|method| method.location.owner.as_deref());
        Ok(Self {
            name: name.to_owned(),
            path: path.to_owned(),
            digest: Digest::hash_bytes(source.as_bytes()),
            description: docs.about(owners).and_then(|doc| doc.description),
            methods,
            permissions,
            limits,
            code,
            pool: Pool::default(),
            file,
        })
    }

    /// The file's name without its ending: `kitchen-sink`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The file's name: `kitchen-sink.js`.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Where it was loaded from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The digest of the file's bytes.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// What the file is for, where its JSDoc says so.
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// What it offers, in the order of the file.
    pub fn methods(&self) -> &[Method] {
        &self.methods
    }

    /// The method of this name.
    pub fn method(&self, name: &str) -> Option<&Method> {
        self.methods.iter().find(|method| method.name == name)
    }

    /// What it declares for its effects.
    pub fn permissions(&self) -> &Permissions {
        &self.permissions
    }

    /// What a call of it may use.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    pub(crate) fn code(&self) -> &Bytecode {
        &self.code
    }

    pub(crate) fn pool(&self) -> &Pool {
        &self.pool
    }
}

/// A script's text, as it was read; or what is wrong with the file of this name.
pub(crate) fn source(file: &str, read: Result<String, ReadError>) -> Result<String, LoadError> {
    let what = match read {
        Ok(source) => return Ok(source),
        Err(ReadError::TooLarge { most, .. }) => {
            format!("is larger than {} MB, too large for a script", most >> 20)
        }
        Err(ReadError::NotText) => "is not UTF-8 text".into(),
        Err(error) => format!("cannot be read: {error}"),
    };
    Err(LoadError::of_file(file, what))
}

pub(crate) fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

fn methods(file: &str, locations: Vec<MethodLocation>, docs: &Docs) -> Result<Vec<Method>, String> {
    let mut methods = Vec::new();
    let mut named: BTreeMap<String, String> = BTreeMap::new();
    for location in locations {
        if location.name.starts_with('_') {
            continue;
        }
        let tool = tool_names::tool(file, &location.name)?;
        let from = match &location.owner {
            Some(owner) => format!("{owner}.{}", location.name),
            None => location.name.clone(),
        };
        if let Some(other) = named.insert(tool.clone(), from.clone()) {
            return Err(format!(
                "{other} and {from} would both be the tool {tool}: rename one"
            ));
        }
        methods.push(method(location, tool, docs));
    }
    if methods.is_empty() {
        return Err(
            "offers no tool: export a class with generator methods (async *name(args) { … }), or generator functions"
                .into(),
        );
    }
    Ok(methods)
}

fn method(location: MethodLocation, tool: String, docs: &Docs) -> Method {
    let doc = docs.method(&location).unwrap_or_default();
    Method {
        name: location.name.clone(),
        tool,
        input: doc.arguments.to_schema(),
        output: doc.returns,
        description: doc.description,
        arguments: doc.arguments,
        location,
    }
}
