//! `holdpoint inbox --phone`: the page's address as a code, or what is missing.

use super::*;
use serde_json::json;

/// The page of a server that a client started.
fn serving(home: &Home, args: &[&str]) -> Pipe {
    let pipe = Pipe::modern(&mut home.command(&[&["serve"], args].concat()));
    eventually_blocking("the page", || browser::address(home));
    pipe
}

#[test]
fn what_is_missing_is_said() {
    let home = new_home();
    let _client = serving(&home, &[]);
    let address = browser::address(&home).unwrap();
    let (code, page) = Person::ran(&home, &["inbox", "--phone"]);
    assert_eq!(code, 1, "{page}");
    for part in [
        &*address,
        "which only this machine reaches",
        "config.toml",
        "inbox = \"0.0.0.0:",
        "inbox_cert = ",
        "inbox_url = ",
    ] {
        assert!(page.contains(part), "{part:?} is not in {page}");
    }
    assert!(!page.contains("key="), "no key for nothing: {page}");
    // An address that names the phone itself.
    home.config("inbox_url = \"http://localhost:8080\"");
    let (code, page) = Person::ran(&home, &["inbox", "--phone"]);
    assert_eq!(code, 1, "{page}");
    assert!(
        page.contains("http://localhost:8080, which names this machine itself"),
        "{page}"
    );
    let home = new_home();
    let mut person = Person::runs(&home, &["inbox", "--phone"], &[("HOLDPOINT_INBOX", "off")]);
    person.sees("the inbox is off");
    assert_eq!(person.code(), 1);
}

#[test]
fn a_page_behind_a_proxy_has_its_code() {
    let home = new_home();
    // Nothing is there but the name, which must not lead anywhere from here.
    home.config("inbox_url = \"https://ask.invalid\"");
    let _client = serving(&home, &[]);
    let mut person = Person::runs(&home, &["inbox", "--phone"], &[]);
    person.sees("From this machine https://ask.invalid does not work now");
    person.sees("████").sees("https://ask.invalid/#key=");
    let key = person.reads_line();
    person.sees("once, within a day");
    assert_eq!(person.code(), 0);
    assert!(
        key.len() > 40 && key.bytes().all(|byte| byte.is_ascii_hexdigit()),
        "{key}"
    );
}

#[test]
fn a_page_in_the_network_has_its_code() {
    let home = new_home();
    let [cert, key] = certificate(&home);
    home.config(&format!(
        "inbox = \"0.0.0.0:0\"\ninbox_cert = \"{cert}\"\ninbox_key = \"{key}\"\n"
    ));
    let own = [("HOLDPOINT_INBOX", "0.0.0.0:0")];
    let mut serve = home.command(&["serve"]);
    let _client = Pipe::modern(serve.envs(own));
    let served = eventually_blocking("the page", || browser::address(&home));
    let port = served.rsplit(':').next().unwrap();
    let mut person = Person::runs(&home, &["inbox", "--phone"], &own);
    // A machine without a network has no address for a phone, and says so.
    let network = std::net::UdpSocket::bind("0.0.0.0:0").and_then(|socket| {
        socket.connect("192.0.2.1:9")?;
        socket.local_addr()
    });
    match network {
        Ok(address) => {
            person
                .sees("████")
                .sees(&format!("https://{}:{port}/#key=", address.ip()));
            person.sees("trust the page's certificate");
            assert_eq!(person.code(), 0);
        }
        Err(_) => {
            person.sees("no address in a network");
            assert_eq!(person.code(), 1);
        }
    }
}

#[test]
fn the_key_is_not_for_agents_or_pipes() {
    let home = new_home();
    home.config("inbox_url = \"https://ask.invalid\"");
    let alone = home.run(&["inbox", "--phone"]);
    assert!(!alone.status.success());
    assert!(!stdout(&alone).contains("key="), "no terminal, no person");
    let mut agent = Person::runs(&home, &["inbox", "--phone"], &[("CLAUDECODE", "1")]);
    agent.sees("run by an agent");
    let (page, _) = agent.ends();
    assert!(!page.contains("key=") && !page.contains('█'), "{page}");
    let tried = agents::attempts(&home);
    assert_eq!(
        json!(tried.iter().map(|(command, _)| command).collect::<Vec<_>>()),
        json!(["inbox --phone", "inbox --phone"])
    );
    let both = home.run(&["inbox", "--phone", "--web"]);
    assert_eq!(both.status.code(), Some(2));
}
