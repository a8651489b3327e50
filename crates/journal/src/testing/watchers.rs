//! Who watches: inboxes that are open now, in this process or another.

use super::fixture::Fixture;

pub async fn nobody_watches_until_somebody_says_so(fixture: &Fixture) {
    let Fixture { name, journal, .. } = fixture;
    assert!(!journal.is_watched().await.unwrap(), "{name}");
    let (page, list) = (journal.watch().await.unwrap(), journal.watch().await);
    assert!(journal.is_watched().await.unwrap(), "{name}");
    drop(page);
    assert!(journal.is_watched().await.unwrap(), "{name}: one is left");
    drop(list);
    assert!(!journal.is_watched().await.unwrap(), "{name}");
    let again = journal.watch().await.unwrap();
    assert!(journal.is_watched().await.unwrap(), "{name}: again");
    drop(again);
    assert_eq!(journal.head().await.unwrap(), 0, "it is not on record");
}

pub async fn another_process_sees_who_watches(fixture: &Fixture) {
    let Some(other) = &fixture.other_process else {
        return;
    };
    let watcher = fixture.journal.watch().await.unwrap();
    assert!(other.is_watched().await.unwrap(), "{}", fixture.name);
    let own = other.watch().await.unwrap();
    drop(watcher);
    assert!(fixture.journal.is_watched().await.unwrap());
    drop(own);
    assert!(!other.is_watched().await.unwrap(), "{}", fixture.name);
}
