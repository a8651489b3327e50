//! Where plans are, and which one is meant.

use super::{code, status::Status};
use crate::{Flow, Which};
use holdpoint::tool::ToolError;
use holdpoint_ask::nearest::nearest;
use holdpoint_workspace::{InsidePath, Workspace};
use ignore::WalkBuilder;
use std::fs;

/// The most bytes of a plan's file that are read.
const MOST: u64 = 1024 * 1024;
/// How deep, and how far, other folders are searched for a plan.
const DEEP: usize = 6;
const FAR: usize = 20_000;

/// Where plans can be: a workspace, and the folder in it that plans are usually in.
#[derive(Debug, Clone)]
pub(crate) struct PlanRoot {
    pub workspace: Workspace,
    pub plans_dir: String,
}

/// A plan's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlanDir {
    pub code: String,
    /// The folder, from the workspace.
    pub path: InsidePath,
}

impl PlanRoot {
    pub fn from_call(flow: &Flow) -> Result<Self, ToolError> {
        Ok(Self {
            workspace: Workspace::open_recorded(flow.cx.workspace(), &flow.config.workspace)
                .map_err(|error| ToolError::File(error.to_string()))?,
            plans_dir: flow.config.plans_dir.clone(),
        })
    }

    /// A folder that plans are in, or are to be in.
    pub fn folder(&self, given: Option<&str>) -> Result<InsidePath, ToolError> {
        let refused = |what: String| ToolError::argument("directory", what);
        let folder = self
            .workspace
            .path(given.unwrap_or(&self.plans_dir))
            .and_then(InsidePath::not_hidden)
            .map_err(|error| refused(error.to_string()))?;
        if self.workspace.contains(folder.full()) {
            Ok(folder)
        } else {
            Err(refused(format!(
                "{:?} leads outside the workspace",
                folder.name()
            )))
        }
    }

    /// Where a plan of this code is to be; none where the code is not a name.
    pub fn place(&self, folder: &InsidePath, code: &str) -> Option<PlanDir> {
        Some(PlanDir {
            code: code.to_owned(),
            path: folder.join(code)?,
        })
    }

    /// The plan that is meant.
    pub fn find(&self, which: &Which) -> Result<PlanDir, ToolError> {
        match (which.code.as_deref(), which.path.as_deref()) {
            (None, None) => Err(self.unnamed()),
            (Some(code), None) => self.find_by_code(code),
            (code, Some(path)) => {
                let place = self.by_path(path)?;
                match code.filter(|code| code.trim() != place.code) {
                    Some(code) => Err(ToolError::argument(
                        "code",
                        format!("is {code:?}, but `path` names the plan {:?}", place.code),
                    )),
                    None => Ok(place),
                }
            }
        }
    }

    /// The plan of this code, wherever it is.
    pub fn find_by_code(&self, given: &str) -> Result<PlanDir, ToolError> {
        let code = code::checked(given)?;
        if let Some(place) = self.usual(&code) {
            return Ok(place);
        }
        let elsewhere = self.elsewhere(|place| place.code == code);
        match elsewhere.as_slice() {
            [place] => Ok(place.clone()),
            [] => Err(self.unknown(&code)),
            several => {
                let paths: Vec<_> = several.iter().map(|place| place.path.name()).collect();
                Err(ToolError::argument(
                    "code",
                    format!(
                        "several plans have it: {}; say which by `path`",
                        paths.join(", ")
                    ),
                ))
            }
        }
    }

    fn by_path(&self, given: &str) -> Result<PlanDir, ToolError> {
        let refused = |what: String| ToolError::argument("path", what);
        let path = self.workspace.path(given);
        let path = path.and_then(InsidePath::not_hidden);
        let mut path = path.map_err(|error| refused(error.to_string()))?;
        // A file of the plan means the plan.
        if path.full().is_file()
            && let Some(folder) = path.parent()
        {
            path = folder;
        }
        let code = path.last().to_owned();
        let place = PlanDir { code, path };
        if self.is_plan(&place) {
            Ok(place)
        } else {
            Err(refused(format!(
                "{given:?} is not a plan's folder: it has no STATUS.md; plan_list lists the plans"
            )))
        }
    }

    /// The plan of this code in the usual folder, if it is there.
    pub fn usual(&self, code: &str) -> Option<PlanDir> {
        let folder = self.folder(None).ok()?;
        let place = self.place(&folder, code)?;
        self.is_plan(&place).then_some(place)
    }

    /// The plans in a folder, by code.
    pub fn list(&self, folder: &InsidePath) -> Vec<PlanDir> {
        let entries = fs::read_dir(folder.full());
        let mut places: Vec<_> = entries
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| {
                let code = entry.file_name().into_string().ok()?;
                code::flaw(&code).is_none().then_some(())?;
                let place = self.place(folder, &code)?;
                // Only a link can lead out of a folder that is inside.
                let own = entry.file_type().is_ok_and(|kind| kind.is_dir());
                let plan = if own {
                    place.path.full().join("STATUS.md").is_file()
                } else {
                    self.is_plan(&place)
                };
                plan.then_some(place)
            })
            .collect();
        places.sort_by(|one, other| one.code.cmp(&other.code));
        places
    }

    /// Plans outside the usual folder. What git ignores, and what is hidden, is passed over.
    pub fn elsewhere(&self, wanted: impl Fn(&PlanDir) -> bool) -> Vec<PlanDir> {
        let usual = self.folder(None).ok();
        let usual = usual.as_ref().map(InsidePath::full);
        let mut found: Vec<_> = self
            .folders()
            .filter(|inside| inside.full().parent() != usual)
            .filter_map(|path| {
                let code = path.last().to_owned();
                let place = PlanDir { code, path };
                (code::flaw(&place.code).is_none() && wanted(&place)).then_some(place)
            })
            .filter(|place| self.is_plan(place))
            .collect();
        found.sort_by(|one, other| one.path.name().cmp(other.path.name()));
        found
    }

    /// The folders of the workspace, as far as they are searched.
    pub fn folders(&self) -> impl Iterator<Item = InsidePath> + '_ {
        WalkBuilder::new(self.workspace.root())
            .max_depth(Some(DEEP))
            .parents(false)
            .require_git(false)
            .filter_entry(|entry| entry.file_type().is_some_and(|kind| kind.is_dir()))
            .build()
            .flatten()
            .take(FAR)
            .filter_map(|entry| {
                let path = self.workspace.path_by_name(entry.path().to_str()?);
                path.ok().filter(|path| path.name() != ".")
            })
    }

    /// A state file in it, and all of it inside the workspace.
    pub fn is_plan(&self, place: &PlanDir) -> bool {
        place.path.full().join("STATUS.md").is_file() && self.workspace.contains(place.path.full())
    }

    /// A file of a plan. No link leads out of the workspace.
    pub fn read(&self, place: &PlanDir, file: &str) -> Result<String, ToolError> {
        let path = format!("{}/{file}", place.path.name());
        let text = self.workspace.read_text(&path, MOST);
        text.map_err(|error| ToolError::File(error.to_string()))
    }

    /// A plan's state, as its file says it.
    pub(super) fn status(&self, place: &PlanDir) -> Result<Status, ToolError> {
        let text = self.read(place, "STATUS.md")?;
        Status::read(&text).map_err(|flaw| ToolError::Refused {
            code: "CONTRADICTION".into(),
            what: format!("In {}: {flaw}", place.path.name()),
            next: "Nothing was changed: tell the person which line to fix, or fix it with them, then call again.".into(),
        })
    }

    fn unnamed(&self) -> ToolError {
        let known = self.codes();
        let what = if known.is_empty() {
            "is missing: there is no plan yet; plan_create makes one".into()
        } else {
            format!(
                "is missing: the plan's code, or its `path`; there are {}",
                some(&known)
            )
        };
        ToolError::argument("code", what)
    }

    fn unknown(&self, code: &str) -> ToolError {
        let known = self.codes();
        let what = match nearest(code, known.iter().map(String::as_str)) {
            Some(near) => format!("there is no plan {code:?}; did you mean {near:?}?"),
            None if known.is_empty() => {
                format!("there is no plan {code:?}, and there are no others yet")
            }
            None => format!("there is no plan {code:?}; there are {}", some(&known)),
        };
        ToolError::argument("code", what)
    }

    pub fn codes(&self) -> Vec<String> {
        let folder = self.folder(None);
        let places = folder.map(|folder| self.list(&folder)).unwrap_or_default();
        places.into_iter().map(|place| place.code).collect()
    }
}

/// The first few of many.
fn some(names: &[String]) -> String {
    const MOST: usize = 20;
    let shown = names
        .iter()
        .take(MOST)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    match names.len().saturating_sub(MOST) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
