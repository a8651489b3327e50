//! A script: one file, the methods that it offers, and what it may do.

use crate::{
    LoadError, Permissions,
    engine::{
        At, Body, Code, Failed, Limits, MethodLocation, Module, ModuleInspector, Running,
        ScriptError, Start, Turn, compile,
    },
    source::{Declared, Outline, Source, script_stem},
    tool_names::{ToolNameError, tool_name},
};
use holdpoint::FlowVersion;
use holdpoint_ask::{Digest, arguments::Arguments};
use holdpoint_workspace::{ReadError, read_text_file};
use serde_json::{Map, Value};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

/// The largest file that is taken for a script.
pub(crate) const LARGEST: u64 = 1 << 20;

/// A loaded script.
#[derive(Debug)]
pub struct Program {
    name: String,
    path: PathBuf,
    home: PathBuf,
    digest: Digest,
    source: Box<str>,
    /// Its source is kept beside the record.
    is_kept: AtomicBool,
    description: Option<String>,
    methods: Vec<Method>,
    permissions: Permissions,
    module: Arc<Module>,
    /// Made when it is first wanted, which is several times in each call.
    pub(crate) version: OnceLock<FlowVersion>,
}

/// A method: a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Method {
    /// Its name in the file: `askUserName`.
    pub name: String,
    /// Its name as a tool: `kitchen_sink_askUserName`.
    pub tool: String,
    /// What it does.
    pub description: Option<String>,
    /// What it takes, as its JSDoc and its types say.
    pub arguments: Arguments,
    /// The JSON Schema of its arguments.
    pub input: Map<String, Value>,
    /// The JSON Schema of what it returns, where its JSDoc says so.
    pub output: Option<Map<String, Value>>,
}

impl Program {
    /// Reads and loads a file.
    ///
    /// # Errors
    /// When it cannot be read or is not a script.
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        let read = read_text_file(path, LARGEST);
        let source = source(&file_name(path), read)?;
        Self::from_source(&stem(path), path, &source)
    }

    /// Loads a source as the file `path`, whose tools are named after `name`.
    ///
    /// # Errors
    /// When it is not a script.
    pub fn from_source(name: &str, path: &Path, source: &str) -> Result<Self, LoadError> {
        Self::with_limits(name, path, source, Limits::default())
    }

    /// Like [`Self::from_source`], with an inspector that serves several files.
    pub(crate) fn from_source_with(
        name: &str,
        path: &Path,
        source: &str,
        inspector: &mut ModuleInspector,
    ) -> Result<Self, LoadError> {
        Self::inspect(name, path, source, Limits::default(), inspector)
    }

    /// Like [`Self::from_source`], with limits of one's own.
    ///
    /// # Errors
    /// When it is not a script.
    pub fn with_limits(
        name: &str,
        path: &Path,
        source: &str,
        limits: Limits,
    ) -> Result<Self, LoadError> {
        Self::inspect(name, path, source, limits, &mut ModuleInspector::default())
    }

    fn inspect(
        name: &str,
        path: &Path,
        source: &str,
        limits: Limits,
        inspector: &mut ModuleInspector,
    ) -> Result<Self, LoadError> {
        let file = file_name(path);
        let Source {
            code: text,
            instance,
            outline,
            doubt,
        } = Source::read(&file, source)?;
        let place = |at: &At| At {
            column: at
                .line
                .zip(at.column)
                .map(|(line, column)| text.source_column(line, column)),
            ..at.clone()
        };
        let (code, function) = compile(&file, &text.text, instance.as_ref())
            .map_err(|wrong| LoadError::at(&place(&wrong.at), source, wrong.describe()))?;
        if let Some(doubt) = doubt {
            return Err(doubt);
        }
        let offered = inspector
            .inspect(&file, &code, limits)
            .map_err(|error| LoadError::from_script_error(&error, &place(error.at()), source))?;
        let permissions = match &offered.permissions {
            Some(declared) => Permissions::parse(declared)
                .map_err(|error| LoadError::new(&file, error.to_string()))?,
            None => Permissions::default(),
        };
        let named = named(name, offered.methods, &outline);
        let named = named.map_err(|error| LoadError::new(&file, error.to_string()))?;
        let owners = named.iter().map(|(_, location)| location.owner.as_deref());
        let description = outline.about(owners);
        let (methods, locations) = named
            .into_iter()
            .map(|(tool, location)| Method::new(location, tool, &outline))
            .unzip();
        Ok(Self {
            name: name.to_owned(),
            path: path.to_owned(),
            home: home(path),
            digest: Digest::hash_bytes(source.as_bytes()),
            source: source.into(),
            is_kept: AtomicBool::new(false),
            description,
            methods,
            permissions,
            module: Arc::new(Module::new(
                file,
                limits,
                function.unwrap_or(Code::Module(code)),
                locations,
            )),
            version: OnceLock::new(),
        })
    }

    /// Starts a method, and runs it until its first yield or its end.
    ///
    /// # Errors
    /// When there is no such method, or the script fails or passes a limit.
    pub async fn start(&self, start: Start) -> Result<(Running, Turn), Failed> {
        let mut methods = self.methods.iter();
        match methods.position(|method| method.name == start.method) {
            Some(method) => Running::start(&self.module, method, start).await,
            None => {
                let (at, method) = (At::file(self.file()), start.method);
                Err(ScriptError::NoMethod { at, method }.into())
            }
        }
    }

    /// The file's name without its ending: `kitchen-sink`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The file's name: `kitchen-sink.js`.
    pub fn file(&self) -> &str {
        &self.module.file
    }

    /// Where it was loaded from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The same, without links: what the file is known by from call to call.
    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    /// The digest of the file's bytes.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// The file's text.
    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    pub(crate) fn is_kept(&self) -> bool {
        self.is_kept.load(Ordering::Acquire)
    }

    pub(crate) fn set_kept(&self) {
        self.is_kept.store(true, Ordering::Release);
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
        &self.module.limits
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
    Err(LoadError::new(file, what))
}

pub(crate) fn stem(path: &Path) -> String {
    let file = file_name(path);
    match script_stem(&file) {
        Some(stem) => stem.to_owned(),
        None => path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
    }
}

fn home(path: &Path) -> PathBuf {
    // A file that was removed while a call of it waits is known as before.
    let in_its_folder = || {
        let (folder, name) = (path.parent()?, path.file_name()?);
        Some(folder.canonicalize().ok()?.join(name))
    };
    path.canonicalize()
        .ok()
        .or_else(in_its_folder)
        .or_else(|| std::path::absolute(path).ok())
        .unwrap_or_else(|| path.to_owned())
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Why a file's methods cannot be tools.
#[derive(Debug, thiserror::Error)]
enum MethodsError {
    #[error(transparent)]
    Name(#[from] ToolNameError),
    #[error("{one} and {other} would both be the tool {tool}: rename one")]
    SameName {
        one: String,
        other: String,
        tool: String,
    },
    #[error(
        "offers no tool: export a class with methods (async *name(args) {{ … }}), or functions"
    )]
    NoMethods,
}

/// The methods that are tools, with their names as tools.
fn named(
    file: &str,
    locations: Vec<MethodLocation>,
    outline: &Outline,
) -> Result<Vec<(String, MethodLocation)>, MethodsError> {
    let mut methods = Vec::new();
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    for location in locations {
        if !is_tool(&location, outline) {
            continue;
        }
        let tool = tool_name(file, &location.name)?;
        let from = match &location.owner {
            Some(owner) => format!("{owner}.{}", location.name),
            None => location.name.clone(),
        };
        if let Some(one) = known.insert(tool.clone(), from.clone()) {
            return Err(MethodsError::SameName {
                one,
                other: from,
                tool,
            });
        }
        methods.push((tool, location));
    }
    if methods.is_empty() {
        return Err(MethodsError::NoMethods);
    }
    Ok(methods)
}

/// The methods that a class has for whoever runs it, and not for whoever calls it.
const LIFECYCLE: [&str; 2] = ["onInitialize", "onShutdown"];

fn is_tool(location: &MethodLocation, outline: &Outline) -> bool {
    if location.name.starts_with('_') || LIFECYCLE.contains(&location.name.as_str()) {
        return false;
    }
    match outline.method(location) {
        Some(declared) => !declared.hidden,
        // What no class of the file declares comes from the engine's own, unless it is made to yield.
        None => location.body != Body::Plain,
    }
}

impl Method {
    fn new(
        mut location: MethodLocation,
        tool: String,
        outline: &Outline,
    ) -> (Self, MethodLocation) {
        let Declared {
            description,
            arguments,
            passing,
            returns,
            ..
        } = outline.method(&location).cloned().unwrap_or_default();
        location.passing = passing;
        if let Some(owner) = &location.owner {
            location.unset = outline.constructor(owner).to_vec();
        }
        let method = Self {
            name: location.name.clone(),
            tool,
            description,
            input: arguments.to_schema(),
            output: returns,
            arguments,
        };
        (method, location)
    }
}
