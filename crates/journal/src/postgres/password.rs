//! Where the password is: in the address, in a file that holds nothing else, in a variable, or in libpq's list
//! of passwords (`.pgpass`).

use super::{connection_config::SOCKET_FOLDERS, connection_url::Parameters, tls::absolute};
use holdpoint_workspace::{Environment, read_text_file};
use std::path::{Path, PathBuf};

/// No file of passwords is larger.
const LARGEST: u64 = 256 * 1024;

/// The password, and why one that is there is not used.
///
/// # Errors
/// When a file that the address names cannot be used, in words.
pub(super) fn find(
    said: &Parameters,
    environment: &Environment,
) -> Result<(Option<String>, Option<String>), String> {
    if let Some(password) = said.get("password") {
        return Ok((Some(password.clone()), None));
    }
    if let Some(path) = said.get("password_file") {
        let path = absolute("password_file", path)?;
        return only_password(&path).map(|password| (Some(password), None));
    }
    if let Some(password) = environment.variable("PGPASSWORD") {
        return Ok((password.to_str().map(ToOwned::to_owned), None));
    }
    let text = |name: &str| said.get(name).map_or("", String::as_str);
    let hosts = text(if said.contains_key("host") {
        "host"
    } else {
        "hostaddr"
    });
    let ports: Vec<_> = text("port").split(',').collect();
    let logins: Vec<_> = hosts
        .split(',')
        .enumerate()
        .map(|(at, host)| {
            let port = ports.get(at).or(ports.first()).copied().unwrap_or("");
            Login {
                // As libpq has it: the usual socket is the local host.
                host: if SOCKET_FOLDERS.contains(&host) {
                    "localhost"
                } else {
                    host
                },
                port: if port.is_empty() { "5432" } else { port },
                database: text("dbname"),
                user: text("user"),
            }
        })
        .collect();
    if let Some(path) = said.get("passfile") {
        let path = absolute("passfile", path)?;
        return look_up(&path, &logins).map(|password| (password, None));
    }
    match usual_list(environment).filter(|path| path.exists()) {
        Some(path) => match look_up(&path, &logins) {
            Ok(password) => Ok((password, None)),
            Err(why) => Ok((None, Some(why))),
        },
        None => Ok((None, None)),
    }
}

/// For which connection a password is looked up.
#[derive(Debug, Clone, Copy)]
struct Login<'a> {
    host: &'a str,
    port: &'a str,
    database: &'a str,
    user: &'a str,
}

/// The password that is all that a file holds, but for the end of its line.
///
/// # Errors
/// When it cannot be read, in words.
fn only_password(path: &Path) -> Result<String, String> {
    let text = read(path)?;
    let text = text.strip_suffix('\n').unwrap_or(&text);
    let text = text.strip_suffix('\r').unwrap_or(text);
    if text.is_empty() {
        Err(format!("the password file {} is empty", path.display()))
    } else {
        Ok(text.to_owned())
    }
}

/// The list of passwords that libpq would read: the one that `PGPASSFILE` names, or `~/.pgpass`.
fn usual_list(environment: &Environment) -> Option<PathBuf> {
    match environment.variable("PGPASSFILE") {
        Some(named) => Some(PathBuf::from(named)),
        None => Some(environment.home()?.join(".pgpass")),
    }
}

/// The password that this list has for the first of these logins that it has one for.
///
/// # Errors
/// When it cannot be read, or others than its owner may read it, in words.
fn look_up(path: &Path, logins: &[Login<'_>]) -> Result<Option<String>, String> {
    check_private(path)?;
    let text = read(path)?;
    let lines = || text.lines().filter(|line| !line.starts_with('#'));
    let found = logins.iter().find_map(|login| {
        let wanted = [login.host, login.port, login.database, login.user];
        lines().find_map(|line| password_in(line, wanted))
    });
    Ok(found)
}

/// Refuses a file that others than its owner can read.
///
/// # Errors
/// In words, with what to do.
pub(super) fn check_private(path: &Path) -> Result<(), String> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = path.metadata().map(|about| about.permissions().mode());
        if mode.is_ok_and(|mode| mode & 0o077 != 0) {
            let path = path.display();
            return Err(format!(
                "{path} is not used, because others may read it: run `chmod 600 {path}`"
            ));
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    read_text_file(path, LARGEST).map_err(|error| {
        let path = path.display();
        format!("the password file {path} cannot be read: {error}")
    })
}

/// The password of a line whose first four fields fit. A backslash takes the meaning of what follows it.
fn password_in(line: &str, wanted: [&str; 4]) -> Option<String> {
    let mut rest = line;
    for wanted in wanted {
        let (field, behind, is_any) = split_field(rest)?;
        if !is_any && field != wanted {
            return None;
        }
        rest = behind;
    }
    let mut password = String::new();
    let mut letters = rest.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => password.extend(letters.next()),
            ':' => break,
            letter => password.push(letter),
        }
    }
    Some(password).filter(|password| !password.is_empty())
}

/// The first field, what is behind its colon, and whether it is a bare `*`.
fn split_field(line: &str) -> Option<(String, &str, bool)> {
    let mut field = String::new();
    let mut letters = line.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => field.extend(letters.next().map(|(_, letter)| letter)),
            ':' => return Some((field, &line[at + 1..], &line[..at] == "*")),
            letter => field.push(letter),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const LOGIN: Login<'_> = Login {
        host: "db",
        port: "5432",
        database: "team",
        user: "ada",
    };

    fn private(text: &str) -> tempfile::NamedTempFile {
        // Temporary files are their owner's only.
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), text).unwrap();
        file
    }

    #[test]
    fn the_first_line_that_fits_counts() {
        let check = |text: &str, wanted: Option<&str>| {
            let found = look_up(private(text).path(), &[LOGIN]).unwrap();
            assert_eq!(found.as_deref(), wanted, "{text:?}");
        };
        check("", None);
        check("db:5432:team:ada:pw", Some("pw"));
        check(
            "# db:5432:team:ada:no\nother:*:*:*:no\n*:*:*:ada:pw\n*:*:*:*:no\n",
            Some("pw"),
        );
        check("db:5433:team:ada:no\ndb:5432:team:bob:no\n", None);
        check("db:5432:team:ada", None);
        check("db:5432:team:ada:", None);
        check(r"db:5432:team:ada:a\:b\\c", Some(r"a:b\c"));
        check("db:5432:team:ada:pw:more", Some("pw"));
        check(r"\*:5432:team:ada:no", None);
        check("db:5432:team:ada:pw\r\n", Some("pw"));
    }

    #[test]
    fn escapes_count_in_every_field() {
        let login = Login {
            host: "fe80::1",
            user: r"a\b",
            ..LOGIN
        };
        let file = private(r"fe80\:\:1:5432:team:a\\b:pw");
        let found = look_up(file.path(), &[LOGIN, login]).unwrap();
        assert_eq!(found.as_deref(), Some("pw"));
    }

    #[cfg(unix)]
    #[test]
    fn a_list_that_others_may_read_is_not_used() {
        use std::os::unix::fs::PermissionsExt;
        let file = private("*:*:*:*:geheim");
        for mode in [0o640, 0o604, 0o620] {
            fs::set_permissions(file.path(), fs::Permissions::from_mode(mode)).unwrap();
            let error = look_up(file.path(), &[LOGIN]).unwrap_err();
            assert!(error.contains("chmod 600"), "{error}");
            assert!(!error.contains("geheim"), "{error}");
        }
    }

    #[test]
    fn a_file_of_one_password_loses_the_end_of_its_line() {
        let check = |text: &str, wanted: &str| {
            assert_eq!(only_password(private(text).path()).unwrap(), wanted);
        };
        check("pw", "pw");
        check("pw\n", "pw");
        check("pw \r\n", "pw ");
        check("p:w\\\n\n", "p:w\\\n");
        let error = only_password(private("\n").path()).unwrap_err();
        assert!(error.contains("is empty"), "{error}");
        let error = only_password(Path::new("/nowhere/pw")).unwrap_err();
        assert!(error.contains("/nowhere/pw cannot be read"), "{error}");
    }

    #[test]
    fn the_usual_list_is_libpqs() {
        let list = |variables: &[(&str, &str)]| {
            let environment = Environment::new(Path::new("/h"), variables.iter().copied());
            usual_list(&environment).unwrap()
        };
        assert_eq!(list(&[]), Path::new("/h/.pgpass"));
        assert_eq!(list(&[("PGPASSFILE", "/p")]), Path::new("/p"));
    }
}
