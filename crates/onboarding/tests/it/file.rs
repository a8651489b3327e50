//! Files as they are found: odd ones, large ones, links.

use super::{FILE, act, migrated, read, stand, write, yes};
use crate::setup;
use holdpoint_testkit::Era;
use std::fs;

#[tokio::test(start_paused = true)]
async fn what_cannot_be_read_is_told() {
    let stand = setup().stand().await;
    for (bytes, told) in [
        (&b"\xff\xfe"[..], "UTF-8"),
        (&vec![b'x'; (4 << 20) + 1][..], "at most"),
    ] {
        fs::create_dir_all(stand.path().join(".github")).unwrap();
        fs::write(stand.path().join(FILE), bytes).unwrap();
        let ended = act(&stand, Era::Legacy, "analyze", &[]).await;
        assert_eq!(ended.body["error"], "FILE");
        assert!(ended.text.contains(told), "{}", ended.text);
    }
}

#[cfg(unix)]
#[tokio::test(start_paused = true)]
async fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let stand = stand().await;
    let real = stand.path().join("docs.md");
    fs::rename(stand.path().join(FILE), &real).unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("../docs.md", stand.path().join(FILE)).unwrap();
    migrated(&stand, Era::Legacy).await;
    assert!(stand.path().join(FILE).is_symlink());
    assert_eq!(
        fs::metadata(&real).unwrap().permissions().mode() & 0o777,
        0o640
    );
    assert!(fs::read_to_string(&real).unwrap().contains("To be settled"));
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("x.md"), "- Use tabs.\n").unwrap();
    fs::remove_file(stand.path().join(FILE)).unwrap();
    symlink(outside.path().join("x.md"), stand.path().join(FILE)).unwrap();
    let ended = act(&stand, Era::Legacy, "analyze", &[]).await;
    assert_eq!(ended.body["error"], "FILE");
}

#[cfg(unix)]
#[tokio::test(start_paused = true)]
async fn a_backup_is_not_written_through_a_link() {
    let (stand, outside) = (stand().await, tempfile::tempdir().unwrap());
    for step in ["analyze", "propose"] {
        act(&stand, Era::Legacy, step, &[]).await;
    }
    act(&stand, Era::Legacy, "approve", &[yes("approve")]).await;
    let before = read(&stand.path());
    let backups = stand.path().join(".copilot-state/backup");
    std::os::unix::fs::symlink(outside.path(), backups).unwrap();
    let ended = act(&stand, Era::Legacy, "migrate", &[yes("migrate")]).await;
    assert_eq!(ended.body["error"], "FILE", "{}", ended.text);
    assert_eq!(read(&stand.path()), before);
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_clean_file_stays_as_it_is() {
    let text = "# Rules\n\n## Style\n\n- Use tabs.\n- Name files in lower case.\n";
    let stand = setup().stand().await;
    write(&stand.path(), text);
    migrated(&stand, Era::Modern).await;
    assert_eq!(read(&stand.path()), text);
    let ended = act(&stand, Era::Modern, "rollback", &[yes("rollback")]).await;
    assert_eq!(ended.body["state"], "not_started");
}

#[tokio::test(start_paused = true)]
async fn a_second_process_waits_for_the_lock() {
    let stand = stand().await;
    act(&stand, Era::Legacy, "analyze", &[]).await;
    let lock = fs::File::open(stand.path().join(".copilot-state/onboarding.lock")).unwrap();
    lock.lock().unwrap();
    let ended = act(&stand, Era::Legacy, "propose", &[]).await;
    assert_eq!(ended.body["error"], "FILE");
    assert!(ended.text.contains("nother process"), "{}", ended.text);
    let ended = act(&stand, Era::Legacy, "status", &[]).await;
    assert_eq!(ended.body["state"], "analyzed");
    lock.unlock().unwrap();
    let ended = act(&stand, Era::Legacy, "propose", &[]).await;
    assert_eq!(ended.body["state"], "proposed");
}
