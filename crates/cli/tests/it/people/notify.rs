//! Hooks: a real program, a real address.

use super::*;
use crate::programs::{Program, question};
use std::{
    io::Write,
    net::{TcpListener, TcpStream},
    sync::mpsc,
    thread,
};

/// Somebody's server: gives what it was sent, header and body.
fn listen(answer: &'static str) -> (String, mpsc::Receiver<(String, String)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let (sender, got) = mpsc::channel();
    thread::spawn(move || {
        while let Ok((stream, _)) = listener.accept() {
            if sender.send(request(stream, answer)).is_err() {
                break;
            }
        }
    });
    (url, got)
}

fn request(stream: TcpStream, answer: &str) -> (String, String) {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert_ne!(reader.read_line(&mut head).unwrap(), 0);
    }
    let head = head.to_lowercase();
    let length = head.split("content-length: ").nth(1).unwrap();
    let length = length.split("\r\n").next().unwrap().parse().unwrap();
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    write!(
        reader.get_mut(),
        "HTTP/1.1 {answer}\r\ncontent-length: 0\r\n\r\n"
    )
    .unwrap();
    (head, String::from_utf8(body).unwrap())
}

#[test]
fn a_program_and_an_address_are_told() {
    let home = new_home();
    let (url, got) = listen("200 OK");
    let (path, heard) = (
        home.workspace().join("heard.json"),
        home.workspace().join("args"),
    );
    let hook = format!(
        "#!/bin/sh\nprintf '%s\\n' \"$@\" > '{}'\ncat > '{}.new'\nmv '{}.new' '{}'\n",
        heard.display(),
        path.display(),
        path.display(),
        path.display()
    );
    home.work_file("hook", &hook);
    let script = home.workspace().join("hook");
    home.config(&format!(
        "[notify]\ncommand = [\"/bin/sh\", \"{}\", \"--ring\"]\nurl = \"{url}\"\nsecret = \"s3cret\"\n",
        script.display()
    ));
    let message = "Go on; $(touch pwned) `touch pwned`?";
    let asking = Asking::start(&home, &["confirm", message, "--dangerous"]);
    let (head, body) = got.recv_timeout(PATIENCE).unwrap();
    let told: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(told["event"], "waiting");
    assert_eq!(told["shortId"], asking.id.as_str());
    let whole = told["askId"].as_str().unwrap();
    assert!(whole.ends_with(&asking.id), "{whole}");
    assert_eq!(told["message"], message);
    assert_eq!(told["dangerous"], true);
    let client = told["client"].as_str().unwrap();
    assert!(client.ends_with("'s shell"), "{client}");
    assert_eq!(told["server"], "holdpoint");
    assert_eq!(told["who"], format!("holdpoint asks, for {client}"));
    assert!(
        told["url"]
            .as_str()
            .unwrap()
            .ends_with(&format!("/ask/{whole}")),
        "{body}"
    );
    assert!(!body.contains("key="), "{body}");
    // The signature is what another program makes of it.
    let at = head
        .split("holdpoint-timestamp: ")
        .nth(1)
        .unwrap()
        .split("\r\n")
        .next()
        .unwrap();
    let mut openssl = Command::new("openssl")
        .args(["dgst", "-sha256", "-hmac", "s3cret"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    write!(openssl.stdin.take().unwrap(), "{at}.{body}").unwrap();
    let signed = stdout(&openssl.wait_with_output().unwrap());
    let signed = signed.trim().rsplit(' ').next().unwrap();
    assert!(
        head.contains(&format!("holdpoint-signature: sha256={signed}")),
        "{head}"
    );
    // The program came before the address.
    assert_eq!(std::fs::read_to_string(&path).unwrap(), body);
    assert_eq!(std::fs::read_to_string(&heard).unwrap(), "--ring\n");
    assert!(!home.workspace().join("pwned").exists());
}

#[test]
fn a_hook_that_fails_or_hangs_blocks_nothing() {
    for command in [
        "[\"/bin/sleep\", \"600\"]",
        "\"/bin/false\"",
        "\"/nowhere/at/all\"",
    ] {
        let home = new_home();
        home.config(&format!("[notify]\ncommand = {command}\n"));
        let asking = Asking::start(&home, &["confirm", "Go?"]);
        let (code, page) = Person::ran(&home, &["answer", &asking.id, "yes"]);
        assert_eq!(code, 0, "{page}");
        assert_eq!(asking.ends().2, 0, "{command}");
    }
}

#[test]
fn in_quiet_hours_nobody_is_told() {
    let home = new_home();
    let path = home.workspace().join("rung");
    home.config(&format!(
        "[notify]\ncommand = [\"/usr/bin/touch\", \"{}\"]\nquiet = \"00:00-23:59\"\n",
        path.display()
    ));
    let mut command = home.command(&["ask", "confirm", "Go?", "--wait", "5s"]);
    // Noon, wherever the machine is: at the other end of the day it is not quiet for a minute.
    let output = command.env("TZ", zone_with_noon()).output().unwrap();
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert!(!path.exists());
}

/// A zone in which it is about noon now.
fn zone_with_noon() -> String {
    let hour = i64::from(
        jiff::Timestamp::now()
            .to_zoned(jiff::tz::TimeZone::UTC)
            .hour(),
    );
    // POSIX counts to the west.
    format!("<noon>{:+}", (hour - 12).clamp(-12, 12))
}

/// The page that a person serves asks in the name of programs.
#[test]
fn what_a_program_asks_through_the_page_is_told() {
    let home = new_home();
    let (url, got) = listen("200 OK");
    home.config(&format!("[notify]\nurl = \"{url}\"\n"));
    let mut person = Person::runs(&home, &["inbox", "--web"], &[]);
    person.sees("This command serves the page");
    let program = Program::new(&home, "ci", "ask");
    let asked = program.ask(&question());
    let (_, body) = got.recv_timeout(PATIENCE).unwrap();
    let told: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(
        (&told["askId"], &told["url"]),
        (&asked["askId"], &asked["url"])
    );
    assert_eq!(told["who"], "ci asks");
}
