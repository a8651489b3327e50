//! Streaming replicas, and failing over to one.

use crate::{
    Server,
    processes::PATIENCE,
    programs::{give_to_server, program, run},
};
use std::{fs, time::Instant};

impl Server {
    /// Starts a standby that follows this server. It is read-only until it is promoted.
    pub fn standby(&self) -> Self {
        Self::from_folder(self.options().clone(), |folder| {
            let mut backup = program("pg_basebackup");
            backup
                .args(["--dbname", &self.admin_parameters(), "--pgdata"])
                .arg(folder.join("data"))
                .args(["--wal-method=stream", "--checkpoint=fast", "--no-sync"])
                .arg("--write-recovery-conf");
            run(backup);
            for name in ["password", "ca.pem", "server.pem", "server.key"] {
                let file = folder.join(name);
                fs::copy(self.socket_folder().join(name), &file).unwrap();
                give_to_server(&file);
            }
        })
    }

    /// From now on a commit is acknowledged only once a standby has it on its disk.
    pub async fn wait_for_standby_at_commit(&self) {
        let admin = self.admin().await;
        for sql in [
            "ALTER SYSTEM SET synchronous_standby_names TO '*'",
            "SELECT pg_reload_conf()",
        ] {
            admin.batch_execute(sql).await.unwrap();
        }
        let sql = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
        let started = Instant::now();
        while admin.query_opt(sql, &[]).await.unwrap().is_none() {
            assert!(started.elapsed() < PATIENCE, "no standby follows");
            tokio::task::yield_now().await;
        }
    }

    /// Makes a standby a server of its own that can be written to.
    pub async fn promote(&self) {
        let admin = self.admin().await;
        let promoted = admin.query_one("SELECT pg_promote()", &[]).await.unwrap();
        assert!(promoted.get::<_, bool>(0), "the standby is not promoted");
    }
}
