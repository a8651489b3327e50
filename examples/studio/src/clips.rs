//! Clips: small files in a folder, one per clip, named after it.

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
    pub key: String,
    /// One to five stars, once somebody rated it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<u8>,
}

/// What is wrong with a clip, in words for a person.
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
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || name.len() > 64 || !name.chars().all(letter) {
            return Err(ClipError::Name(name.to_owned()));
        }
        Ok(self.folder.join(format!("{name}.clip")))
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
        let both = ["outro".to_owned(), "gone".to_owned()];
        assert!(matches!(clips.delete(&both), Err(ClipError::Missing(_))));
        assert_eq!(clips.delete(&both[..1]).unwrap(), 1);
    }
}
