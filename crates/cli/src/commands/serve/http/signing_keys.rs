//! The issuer's public keys: fetched, kept for a while, and fetched again when it changes them.

use crate::config::Issuer;
use jsonwebtoken::{
    Algorithm, DecodingKey, Header,
    jwk::{Jwk, JwkSet, KeyAlgorithm, PublicKeyUse},
};
use serde::{Deserialize, de::DeserializeOwned};
use std::{sync::Arc, time::Duration};
use tokio::{sync::Mutex, time::Instant};
use url::Url;

/// Older keys are fetched again, so that a key that the issuer took back ends here too.
const FRESH: Duration = Duration::from_secs(600);
/// Where they cannot be fetched again, they are used no longer than this.
const OLDEST: Duration = Duration::from_secs(3600);
/// How long a fetch is left alone after the one before: tokens with made-up keys cause no more.
const PAUSE: Duration = Duration::from_secs(15);
/// How long the issuer may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// No answer of an issuer is larger.
const LARGEST: u64 = 1 << 20;

/// The public keys of one issuer.
#[derive(Debug)]
pub struct SigningKeys {
    issuer: Issuer,
    /// How long a fetch is left alone after the one before.
    pause: Duration,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    keys: Option<(Arc<JwkSet>, Instant)>,
    tried_at: Option<Instant>,
}

/// Why an issuer's keys cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// It does not answer, or not as it should.
    #[error("{url} does not answer as an issuer does")]
    Fetch {
        /// Which address.
        url: String,
        /// What is wrong.
        source: ureq::Error,
    },
    /// It describes another issuer.
    #[error("{url} describes the issuer `{found}`, not `{wanted}`")]
    OtherIssuer {
        /// Which address.
        url: String,
        /// Whom it describes.
        found: String,
        /// Whom it should.
        wanted: String,
    },
    /// The keys are at an address that anybody in between could change.
    #[error("the issuer's keys are at {0}: they must be at an https address")]
    NotSafe(String),
    /// It was asked a moment ago, and failed.
    #[error("the issuer could not be asked a moment ago")]
    Again,
    /// The task that asked ended early.
    #[error("the issuer could not be asked")]
    Task(#[from] tokio::task::JoinError),
}

/// What an issuer says of itself.
#[derive(Deserialize)]
struct Metadata {
    issuer: String,
    jwks_uri: String,
}

impl SigningKeys {
    /// The keys of this issuer. Nothing is fetched yet.
    pub fn new(issuer: Issuer) -> Self {
        Self {
            issuer,
            pause: PAUSE,
            state: Mutex::default(),
        }
    }

    /// The same, fetched again as soon as a key is missing.
    #[cfg(test)]
    pub fn without_pause(self) -> Self {
        Self {
            pause: Duration::ZERO,
            ..self
        }
    }

    /// The keys that can have signed a token with this header.
    ///
    /// # Errors
    /// When the issuer's keys cannot be had.
    pub async fn find(&self, header: &Header) -> Result<Vec<DecodingKey>, FetchError> {
        // One fetch at a time; the others wait for it.
        let mut state = self.state.lock().await;
        let now = Instant::now();
        let known = state.keys.as_ref().filter(|(_, at)| now - *at < OLDEST);
        let known = known.map(|(keys, at)| (keys.clone(), now - *at < FRESH));
        let may_fetch = state.tried_at.is_none_or(|at| now - at >= self.pause);
        if let Some((keys, fresh)) = &known {
            let found = matching(keys, header);
            if !may_fetch || (*fresh && !found.is_empty()) {
                return Ok(found);
            }
        } else if !may_fetch {
            return Err(FetchError::Again);
        }
        state.tried_at = Some(now);
        let issuer = self.issuer.clone();
        match tokio::task::spawn_blocking(move || fetch(&issuer)).await? {
            Ok(keys) => {
                let keys = Arc::new(keys);
                state.keys = Some((keys.clone(), now));
                Ok(matching(&keys, header))
            }
            Err(error) => match known {
                Some((keys, _)) => {
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "the issuer's keys could not be fetched again; those of before are used"
                    );
                    Ok(matching(&keys, header))
                }
                None => Err(error),
            },
        }
    }
}

/// The keys for signatures of this kind, and of this name where the token names one.
fn matching(keys: &JwkSet, header: &Header) -> Vec<DecodingKey> {
    let fits = |key: &&Jwk| {
        let common = &key.common;
        let named = header.kid.is_none() || header.kid == common.key_id;
        let signs = !matches!(common.public_key_use, Some(PublicKeyUse::Encryption));
        named && signs && fits_algorithm(common.key_algorithm, header.alg)
    };
    let keys = keys.keys.iter().filter(fits);
    keys.filter_map(|key| DecodingKey::from_jwk(key).ok())
        .collect()
}

fn fits_algorithm(key: Option<KeyAlgorithm>, token: Algorithm) -> bool {
    key.is_none_or(|key| key == KeyAlgorithm::from(token))
}

fn fetch(issuer: &Issuer) -> Result<JwkSet, FetchError> {
    let mut last = None;
    for url in issuer.metadata_addresses() {
        match get::<Metadata>(&url) {
            Ok(metadata) if metadata.issuer == issuer.as_str() => {
                let keys = metadata.jwks_uri;
                let safe = keys.parse().is_ok_and(|keys: Url| Issuer::is_safe(&keys));
                return if safe {
                    get(&keys)
                } else {
                    Err(FetchError::NotSafe(keys))
                };
            }
            Ok(metadata) => {
                last = Some(FetchError::OtherIssuer {
                    url,
                    found: metadata.issuer,
                    wanted: issuer.as_str().to_owned(),
                });
            }
            Err(error) => {
                last.get_or_insert(error);
            }
        }
    }
    Err(last.unwrap_or(FetchError::Again))
}

fn get<T: DeserializeOwned>(url: &str) -> Result<T, FetchError> {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(PATIENCE))
        .max_redirects(0)
        .user_agent(concat!("holdpoint/", env!("CARGO_PKG_VERSION")))
        .build()
        .into();
    let read = || -> Result<T, ureq::Error> {
        let mut answer = agent.get(url).call()?;
        let text = answer
            .body_mut()
            .with_config()
            .limit(LARGEST)
            .read_to_string()?;
        serde_json::from_str(&text).map_err(|error| ureq::Error::Io(error.into()))
    };
    read().map_err(|source| FetchError::Fetch {
        url: url.to_owned(),
        source,
    })
}
