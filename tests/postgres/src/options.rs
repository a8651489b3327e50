//! How a server is set up.

/// How a server is set up. By default it does not wait for the disk, which kills of the server do not show, and
/// speaks no TLS.
#[derive(Debug, Clone, Default)]
pub struct Options {
    is_durable: bool,
    pub(crate) tls: Tls,
    settings: Vec<String>,
}

/// Whether a server speaks TLS.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tls {
    /// It refuses it.
    #[default]
    Off,
    /// A client may have it.
    Offered,
    /// It lets nobody in over TCP without it.
    Required,
}

impl Options {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Every commit waits for the disk, and memory is as PostgreSQL sets it by itself: for measuring.
    pub fn durable(mut self) -> Self {
        self.is_durable = true;
        self
    }

    /// Whether it speaks TLS.
    pub fn tls(mut self, tls: Tls) -> Self {
        self.tls = tls;
        self
    }

    /// Sets one of PostgreSQL's settings.
    pub fn set(mut self, name: &str, value: &str) -> Self {
        self.settings.push(format!("{name}={value}"));
        self
    }

    /// All settings, a later one over an earlier one.
    pub(crate) fn settings(&self) -> Vec<String> {
        let mut settings = Vec::new();
        if !self.is_durable {
            settings.extend(["fsync=off", "full_page_writes=off", "shared_buffers=16MB"]);
        }
        if self.tls != Tls::Off {
            settings.extend([
                "ssl=on",
                "ssl_cert_file=../server.pem",
                "ssl_key_file=../server.key",
            ]);
        }
        let settings = settings.into_iter().map(str::to_owned);
        settings.chain(self.settings.iter().cloned()).collect()
    }
}
