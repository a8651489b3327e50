//! Databases of a server, and connections to them.

use crate::Server;
use std::{
    net::SocketAddr,
    sync::atomic::{AtomicU32, Ordering},
};
use tokio_postgres::{Client, NoTls};

/// The password of every owner.
const PASSWORD: &str = "owners-secret-word";

/// What PostgreSQL stores of it. It says that the password is hashed once and not thousands of times, which an
/// unoptimised client takes a tenth of a second for.
const VERIFIER: &str = "SCRAM-SHA-256$1:dGVzdC1wb3N0Z3Jlcy1zYQ==$\
    713LsFW9YlsXaeg4DCJO5oV8AAZjihChHoZ/+saajsI=:IBqkg9U9/BBWoERXMXeamSkLKRuuiy48OJf5Dgq4J3I=";

/// A fresh database with an owner of its own, who has no other rights.
#[derive(Debug, Clone)]
pub struct Database {
    /// Where its server listens.
    pub address: SocketAddr,
    /// Its name, and that of its owner.
    pub name: String,
    /// Its owner's password.
    pub password: String,
}

impl Server {
    /// Makes an empty database with an owner of its own.
    pub async fn database(&self) -> Database {
        static NUMBER: AtomicU32 = AtomicU32::new(1);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{number}");
        let admin = self.admin().await;
        for sql in [
            format!("CREATE ROLE {name} LOGIN PASSWORD '{VERIFIER}'"),
            format!("CREATE DATABASE {name} OWNER {name}"),
        ] {
            admin.batch_execute(&sql).await.unwrap();
        }
        Database {
            address: self.address(),
            name,
            password: PASSWORD.into(),
        }
    }

    /// A connection as the administrator, to the administrative database.
    pub async fn admin(&self) -> Client {
        connect(&self.admin_parameters()).await
    }
}

impl Database {
    /// Its address, as its owner.
    pub fn url(&self) -> String {
        self.url_at(self.address)
    }

    /// Its address at another place: behind a proxy, or at a standby.
    pub fn url_at(&self, address: SocketAddr) -> String {
        let Self { name, password, .. } = self;
        format!("postgres://{name}:{password}@{address}/{name}")
    }

    /// A connection as its owner.
    pub async fn connect(&self) -> Client {
        connect(&self.url()).await
    }
}

async fn connect(parameters: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(parameters, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}
