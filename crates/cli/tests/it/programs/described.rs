//! The description of the API, as others read it.

use super::*;
use std::process::{Command, Stdio};

/// By a validator that others wrote, with the rules of OpenAPI 3.1.
#[test]
fn it_is_openapi() {
    let home = new_home();
    let _page = client(&home, Value::Null, &[]);
    let browser = Browser::open(&home);
    let description = ureq::get(format!("{}/api/openapi.json", browser.address)).call();
    let description = description.unwrap().body_mut().read_to_string().unwrap();
    let python = clients::tools().join("venv/bin/python");
    let program = "import json, sys; from openapi_spec_validator import OpenAPIV31SpecValidator as Validator; \
        Validator(json.load(sys.stdin)).validate()";
    let mut validator = Command::new(python)
        .args(["-c", program])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = validator.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, description.as_bytes()).unwrap();
    drop(input);
    let output = validator.wait_with_output().unwrap();
    assert!(
        output.status.success(),
        "run dev/setup, or: {}",
        stderr(&output)
    );
}
