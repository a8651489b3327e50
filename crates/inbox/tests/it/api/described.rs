//! The description of the API says what the API does.

use super::{programs::*, stand::*};
use axum::{body::Body, http::Request};
use holdpoint::Ask;
use holdpoint_inbox::tokens::May;
use serde_json::{Value, json};

/// The description, read without a token.
struct Described(Value);

impl Described {
    async fn read(stand: &Stand) -> Self {
        let request = Request::get("/api/openapi.json").header("host", HOST);
        let answer = stand.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status(), 200);
        assert_eq!(answer.headers()["content-type"], "application/json");
        Self(json_of(answer).await)
    }

    /// Checks an answer against what is said of it.
    fn check(&self, operation: (&str, &str), status: u16, answer: &Value) {
        let (method, path) = operation;
        let said = &self.0["paths"][path][method]["responses"][status.to_string()];
        let said = match said["$ref"].as_str() {
            Some(named) => self.0.pointer(&named[1..]).unwrap(),
            None => said,
        };
        let schema = &said["content"]["application/json"]["schema"];
        assert!(
            schema.is_object(),
            "{method} {path} says nothing of {status}"
        );
        self.fits(schema, answer);
    }

    fn fits(&self, schema: &Value, value: &Value) {
        let mut schema = schema.clone();
        schema["components"] = self.0["components"].clone();
        let validator = jsonschema::validator_for(&schema).unwrap();
        if let Err(error) = validator.validate(value) {
            panic!("{error}: {value}");
        }
    }
}

#[tokio::test]
async fn every_answer_is_as_it_is_described() {
    let programs = Programs::new().await;
    let described = Described::read(&programs.stand).await;
    let ci = programs.bearer("ci", &[May::Ask]).await;
    let phone = programs.bearer("phone", &[May::Answer]).await;
    let one = "/api/asks/{id}";
    let send = async |shown: &str, operation: (&str, &str), path: &str, body: Option<Value>| {
        let method = operation.0.to_uppercase();
        let (status, answer) = programs.send(shown, (&method, path), body).await;
        described.check(operation, status, &answer);
        (status, answer)
    };
    let asks = ("post", "/api/asks");
    described.fits(
        &json!({ "$ref": "#/components/schemas/Question" }),
        &question(),
    );
    let (_, pending) = send(&ci, asks, asks.1, Some(question())).await;
    let (_, other) = send(&ci, asks, asks.1, Some(question())).await;
    let path = |told: &Value| format!("/api/asks/{}", told["askId"].as_str().unwrap());
    send(&ci, asks, asks.1, Some(json!({ "message": "?" }))).await;
    send("Bearer x", asks, asks.1, Some(question())).await;
    send(&phone, asks, asks.1, Some(question())).await;
    send(&ci, ("get", one), &path(&pending), None).await;
    send(&ci, ("get", one), "/api/asks/x", None).await;
    send(
        &ci,
        ("get", one),
        &format!("{}?wait=x", path(&pending)),
        None,
    )
    .await;
    send(&ci, ("delete", one), &path(&other), None).await;
    send(&ci, ("delete", one), "/api/asks/x", None).await;

    programs
        .stand
        .open(
            Ask::confirm("Drop it?")
                .details("**All** of it.")
                .dangerous(),
        )
        .await;
    let (_, listed) = send(&phone, ("get", "/api/asks"), "/api/asks", None).await;
    assert_eq!(listed["asks"].as_array().unwrap().len(), 2);
    send(&phone, ("get", "/api/asks"), "/api/asks?after=x", None).await;
    for row in listed["asks"].as_array().unwrap() {
        let path = format!("/api/asks/{}", row["id"].as_str().unwrap());
        send(&phone, ("get", one), &path, None).await;
    }
    let responds = ("post", "/api/elicitation/respond");
    for content in [
        json!({}),
        json!({ "confirmed": true, "when": "now" }),
        json!({ "confirmed": true }),
    ] {
        let answer = json!({ "askId": pending["askId"], "action": "accept", "content": content });
        described.fits(&json!({ "$ref": "#/components/schemas/Response" }), &answer);
        send(&phone, responds, responds.1, Some(answer)).await;
    }
    let (_, told) = send(&ci, ("get", one), &path(&pending), None).await;
    assert_eq!(
        (&told["status"], &told["channel"]),
        (&json!("accepted"), &json!("token:phone"))
    );
    send(&phone, ("get", one), &path(&pending), None).await;
    send(
        &phone,
        responds,
        responds.1,
        Some(json!({ "askId": "x", "action": "accept" })),
    )
    .await;
    send(
        &phone,
        responds,
        responds.1,
        Some(json!({ "action": "accept" })),
    )
    .await;
    send(&ci, responds, responds.1, Some(json!({}))).await;
}

/// Every address in it is there, and asks for a token.
#[tokio::test]
async fn what_is_described_is_served_to_tokens_only() {
    let stand = Stand::new().await;
    let described = Described::read(&stand).await;
    for (path, item) in described.0["paths"].as_object().unwrap() {
        let methods = item.as_object().unwrap().keys();
        for method in methods.filter(|method| *method != "parameters") {
            let path = path.replace("{id}", "00000000-0000-7000-8000-000000000000");
            let request = Request::builder()
                .method(method.to_uppercase().as_str())
                .uri(&path);
            let request = request
                .header("host", HOST)
                .header("content-type", "application/json");
            let answer = stand.send(request.body(Body::from("{}")).unwrap()).await;
            assert_eq!(answer.status(), 401, "{method} {path}");
        }
    }
    let text = described.0.to_string();
    for private in [HOST, "ann", &stand.key] {
        assert!(!text.contains(&format!("\"{private}\"")), "{private}");
    }
}
