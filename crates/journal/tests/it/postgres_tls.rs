//! `sslmode` against a server that wants TLS, and one that has none.

use holdpoint_journal::{
    Journal, PostgresJournal,
    postgres::{Inspection, inspect},
};
use test_postgres::{Options, Server, Tls};

#[tokio::test]
async fn tls_is_as_strict_as_the_address_says() {
    let server = Server::with(Options::new().tls(Tls::Required));
    let database = server.database().await;
    let authority = server.authority();
    let authority = authority.display();
    let ours = format!("sslrootcert={authority}");
    let at = |host: &str| {
        let port = database.address.port();
        let url = database.url();
        let (who, _) = url.split_once('@').unwrap();
        format!("{who}@{host}:{port}/{}", database.name)
    };
    let inspected = |host: &str, parameters: String| {
        let url = format!("{}?{parameters}", at(host));
        async move { inspect(&url).await }
    };
    let reached = |found: &Inspection| (found.is_encrypted, found.is_verified);

    // TLS with whoever answers.
    for mode in ["prefer", "allow", "require"] {
        let found = inspected("127.0.0.1", format!("sslmode={mode}"))
            .await
            .unwrap();
        assert_eq!(reached(&found), (true, false), "{mode}");
    }
    // Nothing said, on this machine.
    let found = inspected("127.0.0.1", String::new()).await.unwrap();
    assert_eq!(reached(&found), (true, false));
    // Who is trusted is named.
    for parameters in [
        format!("sslmode=require&{ours}"),
        format!("sslmode=verify-ca&{ours}"),
        format!("sslmode=verify-full&{ours}"),
        format!("sslmode=verify-full&channel_binding=require&{ours}"),
    ] {
        for host in ["127.0.0.1", "localhost"] {
            let found = inspected(host, parameters.clone()).await.unwrap();
            assert_eq!(reached(&found), (true, true), "{host} {parameters}");
        }
    }
    let refused = async |host: &str, parameters: String, wanted: &str| {
        let error = inspected(host, parameters).await.unwrap_err().to_string();
        assert!(error.contains(wanted), "{error}");
        assert!(!error.contains(&database.password), "{error}");
    };
    refused("127.0.0.1", "sslmode=disable".into(), "no encryption").await;
    // The name is checked, and only by verify-full: 127.0.0.2 is this machine as well.
    let other = format!("hostaddr=127.0.0.1&sslmode=verify-ca&{ours}");
    inspected("db.example", other).await.unwrap();
    let other = format!("hostaddr=127.0.0.1&sslmode=verify-full&{ours}");
    refused("db.example", other, "does not name the host").await;
    // Signed by nobody whom a system trusts, or another authority.
    let strangers = tempfile::NamedTempFile::new().unwrap();
    std::fs::copy(server.socket_folder().join("server.pem"), strangers.path()).unwrap();
    // A server's own certificate, named as the one to trust, is trusted.
    let own = format!(
        "sslmode=verify-full&sslrootcert={}",
        strangers.path().display()
    );
    assert_eq!(
        reached(&inspected("localhost", own).await.unwrap()),
        (true, true)
    );
    let another = Server::with(Options::new().tls(Tls::Offered));
    let same =
        std::fs::read(another.authority()).unwrap() == std::fs::read(server.authority()).unwrap();
    if !same {
        let another = format!(
            "sslmode=verify-ca&sslrootcert={}",
            another.authority().display()
        );
        refused("localhost", another, "signed by nobody who is trusted").await;
    }
    // With the system's, which every address beyond this machine has: nobody there signed it.
    let system = inspected("localhost", "sslrootcert=system".into()).await;
    let system = system.unwrap_err().to_string();
    let wanted = [
        "signed by nobody who is trusted",
        "this system trusts no certificates",
    ];
    assert!(
        wanted.iter().any(|wanted| system.contains(wanted)),
        "{system}"
    );

    let strict = format!("{}?sslmode=verify-full&{ours}", at("localhost"));
    let journal = PostgresJournal::open(&strict).await.unwrap();
    assert_eq!(journal.head().await.unwrap(), 0);
}

#[tokio::test]
async fn a_server_without_tls_is_refused_where_it_is_needed() {
    let server = Server::shared();
    let database = server.database().await;
    let found = inspect(&database.url()).await.unwrap();
    assert!(!found.is_encrypted && !found.is_verified && found.is_local);
    let error = inspect(&format!("{}?sslmode=require", database.url())).await;
    let error = error.unwrap_err().to_string();
    assert!(error.contains("the server offers no TLS"), "{error}");
    // By its socket there is none, and none is needed.
    let folder = server
        .socket_folder()
        .display()
        .to_string()
        .replace('/', "%2F");
    let place = format!("@{folder}:{}/", database.address.port());
    let by_socket = database
        .url()
        .replace(&format!("@{}/", database.address), &place);
    let journal = PostgresJournal::open(&by_socket).await.unwrap();
    assert_eq!(journal.head().await.unwrap(), 0);
    assert!(inspect(&by_socket).await.unwrap().is_local);
}
