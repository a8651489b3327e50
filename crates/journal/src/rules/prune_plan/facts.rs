//! What is remembered of each call and ask, and the parts of bodies that say it.

use super::super::chain::Link;
use holdpoint_ask::CallId;
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// An event, and how many bytes its body has.
pub(super) type Place = (u64, u64);

#[derive(Debug)]
pub(super) struct CallFacts {
    pub server: Option<String>,
    pub owner: Uuid,
    pub epoch: u64,
    pub finished: bool,
    /// Something of it is not old, or cannot be understood.
    pub late: bool,
    /// Its opening, its end, and who took it over: they stay as long as the call does.
    pub own: Vec<Place>,
    /// What else was noted of it.
    pub notes: Vec<Place>,
    pub steps: HashMap<(String, u32), Vec<Place>>,
    /// Those of its steps that hold the newest state of their name.
    pub states: HashSet<(String, u32)>,
}

impl CallFacts {
    pub fn new(by: CalledBy) -> Self {
        Self {
            server: by.origin.server,
            owner: by.owner,
            epoch: 1,
            finished: false,
            late: false,
            own: Vec::new(),
            notes: Vec::new(),
            steps: HashMap::new(),
            states: HashSet::new(),
        }
    }
}

#[derive(Debug)]
pub(super) struct AskFacts {
    pub call: Option<CallId>,
    /// The number of who asked.
    pub asker: usize,
    pub decided: Option<u64>,
    /// It gave a grant that is good.
    pub granted: bool,
    /// Something of it is not old, or cannot be understood.
    pub late: bool,
    pub events: Vec<Place>,
}

impl AskFacts {
    pub fn new(call: Option<CallId>, asker: usize) -> Self {
        Self {
            call,
            asker,
            decided: None,
            granted: false,
            late: false,
            events: Vec::new(),
        }
    }
}

#[derive(Deserialize)]
pub(super) struct CalledBy {
    owner: Uuid,
    origin: Server,
}

#[derive(Deserialize)]
struct Server {
    server: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct StepName {
    pub name: String,
    pub occurrence: u32,
}

/// Who sees each other's asks; see [`Origin::is_seen_by`](holdpoint_ask::Origin::is_seen_by).
#[derive(Debug, PartialEq, Eq, Hash, Deserialize)]
pub(super) struct AskedBy {
    principal: String,
    server: Option<String>,
    workspace: Option<String>,
}

pub(super) fn asker(link: &Link<'_>) -> Option<AskedBy> {
    #[derive(Deserialize)]
    struct Asked {
        origin: AskedBy,
    }
    let asked: Asked = serde_json::from_str(link.body).ok()?;
    Some(asked.origin)
}
