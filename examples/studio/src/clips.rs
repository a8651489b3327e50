//! Clips: small files in a folder, one per clip, named after it.

use crate::{key::Key, render::wave};
use holdpoint::tool::ToolError;
use serde::{Deserialize, Serialize};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The clips of one folder.
#[derive(Debug, Clone)]
pub struct Clips {
    folder: PathBuf,
}

/// What is known of a clip.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Clip {
    /// Beats per minute.
    pub tempo: f64,
    /// Its key.
    pub key: Key,
    /// One to five stars, once somebody rated it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<u8>,
}

/// What is wrong with a clip, in words for people and agents.
#[derive(Debug, thiserror::Error)]
pub enum ClipError {
    /// The name is none.
    #[error("{0:?} cannot be the name of a clip: use letters, digits, - and _, at most 64")]
    Name(String),
    /// There is none of this name.
    #[error("there is no clip named {0:?}")]
    Missing(String),
    /// There is one of this name already.
    #[error("there is a clip named {0:?} already")]
    Taken(String),
    /// The folder cannot be used.
    #[error("the clips cannot be read or written")]
    Io(#[from] io::Error),
}

impl Clips {
    /// The clips of this folder, which is made if it is not there.
    pub fn open(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        Ok(Self {
            folder: folder.to_owned(),
        })
    }

    /// The clip of this name.
    pub fn get(&self, name: &str) -> Result<Clip, ClipError> {
        let text = match fs::read_to_string(self.path(name)?) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(ClipError::Missing(name.to_owned()));
            }
            text => text?,
        };
        Ok(serde_json::from_str(&text).map_err(io::Error::from)?)
    }

    /// The names of all clips.
    pub fn names(&self) -> Result<Vec<String>, ClipError> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let file = entry?.file_name();
            let name = file.to_str().and_then(|file| file.strip_suffix(".clip"));
            names.extend(name.filter(|name| is_name(name)).map(str::to_owned));
        }
        names.sort();
        Ok(names)
    }

    /// Whether a clip could be called so.
    pub fn is_free(&self, name: &str) -> bool {
        matches!(self.get(name), Err(ClipError::Missing(_)))
    }

    /// A new clip.
    pub fn create(&self, name: &str, clip: &Clip) -> Result<(), ClipError> {
        let path = self.path(name)?;
        let file = match fs::File::create_new(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(ClipError::Taken(name.to_owned()));
            }
            file => file?,
        };
        Ok(serde_json::to_writer_pretty(file, clip).map_err(io::Error::from)?)
    }

    /// Gives a clip another name.
    pub fn rename(&self, from: &str, to: &str) -> Result<(), ClipError> {
        let clip = self.get(from)?;
        if from == to {
            return Ok(());
        }
        self.create(to, &clip)?;
        Ok(fs::remove_file(self.path(from)?)?)
    }

    /// Rates a clip.
    pub fn rate(&self, name: &str, rating: u8) -> Result<(), ClipError> {
        let mut clip = self.get(name)?;
        clip.rating = Some(rating);
        let text = serde_json::to_string_pretty(&clip).map_err(io::Error::from)?;
        Ok(fs::write(self.path(name)?, text)?)
    }

    /// Writes a clip's sound to a folder beside the clips; gives the file's name.
    pub fn export(&self, name: &str) -> Result<String, ClipError> {
        let clip = self.get(name)?;
        fs::create_dir_all(self.folder.join("exports"))?;
        let file = format!("exports/{name}.wav");
        fs::write(self.folder.join(&file), wave(clip.tempo))?;
        Ok(file)
    }

    /// Deletes clips; gives how many there were.
    pub fn delete(&self, names: &[String]) -> Result<usize, ClipError> {
        for name in names {
            self.get(name)?;
        }
        for name in names {
            fs::remove_file(self.path(name)?)?;
        }
        Ok(names.len())
    }

    fn path(&self, name: &str) -> Result<PathBuf, ClipError> {
        if !is_name(name) {
            return Err(ClipError::Name(name.chars().take(80).collect()));
        }
        Ok(self.folder.join(format!("{name}.clip")))
    }
}

fn is_name(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (1..=64).contains(&name.len()) && name.chars().all(letter)
}

/// What the agent is told of it.
impl From<ClipError> for ToolError {
    fn from(error: ClipError) -> Self {
        let what = error.to_string();
        let (code, next) = match error {
            ClipError::Name(_) => ("BAD_NAME", "Nothing was changed: another name is needed."),
            ClipError::Missing(_) => ("NO_SUCH_CLIP", "Look at the list of resources first."),
            ClipError::Taken(_) => ("NAME_TAKEN", "Nothing was changed: another name is needed."),
            ClipError::Io(error) => return Self::File(format!("{what}: {error}")),
        };
        Self::Refused {
            code: code.into(),
            what,
            next: next.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let clips = Clips::open(folder.path()).unwrap();
        for name in ["", "..", "a/b", "../x", "a\0", &"x".repeat(65)] {
            assert!(
                matches!(clips.get(name), Err(ClipError::Name(_))),
                "{name:?}"
            );
        }
    }

    #[test]
    fn a_clip_comes_and_goes() {
        let folder = tempfile::tempdir().unwrap();
        let clips = Clips::open(folder.path()).unwrap();
        clips.create("intro", &Clip::default()).unwrap();
        assert!(matches!(
            clips.create("intro", &Clip::default()),
            Err(ClipError::Taken(_))
        ));
        clips.rate("intro", 4).unwrap();
        clips.rename("intro", "outro").unwrap();
        assert_eq!(clips.get("outro").unwrap().rating, Some(4));
        assert!(clips.is_free("intro") && !clips.is_free("outro") && !clips.is_free("../x"));
        assert_eq!(clips.export("outro").unwrap(), "exports/outro.wav");
        assert_eq!(clips.names().unwrap(), ["outro"]);
        let both = ["outro".to_owned(), "gone".to_owned()];
        assert!(matches!(clips.delete(&both), Err(ClipError::Missing(_))));
        assert_eq!(clips.delete(&both[..1]).unwrap(), 1);
    }
}
