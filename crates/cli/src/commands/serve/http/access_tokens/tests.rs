//! Tokens that an issuer gave, and tokens that somebody would like to pass for them.

use super::*;
use jsonwebtoken::{EncodingKey, Header, encode};
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    sync::{Arc, Mutex},
    thread,
    time::{SystemTime, UNIX_EPOCH},
};

/// Two pairs of keys, of RFC 8032: what signs, and what everybody may know.
const PAIRS: [(&str, &str); 2] = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw",
    ),
];
const AUDIENCE: &str = "https://ask.example/mcp";

/// An issuer on this machine, whose keys can be changed.
struct Stand {
    issuer: String,
    keys: Arc<Mutex<Value>>,
    tokens: AccessTokens,
}

impl Stand {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let keys = Arc::new(Mutex::new(json!({ "keys": [public(0)] })));
        let (name, served) = (issuer.clone(), keys.clone());
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = BufReader::new(stream.unwrap());
                let mut asked = String::new();
                let _ = stream.read_line(&mut asked);
                let mut line = String::new();
                while stream.read_line(&mut line).is_ok_and(|_| line.trim() != "") {
                    line.clear();
                }
                let body = if asked.contains("/keys") {
                    served.lock().unwrap().to_string()
                } else {
                    json!({ "issuer": name, "jwks_uri": format!("{name}/keys") }).to_string()
                };
                let length = body.len();
                let _ = write!(
                    stream.get_mut(),
                    "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
                );
            }
        });
        let parsed: Issuer = issuer.parse().unwrap();
        let tokens = AccessTokens {
            keys: SigningKeys::new(parsed.clone()).without_pause(),
            issuer: parsed,
            audience: AUDIENCE.to_owned(),
        };
        Self {
            issuer,
            keys,
            tokens,
        }
    }

    /// Good claims, with these changed; null removes one.
    fn claims(&self, changed: Value) -> Value {
        let mut claims = json!({
            "iss": self.issuer, "aud": AUDIENCE, "sub": "ann", "exp": now() + 600,
            "scope": "openid holdpoint:ask",
        });
        for (name, value) in changed.as_object().unwrap() {
            claims[name] = value.clone();
        }
        let claims = claims.as_object_mut().unwrap();
        claims.retain(|_, value| !value.is_null());
        Value::Object(claims.clone())
    }

    async fn check(&self, token: &str) -> Result<Caller, Refusal> {
        self.tokens.check(token).await
    }
}

fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.unwrap().as_secs()
}

fn public(pair: usize) -> Value {
    let kid = format!("key-{pair}");
    json!({ "kty": "OKP", "crv": "Ed25519", "x": PAIRS[pair].1, "kid": kid, "use": "sig" })
}

fn header(pair: usize) -> Header {
    let mut header = Header::new(Algorithm::EdDSA);
    header.kid = Some(format!("key-{pair}"));
    header
}

fn sign(pair: usize, header: &Header, claims: &Value) -> String {
    let seed = PAIRS[pair].0;
    let der = format!("302e020100300506032b657004220420{seed}");
    let der: Vec<u8> = (0..der.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&der[at..at + 2], 16).unwrap())
        .collect();
    encode(header, claims, &EncodingKey::from_ed_der(&der)).unwrap()
}

#[tokio::test]
async fn a_token_of_the_issuer_for_this_server_names_its_holder() {
    let stand = Stand::new();
    let good = sign(0, &header(0), &stand.claims(json!({})));
    let caller = stand.check(&good).await.unwrap();
    assert_eq!(caller.principal, format!("{}#ann", stand.issuer));
    assert!(caller.may_ask);
    for (changed, may_ask) in [
        (json!({ "aud": ["other", AUDIENCE] }), true),
        (json!({ "scope": null, "scp": ["holdpoint:ask"] }), true),
        (json!({ "scope": null, "scp": "a holdpoint:ask" }), true),
        (json!({ "scope": null }), false),
        (json!({ "scope": "holdpoint:asking xholdpoint:ask" }), false),
        (json!({ "scope": "" }), false),
        (json!({ "nbf": now() - 5 }), true),
    ] {
        let token = sign(0, &header(0), &stand.claims(changed.clone()));
        assert_eq!(
            stand.check(&token).await.unwrap().may_ask,
            may_ask,
            "{changed}"
        );
    }
}

#[tokio::test]
async fn claims_that_are_not_for_us_or_not_for_now_are_refused() {
    let stand = Stand::new();
    for changed in [
        json!({ "aud": "https://other.example/mcp" }),
        json!({ "aud": null }),
        json!({ "aud": [] }),
        json!({ "aud": { "0": AUDIENCE } }),
        json!({ "iss": "https://evil.example" }),
        json!({ "iss": null }),
        json!({ "iss": [stand.issuer, "https://evil.example"] }),
        json!({ "exp": now() - 120 }),
        json!({ "exp": null }),
        json!({ "exp": "9999999999" }),
        json!({ "nbf": now() + 120 }),
        json!({ "nbf": "0" }),
        json!({ "sub": null }),
        json!({ "sub": "" }),
        json!({ "sub": 7 }),
        json!({ "sub": "x".repeat(300) }),
        json!({ "sub": "ann\nadmin" }),
    ] {
        let token = sign(0, &header(0), &stand.claims(changed.clone()));
        assert_eq!(
            stand.check(&token).await,
            Err(Refusal::Invalid),
            "{changed}"
        );
    }
}

#[tokio::test]
async fn a_signature_that_is_not_the_issuers_is_refused() {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
    let stand = Stand::new();
    let claims = stand.claims(json!({}));
    let good = sign(0, &header(0), &claims);
    let (said, signature) = good.rsplit_once('.').unwrap();
    let payload = said.split_once('.').unwrap().1;
    let with = |header: Value| format!("{}.{payload}", BASE64.encode(header.to_string()));
    // The public key as the secret of a MAC, which everybody could make.
    let known = BASE64.decode(PAIRS[0].1).unwrap();
    let mac = |secret: &[u8]| {
        let mut header = Header::new(Algorithm::HS256);
        header.kid = Some("key-0".to_owned());
        encode(&header, &claims, &EncodingKey::from_secret(secret)).unwrap()
    };
    let mut other_kind = header(0);
    other_kind.typ = Some("dpop+jwt".to_owned());
    let mut critical = header(0);
    critical.crit = Some(vec!["b64".to_owned()]);
    for (what, token) in [
        ("none", format!("{}.", with(json!({ "alg": "none" })))),
        (
            "None",
            format!("{}.", with(json!({ "alg": "None", "kid": "key-0" }))),
        ),
        (
            "none, signed",
            format!("{}.{signature}", with(json!({ "alg": "none" }))),
        ),
        ("a MAC of the public key", mac(&known)),
        ("a MAC of the key as text", mac(PAIRS[0].1.as_bytes())),
        ("another key", sign(1, &header(0), &claims)),
        ("another key of another name", sign(1, &header(1), &claims)),
        ("no signature", format!("{said}.")),
        ("a cut signature", good[..good.len() - 4].to_owned()),
        ("another kind", sign(0, &other_kind, &claims)),
        ("an extension", sign(0, &critical, &claims)),
        ("not a token", "a.b.c".to_owned()),
        ("two parts", said.to_owned()),
        ("too long", format!("{good}{}", "A".repeat(20_000))),
    ] {
        assert_eq!(stand.check(&token).await, Err(Refusal::Invalid), "{what}");
    }
    let mut changed = good.clone().into_bytes();
    changed[said.len() - 2] ^= 1;
    let changed = String::from_utf8_lossy(&changed).into_owned();
    assert_eq!(stand.check(&changed).await, Err(Refusal::Invalid));
    // A key in the token itself is not asked for.
    let mut own = header(1);
    own.jwk = serde_json::from_value(public(1)).ok();
    own.kid = None;
    let own = sign(1, &own, &claims);
    assert_eq!(stand.check(&own).await, Err(Refusal::Invalid));
}

#[tokio::test]
async fn keys_that_the_issuer_changes_are_fetched_again() {
    let stand = Stand::new();
    let claims = stand.claims(json!({}));
    let (before, after) = (sign(0, &header(0), &claims), sign(1, &header(1), &claims));
    assert!(stand.check(&before).await.is_ok());
    assert_eq!(stand.check(&after).await, Err(Refusal::Invalid));
    *stand.keys.lock().unwrap() = json!({ "keys": [public(1)] });
    assert!(stand.check(&after).await.is_ok());
    assert_eq!(
        stand.check(&before).await,
        Err(Refusal::Invalid),
        "it was taken back"
    );
    // A key for something else, or a secret one, signs nothing.
    let mut sealed = public(1);
    sealed["use"] = "enc".into();
    let secret = json!({ "kty": "oct", "k": PAIRS[1].1, "kid": "key-2" });
    *stand.keys.lock().unwrap() = json!({ "keys": [sealed, secret, { "kty": "new" }] });
    assert_eq!(stand.check(&before).await, Err(Refusal::Invalid));
    assert_eq!(stand.check(&after).await, Err(Refusal::Invalid));
}

#[tokio::test]
async fn without_the_issuers_keys_nobody_is_let_in() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap();
    let issuer = format!("http://{}", nobody.local_addr().unwrap());
    drop(nobody);
    let tokens = AccessTokens::new(issuer.parse().unwrap(), AUDIENCE.to_owned());
    let claims = json!({ "iss": issuer, "aud": AUDIENCE, "sub": "ann", "exp": now() + 600 });
    let token = sign(0, &header(0), &claims);
    assert_eq!(tokens.check(&token).await, Err(Refusal::Unavailable));
}
