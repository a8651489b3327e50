//! Several replicas of `holdpoint serve --http` on one PostgreSQL: one page and one record, whatever becomes of one
//! of them.

mod answered;
mod killed;
mod paused;
mod script;
mod skewed;

use crate::{
    inbox::browser::Browser,
    serve::{callers::token, http::Caller},
    support::{person::Person, *},
};
use clients::{Era, Plan};
use serde_json::{Value, json};
use std::{
    fs::{self, File},
    io::{BufRead, BufReader},
    net::{TcpListener, TcpStream},
    path::PathBuf,
    time::Duration,
};
use test_postgres::{Database, Server};
use tokio::runtime::Runtime;

/// The address under which the team knows its page. The tests speak to replicas themselves, and name it.
const PUBLIC: &str = "http://localhost:8443";
/// No test takes longer.
const LONGEST: Duration = Duration::from_secs(240);

/// A database, and what all replicas have in common.
struct Team {
    home: Home,
    database: Database,
    /// What the agent shows, at whichever replica it calls.
    token: String,
    runtime: Runtime,
}

/// A server of the team's.
struct Replica {
    process: Process,
    /// Where it serves MCP.
    url: String,
    /// Where it serves the page.
    page: String,
}

impl Team {
    /// A team with these lines in its own file.
    fn new(settings: &str) -> Self {
        let runtime = Runtime::new().unwrap();
        let database = runtime.block_on(Server::shared().database());
        let home = new_home();
        let journal = database.url();
        home.config(&format!(
            "journal = \"{journal}\"\ninbox_url = \"{PUBLIC}\"\n{settings}\n"
        ));
        Self {
            token: token(&home, "agent", "ask"),
            home,
            database,
            runtime,
        }
    }

    fn replica(&self) -> Replica {
        self.replica_with(&[], &[])
    }

    /// Starts a replica with these variables and arguments.
    fn replica_with(&self, variables: &[(String, String)], args: &[&str]) -> Replica {
        let page = format!("127.0.0.1:{}", free_ports(1));
        let own = ["serve", "--http", "127.0.0.1:0", "--inbox", &page];
        let mut command = self.home.command(&[&own, args].concat());
        command.envs(variables.iter().cloned());
        let log = File::options().append(true).create(true).open(self.log());
        let mut process = Process::lasting(&mut command, log.unwrap().into(), LONGEST);
        let mut url = String::new();
        let output = process.child().stdout.take().unwrap();
        BufReader::new(output).read_line(&mut url).unwrap();
        // A browser that another replica let in may come at once.
        eventually_blocking("the replica's page", || TcpStream::connect(&page).ok());
        Replica {
            process,
            url: url.trim().to_owned(),
            page,
        }
    }

    /// A new person, and their browser, which this replica let in.
    fn person(&self, name: &str, at: &Replica) -> Browser {
        let (code, shown) = Person::ran(&self.home, &["person", "add", name]);
        assert_eq!(code, 0, "{shown}");
        let given = shown.split_whitespace().find(|word| word.contains("#key="));
        Browser::at_replica(given.unwrap_or_else(|| panic!("{shown}")), &at.page)
    }

    /// What a client that others wrote does at this replica, as the agent.
    fn plan(&self, at: &Replica, era: Era) -> Plan {
        Plan::http(&at.url)
            .era(era)
            .with("headers", authorization(&self.token))
    }

    /// What a client does that shows no forms.
    fn formless(&self, at: &Replica, era: Era) -> Plan {
        self.plan(at, era).with("elicitation", json!("none"))
    }

    /// The agent, at this replica.
    fn caller(&self, at: &Replica) -> Caller {
        Caller::of(&at.url, &self.token)
    }

    /// Makes the sign of life of every process so much older, as if that time had passed without another.
    fn pass_leases(&self) {
        let sql = "UPDATE holdpoint.owners SET seen_at = seen_at - interval '1 minute', \
                   lease_until = lease_until - interval '1 minute'";
        self.runtime.block_on(async {
            let client = self.database.connect().await;
            client.batch_execute(sql).await.unwrap();
        });
    }

    /// The record is whole, and no log has the password of its database.
    fn verify(&self) {
        let output = self.home.run(&["log", "verify"]);
        let said = stdout(&output) + &stderr(&output);
        assert!(output.status.success(), "{said}");
        let log = fs::read_to_string(self.log()).unwrap();
        assert!(log.contains("ready"), "{log}");
        assert!(!log.contains(&self.database.password), "{log}");
    }

    /// What the replicas write to their logs.
    fn log(&self) -> PathBuf {
        self.home.root().join("log")
    }
}

impl Replica {
    /// Kills it where it is.
    fn kill(mut self) {
        self.process.child().kill().unwrap();
        self.process.ended();
    }
}

fn authorization(token: &str) -> Value {
    json!({ "Authorization": format!("Bearer {token}") })
}

/// The first of so many ports in a row that are free.
fn free_ports(count: u16) -> u16 {
    eventually_blocking("free ports", || {
        let first = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = first.local_addr().unwrap().port();
        let next =
            (1..count).map(|more| TcpListener::bind(("127.0.0.1", port.checked_add(more)?)).ok());
        next.collect::<Option<Vec<_>>>().map(|_| port)
    })
}
