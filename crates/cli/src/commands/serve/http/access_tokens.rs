//! Access tokens: JWTs that a configured issuer gave for this server and no other.

use super::{
    callers::{Caller, Refusal},
    signing_keys::SigningKeys,
};
use crate::config::Issuer;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde::Deserialize;

/// The scope that a token needs for asking.
pub const ASK: &str = "holdpoint:ask";

/// Signatures that only the issuer can make. None of them is keyed with what everybody may know, and
/// `none` is not among them.
const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

/// By how many seconds clocks may differ.
const LEEWAY: u64 = 30;
/// A longer token is not looked at.
const LONGEST: usize = 16 * 1024;
/// A longer subject is not a name.
const LONGEST_SUBJECT: usize = 256;

/// Checks access tokens of one issuer.
#[derive(Debug)]
pub struct AccessTokens {
    issuer: Issuer,
    /// What tokens must be meant for.
    audience: String,
    keys: SigningKeys,
}

/// What a token says of its holder. Another type of value than these is refused.
#[derive(Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    scope: Option<Scopes>,
    scp: Option<Scopes>,
}

/// Scopes as issuers write them: words in one text, or a list.
#[derive(Deserialize)]
#[serde(untagged)]
enum Scopes {
    Text(String),
    List(Vec<String>),
}

impl Scopes {
    fn has(&self, scope: &str) -> bool {
        match self {
            Self::Text(text) => text.split(' ').any(|word| word == scope),
            Self::List(list) => list.iter().any(|word| word == scope),
        }
    }
}

impl AccessTokens {
    /// Tokens of this issuer that are meant for this audience.
    pub fn new(issuer: Issuer, audience: String) -> Self {
        Self {
            keys: SigningKeys::new(issuer.clone()),
            issuer,
            audience,
        }
    }

    /// Who holds this token.
    ///
    /// # Errors
    /// When it is not a good one, or does not allow asking.
    pub async fn check(&self, token: &str) -> Result<Caller, Refusal> {
        let invalid = |why: &str| {
            tracing::warn!(why, "an access token was refused");
            Refusal::Invalid
        };
        if token.len() > LONGEST {
            return Err(invalid("it is too long"));
        }
        let header = decode_header(token).map_err(|error| invalid(&error.to_string()))?;
        if !ALGORITHMS.contains(&header.alg) {
            return Err(invalid("its algorithm is not allowed"));
        }
        let kind = header.typ.as_deref().map(str::to_ascii_lowercase);
        let kind = kind
            .as_deref()
            .map(|kind| kind.trim_start_matches("application/"));
        if !matches!(kind, None | Some("jwt" | "at+jwt")) {
            return Err(invalid("it is another kind of token"));
        }
        if header.crit.is_some() {
            return Err(invalid("it demands an extension"));
        }
        let keys = self.keys.find(&header).await;
        let keys = keys.map_err(|error| {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "the issuer's keys cannot be had, so access tokens are refused"
            );
            Refusal::Unavailable
        })?;
        let mut why = "its key is not the issuer's".to_owned();
        for key in keys {
            match self.claims(token, header.alg, &key) {
                Ok(claims) => return self.caller(claims).ok_or_else(|| invalid("its subject")),
                Err(error) => why = error.to_string(),
            }
        }
        Err(invalid(&why))
    }

    fn claims(
        &self,
        token: &str,
        algorithm: Algorithm,
        key: &DecodingKey,
    ) -> jsonwebtoken::errors::Result<Claims> {
        let mut wanted = Validation::new(algorithm);
        wanted.leeway = LEEWAY;
        wanted.validate_nbf = true;
        wanted.set_audience(&[&self.audience]);
        wanted.set_issuer(&[self.issuer.as_str()]);
        wanted.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        Ok(decode::<Claims>(token, key, &wanted)?.claims)
    }

    fn caller(&self, claims: Claims) -> Option<Caller> {
        let subject = Some(claims.sub).filter(|sub| {
            !sub.is_empty() && sub.len() <= LONGEST_SUBJECT && !sub.chars().any(char::is_control)
        })?;
        let scopes = [claims.scope, claims.scp];
        Some(Caller {
            // The issuer is the one that is configured, so that this names one subject.
            principal: format!("{}#{subject}", claims.iss),
            may_ask: scopes.iter().flatten().any(|scopes| scopes.has(ASK)),
        })
    }
}

#[cfg(test)]
mod tests;
