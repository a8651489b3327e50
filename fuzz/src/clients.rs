//! The clients that forms are written for here.

use holdpoint_ask::{
    ClientProfile, Revision, known_clients,
    profile::{MultiSelect, Numbers, Titles},
};
use std::sync::LazyLock;

pub const REVISIONS: [Revision; 2] = [Revision::V2025_06_18, Revision::V2026_07_28];

/// An unknown client, and the known ones that get other forms.
pub static CLIENTS: LazyLock<Vec<ClientProfile>> = LazyLock::new(|| {
    let mut clients = vec![ClientProfile::default()];
    for known in known_clients() {
        if !clients.contains(&known.profile) {
            clients.push(known.profile.clone());
        }
    }
    clients
});

/// A client by its name, or one that differs from an unknown one in what is named here.
pub fn client(named: &str) -> ClientProfile {
    let Some(habits) = named.strip_prefix('=') else {
        return ClientProfile::for_client(named);
    };
    let mut profile = ClientProfile::default();
    for habit in habits.split_whitespace() {
        match habit {
            "enum-names" => profile.titles = Titles::EnumNames,
            "values" => profile.titles = Titles::Values,
            "booleans" => profile.multi_select = MultiSelect::Booleans,
            "text-numbers" => profile.numbers = Numbers::Text,
            "selects-nothing" => profile.preselects_first = false,
            "sorts" => profile.sorts_fields = true,
            "no-empty-text" => profile.optional_text = false,
            _ => {}
        }
    }
    profile
}
