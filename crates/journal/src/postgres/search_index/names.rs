//! The names of servers, principals, workspaces, tools, clients, channels and outcomes, by number. They are kept
//! as bytes: two names that differ in a zero byte are two names.

use crate::{JournalError, postgres::query::select};
use deadpool_postgres::GenericClient;
use holdpoint_ask::Digest;
use std::collections::{BTreeSet, HashMap};

/// The number of a name; `NULL` where the index has no such name.
pub(super) fn number_of(parameter: usize) -> String {
    format!("(SELECT n.id FROM holdpoint.index_names n WHERE n.digest = ${parameter})")
}

/// What a name is found by.
pub(super) fn digest(name: &str) -> Vec<u8> {
    Digest::hash_bytes(name.as_bytes()).as_bytes().to_vec()
}

/// The numbers of those of these names that the index has.
pub(super) async fn numbers_of(
    client: &impl GenericClient,
    names: impl IntoIterator<Item = &str>,
) -> Result<Vec<i32>, JournalError> {
    let digests: Vec<Vec<u8>> = names.into_iter().map(digest).collect();
    let sql = "SELECT id FROM holdpoint.index_names WHERE digest = ANY($1)";
    let found = select(client, sql, &[&digests]).await?;
    Ok(found.iter().map(|row| row.get(0)).collect())
}

/// All names.
pub(super) async fn all(client: &impl GenericClient) -> Result<HashMap<i32, String>, JournalError> {
    let sql = "SELECT id, name FROM holdpoint.index_names";
    let found = select(client, sql, &[]).await?;
    let name = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(found
        .iter()
        .map(|row| (row.get(0), name(row.get(1))))
        .collect())
}

/// Names that get numbers together.
#[derive(Debug, Default)]
pub(super) struct NewNames<'a>(BTreeSet<&'a str>);

impl<'a> NewNames<'a> {
    pub fn add(&mut self, names: impl IntoIterator<Item = &'a str>) {
        self.0.extend(names);
    }

    /// Gives a number to each that has none.
    pub async fn number(
        self,
        client: &impl GenericClient,
    ) -> Result<HashMap<&'a str, i32>, JournalError> {
        let names: Vec<&str> = self.0.into_iter().collect();
        let digests: Vec<Vec<u8>> = names.iter().map(|name| digest(name)).collect();
        let bytes: Vec<&[u8]> = names.iter().map(|name| name.as_bytes()).collect();
        select(
            client,
            "INSERT INTO holdpoint.index_names (digest, name)
             SELECT * FROM unnest($1::bytea[], $2::bytea[]) ON CONFLICT (digest) DO NOTHING",
            &[&digests, &bytes],
        )
        .await?;
        let sql = "SELECT digest, id FROM holdpoint.index_names WHERE digest = ANY($1)";
        let found = select(client, sql, &[&digests]).await?;
        let numbers: HashMap<&[u8], i32> =
            found.iter().map(|row| (row.get(0), row.get(1))).collect();
        let number =
            |(name, digest): (&&'a str, &Vec<u8>)| Some((*name, *numbers.get(digest.as_slice())?));
        Ok(names.iter().zip(&digests).filter_map(number).collect())
    }
}
