//! Where the database is, and how it is reached.

use super::{
    connection_config::{CONNECT, fill_gaps, is_local, read_config},
    connection_url::{self, Parameters},
    password,
    sql_error::what,
    tls::MakeTls,
};
use crate::{JournalError, shown_address};
use holdpoint_workspace::Environment;
use std::time::Duration;
use tokio::time::timeout;
use tokio_postgres::{
    Client, Config, Connection, Socket, config::TargetSessionAttrs, tls::MakeTlsConnect,
};

/// The half of a connection that has to be polled.
pub(super) type Link = Connection<Socket, <MakeTls as MakeTlsConnect<Socket>>::Stream>;

/// How long a server may take beyond that until it has let somebody in.
const LOGIN: Duration = Duration::from_secs(5);

/// The address of a database.
#[derive(Debug, Clone)]
pub(super) struct Address {
    pub config: Config,
    pub tls: MakeTls,
    /// The address without its password.
    pub shown: String,
    /// Every host is this machine.
    pub is_local: bool,
    /// How long one attempt to connect may take, with all hosts.
    pub patience: Duration,
    /// Why there is no password, where a file had one that is not used.
    no_password: Option<String>,
}

impl Address {
    /// Reads an address, with what the process was started with.
    pub fn parse(url: &str) -> Result<Self, JournalError> {
        Self::parse_in(url, &Environment::from_process())
    }

    /// Reads an address.
    pub fn parse_in(url: &str, environment: &Environment) -> Result<Self, JournalError> {
        let shown = shown_address(url).into_owned();
        let read = connection_url::parse(url).and_then(|said| Self::read(said, environment));
        match read {
            Ok(address) => Ok(Self { shown, ..address }),
            Err(what) => Err(JournalError::open(shown, what)),
        }
    }

    fn read(mut said: Parameters, environment: &Environment) -> Result<Self, String> {
        fill_gaps(&mut said, environment);
        let (password, no_password) = password::find(&said, environment)?;
        let is_local = is_local(&said);
        let tls = MakeTls::new(&said, is_local, environment)?;
        let mut config = read_config(&said)?;
        if let Some(password) = password {
            config.password(password);
        }
        config.ssl_mode(tls.mode.negotiated());
        let hosts = config.get_hosts().len().max(1);
        let each = config.get_connect_timeout().copied().unwrap_or(CONNECT) + LOGIN;
        Ok(Self {
            patience: each * u32::try_from(hosts).unwrap_or(1),
            config,
            tls,
            is_local,
            shown: String::new(),
            no_password,
        })
    }

    /// Connects once, for as long as it takes.
    pub async fn connect(&self) -> Result<(Client, Link), tokio_postgres::Error> {
        self.config.connect(self.tls.clone()).await
    }

    /// Connects once, within a limited time.
    ///
    /// # Errors
    /// One sentence on what is wrong and what to do.
    pub async fn reach(&self) -> Result<(Client, Link), JournalError> {
        match timeout(self.patience, Box::pin(self.connect())).await {
            Ok(Ok(connected)) => Ok(connected),
            Ok(Err(error)) => Err(self.refused(error)),
            Err(_) => Err(JournalError::open(
                &self.shown,
                format!(
                    "PostgreSQL did not answer within {} seconds; see that it is up, and that no \
                     firewall is in the way",
                    self.patience.as_secs()
                ),
            )),
        }
    }

    /// The same, also at a server that can only be read.
    pub fn or_standby(mut self) -> Self {
        self.config.target_session_attrs(TargetSessionAttrs::Any);
        self
    }

    fn refused(&self, error: tokio_postgres::Error) -> JournalError {
        let mut what = what(&error);
        if self.config.get_password().is_none()
            && let Some(why) = &self.no_password
        {
            what = format!("{what}. {why}");
        }
        JournalError::open(&self.shown, what).with_source(error)
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            connection_config::{IDLE, UNACKNOWLEDGED},
            tls::Mode,
        },
        *,
    };
    use std::{fs, io::Write, path::Path};
    use tokio_postgres::config::Host;

    fn parse(url: &str, variables: &[(&str, &str)]) -> Result<Address, JournalError> {
        let environment = Environment::new(Path::new("/nowhere"), variables.iter().copied());
        Address::parse_in(url, &environment)
    }

    fn hosts(config: &Config) -> Vec<String> {
        let name = |host: &Host| match host {
            Host::Tcp(name) => name.clone(),
            Host::Unix(path) => path.display().to_string(),
        };
        config.get_hosts().iter().map(name).collect()
    }

    fn read(url: &str, variables: &[(&str, &str)]) -> Address {
        parse(url, variables).unwrap()
    }

    #[test]
    fn the_address_comes_first_and_variables_fill_its_gaps() {
        let variables = [
            ("PGHOST", "localhost,127.0.0.1"),
            ("PGPORT", "6000"),
            ("PGUSER", "eve"),
            ("PGDATABASE", "other"),
            ("PGSSLMODE", "disable"),
        ];
        let config = read("postgres://", &variables).config;
        assert_eq!(hosts(&config), ["localhost", "127.0.0.1"]);
        assert_eq!(config.get_ports(), [6000]);
        assert_eq!(config.get_user(), Some("eve"));
        assert_eq!(config.get_dbname(), Some("other"));
        let address = read("postgres://ada@[::1]:5433/team", &variables);
        assert_eq!(hosts(&address.config), ["::1"]);
        assert_eq!(address.config.get_ports(), [5433]);
        assert_eq!(address.config.get_user(), Some("ada"));
        assert_eq!(address.config.get_dbname(), Some("team"));
        // What protects a connection is for the address to say.
        assert_eq!(address.tls.mode, Mode::Prefer);
        let config = read("postgres://ada@localhost", &[]).config;
        assert_eq!(config.get_dbname(), Some("ada"));
    }

    #[test]
    fn tls_is_checked_beyond_this_machine() {
        let check = |hosts: &str, wanted: Mode| {
            let url = format!("postgres://{hosts}/team?sslrootcert=system");
            // No roots on this system: nothing is connected to, either.
            let Ok(address) = parse(&url, &[]) else {
                return;
            };
            assert_eq!(address.tls.mode, Mode::VerifyFull, "{hosts}");
            let url = format!("postgres://{hosts}/team");
            let Ok(address) = parse(&url, &[]) else {
                return;
            };
            assert_eq!(address.tls.mode, wanted, "{hosts}");
        };
        check("localhost", Mode::Prefer);
        check("127.0.0.1", Mode::Prefer);
        check("[::1]", Mode::Prefer);
        check("%2Frun%2Fpostgresql", Mode::Prefer);
        check("db", Mode::VerifyFull);
        check("10.0.0.1", Mode::VerifyFull);
        check("localhost,db", Mode::VerifyFull);
        check("localhost.example", Mode::VerifyFull);
    }

    #[test]
    fn a_dead_peer_is_noticed_in_seconds() {
        let address = read("postgres://localhost/team", &[]);
        let config = &address.config;
        assert_eq!(config.get_connect_timeout(), Some(&CONNECT));
        assert_eq!(address.patience, Duration::from_secs(10));
        assert_eq!(config.get_keepalives_idle(), IDLE);
        assert_eq!(config.get_tcp_user_timeout(), Some(&UNACKNOWLEDGED));
        let attributes = |address: &Address| address.config.get_target_session_attrs();
        assert_eq!(attributes(&address), TargetSessionAttrs::ReadWrite);
        let said = "postgres://localhost/team?connect_timeout=2&tcp_user_timeout=1500&\
                    keepalives_count=7&keepalives_idle=60&target_session_attrs=any";
        let address = read(said, &[]);
        let config = &address.config;
        assert_eq!(address.patience, Duration::from_secs(7));
        let millis = Duration::from_millis(1500);
        assert_eq!(config.get_tcp_user_timeout(), Some(&millis));
        assert_eq!(config.get_keepalives_retries(), Some(7));
        assert_eq!(config.get_keepalives_idle(), Duration::from_secs(60));
        assert_eq!(attributes(&address), TargetSessionAttrs::Any);
    }

    #[test]
    fn the_password_is_found_as_libpq_finds_it_and_shown_nowhere() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let mut file = tempfile::Builder::new()
                .prefix(name)
                .tempfile_in(folder.path())
                .unwrap();
            file.write_all(text.as_bytes()).unwrap();
            file.into_temp_path().keep().unwrap().display().to_string()
        };
        let alone = file("alone", "geheim-alone\n");
        let list = file(
            "list",
            "localhost:5432:team:ada:geheim-list\n*:5433:*:*:geheim-port\n",
        );
        let check = |url: &str, variables: &[(&str, &str)], wanted: Option<&str>| {
            let address = read(url, variables);
            let found = address.config.get_password();
            assert_eq!(found, wanted.map(str::as_bytes), "{url} {variables:?}");
            for shown in [format!("{address:?}"), address.shown.clone()] {
                assert!(!shown.contains("geheim"), "{shown}");
            }
        };
        let plain = "postgres://ada@localhost/team";
        let in_list = ("PGPASSFILE", &*list);
        check(plain, &[], None);
        check(plain, &[in_list], Some("geheim-list"));
        let variable = ("PGPASSWORD", "geheim-variable");
        check(plain, &[in_list, variable], Some("geheim-variable"));
        let by_file = format!("{plain}?password_file={alone}");
        check(&by_file, &[in_list, variable], Some("geheim-alone"));
        let inside = "postgres://ada:geheim-inside@localhost/team";
        check(inside, &[in_list, variable], Some("geheim-inside"));
        let parameter = format!("{plain}?password=geheim%2Dp");
        check(&parameter, &[], Some("geheim-p"));
        let other = "postgres://bob@localhost/team";
        check(other, &[in_list], None);
        check(&format!("{other}?passfile={list}"), &[], None);
        let second = "postgres://bob@localhost:1,127.0.0.1:5433/team";
        check(second, &[in_list], Some("geheim-port"));
        let socket = "postgres://ada@%2Frun%2Fpostgresql/team";
        check(socket, &[in_list], Some("geheim-list"));
        let gone = ("PGPASSFILE", "/nowhere/list");
        check(plain, &[gone], None);
        fs::remove_file(alone).unwrap();
    }

    #[test]
    fn what_cannot_be_used_is_refused_in_one_sentence_without_the_password() {
        let check = |rest: &str, wanted: &str| {
            let url = format!("postgres://ada:geheim@localhost/team?{rest}");
            let error = parse(&url, &[]).unwrap_err();
            let said = holdpoint_ask::describe::error_chain(&error);
            assert!(said.contains(wanted), "{rest}: {said}");
            assert!(said.contains("postgres://ada@localhost/team"), "{said}");
            assert!(!format!("{said} {error:?}").contains("geheim"), "{said}");
        };
        check("sslmode=on", "`sslmode` must be");
        check("ssl=true", "`ssl`, which is not known");
        check("connect_timeout=soon", "`connect_timeout`");
        check("tcp_user_timeout=soon", "`tcp_user_timeout`");
        check("keepalives_count=-1", "`keepalives_count`");
        check("target_session_attrs=primary", "`target_session_attrs`");
        check("port=70000", "`port`");
        check("hostaddr=db", "`hostaddr`");
        check("port=1,2", "more ports than hosts");
        check("sslkey=/k", "go together");
        let with_file = "postgres://ada@localhost/team?password_file=";
        let error = parse(&format!("{with_file}pw"), &[])
            .unwrap_err()
            .to_string();
        assert!(error.contains("absolute path"), "{error}");
        let error = parse(&format!("{with_file}/nowhere/pw"), &[]).unwrap_err();
        assert!(
            error.to_string().contains("/nowhere/pw cannot be read"),
            "{error}"
        );
    }
}
