//! The cluster that every server is a copy of. It is made once, and lies in the target folder.

use crate::programs::{as_server_user, close_to_others, give_to_server, program, run};
use std::{
    env,
    fs::{self, File},
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

/// Raised when what is in a template changes: an older one is then left alone.
const LAYOUT: u32 = 2;

/// Who may come in, and how. The socket lies in a folder that only the server's user can look into.
const WHO_MAY_COME_IN: &str = "\
local all postgres trust
local replication postgres trust
local all all scram-sha-256
host all all 127.0.0.1/32 scram-sha-256
";

/// A copy of the template: the cluster, the administrator's password, and certificates.
pub fn copy_to(folder: &Path) {
    static TEMPLATE: LazyLock<PathBuf> = LazyLock::new(find_or_make);
    copy(&TEMPLATE, folder);
}

/// The administrator's password, in a copy.
pub fn password(folder: &Path) -> String {
    fs::read_to_string(folder.join("password")).unwrap()
}

fn copy(from: &Path, to: &Path) {
    let mut command = Command::new("cp");
    command
        .args(["-a", "--reflink=auto", "-T"])
        .args([from, to]);
    run(command);
}

fn find_or_make() -> PathBuf {
    let mut version = program("postgres");
    version.arg("--version");
    let version = run(version);
    let number = version.split_whitespace().nth(2).unwrap();
    let cache = cache_folder();
    fs::create_dir_all(&cache).unwrap();
    let name = format!("postgres-{number}-{LAYOUT}");
    let template = cache.join(&name);
    // Of several test processes one makes it.
    let lock = File::create(cache.join(format!("{name}.lock"))).unwrap();
    lock.lock().unwrap();
    if !template.exists() {
        make(&template);
    }
    template
}

/// `tmp` in the target folder that this program was built in.
fn cache_folder() -> PathBuf {
    let program = env::current_exe().unwrap();
    let mut folders = program.ancestors();
    let profile = folders.find(|folder| folder.join("deps").is_dir());
    let target = profile.and_then(Path::parent);
    target.map_or_else(env::temp_dir, |target| target.join("tmp"))
}

fn make(template: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    close_to_others(folder);
    let mut random = [0; 16];
    getrandom::fill(&mut random).unwrap();
    let password: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    let file = folder.join("password");
    fs::write(&file, password).unwrap();
    give_to_server(&file);
    let mut initdb = program("initdb");
    initdb
        .args(["--no-sync", "--username=postgres", "--auth=scram-sha-256"])
        .args(["--encoding=UTF8", "--locale=C"])
        .arg(format!("--pwfile={}", file.display()))
        .arg(folder.join("data"));
    run(initdb);
    fs::write(folder.join("data/pg_hba.conf"), WHO_MAY_COME_IN).unwrap();
    certificates(folder);
    // Copied and then renamed, so that one that is there is whole.
    let new = tempfile::tempdir_in(template.parent().unwrap()).unwrap();
    copy(folder, new.path());
    fs::rename(new.keep(), template).unwrap();
}

/// An authority's certificate, and one for loopback that it signed.
fn certificates(folder: &Path) {
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    let days = "-days 3650";
    let authority = format!("req -x509 {key} {days} -keyout ca.key -out ca.pem -subj /CN=test-ca");
    let server = format!(
        "req -x509 {key} {days} -keyout server.key -out server.pem -subj /CN=localhost \
         -CA ca.pem -CAkey ca.key -addext basicConstraints=CA:FALSE \
         -addext subjectAltName=DNS:localhost,IP:127.0.0.1"
    );
    for arguments in [authority, server] {
        let mut openssl = as_server_user(Command::new("openssl"));
        openssl
            .args(arguments.split_whitespace())
            .current_dir(folder);
        run(openssl);
    }
}
