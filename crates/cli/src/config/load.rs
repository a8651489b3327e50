//! One source over the other, and what each may change.

use super::{
    Config,
    error::{ConfigError, Place},
    key::{Key, Kind, Layer, Rule},
    keys::nearest,
    sources::{Entry, What},
    value::Written,
};
use crate::tool_set::{AWAIT_ANSWER, PERMISSION, ToolSelection};
use holdpoint::ClientProfile;
use serde_json::Value as Json;
use std::time::Duration;

/// The sources so far.
#[derive(Default, Clone)]
pub struct Layers {
    config: Config,
    /// What the user's own file says, or the defaults; tightened by the one that a variable names.
    own: Config,
}

impl Layers {
    /// Puts a source over those before it. The user's own file comes first.
    pub fn add(&mut self, layer: Layer, entries: Vec<Entry>) -> Result<(), ConfigError> {
        for Entry { what, value, place } in entries {
            match what {
                What::Key(key) => self.config = self.with(key, &value, layer, place)?,
                What::Client(_) if layer != Layer::User => {
                    let key = "[clients.NAME]".to_owned();
                    return Err(match layer {
                        Layer::Workspace => ConfigError::NotInWorkspace { place, key },
                        _ => ConfigError::OnlyInFile { place, key },
                    });
                }
                What::Client(name) => {
                    let profile = parse_profile(&name, &value, place)?;
                    self.config.clients.insert(name, profile);
                }
            }
        }
        if matches!(layer, Layer::User | Layer::Pointed) {
            self.own = self.config.clone();
        }
        Ok(())
    }

    /// What all of them say together.
    pub fn finish(self) -> Config {
        self.config
    }

    /// The configuration with this key set, if that is allowed here.
    fn with(
        &self,
        key: &Key,
        value: &Written,
        layer: Layer,
        place: Place,
    ) -> Result<Config, ConfigError> {
        if layer == Layer::Workspace && !key.in_workspace() {
            let key = key.name.to_owned();
            return Err(ConfigError::NotInWorkspace { place, key });
        }
        let mut config = self.config.clone();
        let set = match key.kind {
            Kind::Tools => self.set_tools(&mut config, value, layer, &place),
            _ => set(key, &mut config, value, layer).ok_or_else(String::new),
        };
        if let Err(detail) = set {
            return Err(ConfigError::Value {
                place,
                key: key.name.to_owned(),
                expected: key.kind.expected(layer) + &detail,
            });
        }
        match key.rule {
            Rule::Tightens { loosens, .. } if layer != Layer::User => {
                match loosens(&config, &self.own) {
                    Some(why) => Err(ConfigError::Loosens {
                        place,
                        key: key.name,
                        why,
                    }),
                    None => Ok(config),
                }
            }
            _ => Ok(config),
        }
    }

    /// Tools can be taken away from what the user's own file leaves, not added to it.
    fn set_tools(
        &self,
        config: &mut Config,
        value: &Written,
        layer: Layer,
        place: &Place,
    ) -> Result<(), String> {
        let names = value.words().filter(|names| !names.is_empty());
        let mut tools = Vec::new();
        for name in names.ok_or_else(String::new)? {
            let meant: ToolSelection = name.parse().map_err(|error| format!(": {error}"))?;
            // What only a harness calls gives an agent nothing.
            let may = |tool: &&str| {
                layer == Layer::User || *tool == PERMISSION || self.own.tools.contains(tool)
            };
            let (kept, left_out): (Vec<&str>, Vec<&str>) =
                meant.names().iter().partition(|tool| may(tool));
            if !left_out.is_empty() {
                let left_out = match kept.as_slice() {
                    [] | [AWAIT_ANSWER] => format!("`{name}`"),
                    _ => format!("{} of `{name}`", left_out.join(", ")),
                };
                config.warnings.push(format!(
                    "{place}: your own file leaves out {left_out}, so it stays out"
                ));
            }
            tools.extend(kept);
        }
        config.tools = ToolSelection::new(tools);
        Ok(())
    }
}

/// Sets a key; `None` when the value does not fit.
fn set(key: &Key, config: &mut Config, value: &Written, layer: Layer) -> Option<()> {
    match key.kind {
        Kind::Number { range, set, .. } => set(config, value.number(range.0..=range.1)?),
        Kind::Deadline(set) => match value.number(0..=Kind::DEADLINE.1)? {
            0 if layer == Layer::User => set(config, None),
            seconds if seconds >= Kind::DEADLINE.0 => {
                set(config, Some(Duration::from_secs(seconds)));
            }
            _ => return None,
        },
        Kind::Word(first, second, set) => {
            let word = value.text().filter(|word| [first, second].contains(word))?;
            set(config, word == second);
        }
        Kind::Other { set, .. } => set(config, value, layer)?,
        Kind::Tools => {}
    }
    Some(())
}

fn parse_profile(name: &str, value: &Written, place: Place) -> Result<ClientProfile, ConfigError> {
    let wrong = |expected: String| ConfigError::Value {
        place: place.clone(),
        key: format!("clients.{name}"),
        expected,
    };
    let changes = value.keys();
    let changes = changes.ok_or_else(|| wrong(format!("a section, `[clients.{name}]`")))?;
    let known = serde_json::to_value(ClientProfile::default()).unwrap_or_default();
    let known: Vec<String> = match known {
        Json::Object(keys) => keys.into_iter().map(|(key, _)| key).collect(),
        _ => Vec::new(),
    };
    if let Some(key) = changes.keys().find(|key| !known.contains(key)) {
        return Err(ConfigError::Unknown {
            place: place.clone(),
            nearest: nearest(key, known),
            key: key.clone(),
        });
    }
    let profile = ClientProfile::for_client(name);
    profile
        .with(changes)
        .map_err(|error| wrong(format!("a client profile: {error}")))
}
