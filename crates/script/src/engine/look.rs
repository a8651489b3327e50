//! Where modules are looked at when they are loaded. One realm does for all files of a folder: nothing in
//! it can be changed.

use super::{Bytecode, Limits, ScriptError, driver::Offered, realm::Realm};

/// A realm for looking at modules, made when the first one comes.
#[derive(Default)]
pub(crate) struct Look(Option<Realm>);

impl Look {
    /// Loads a module, under the limits of a call, and says what it offers.
    pub fn at(
        &mut self,
        file: &str,
        code: &Bytecode,
        limits: Limits,
    ) -> Result<Offered, ScriptError> {
        let mut realm = match self.0.take() {
            Some(realm) => realm,
            None => Realm::new(file, limits)?,
        };
        let offered = realm.look(file, code);
        // One that failed may have left anything undone.
        if offered.is_ok() && realm.roomy() {
            self.0 = Some(realm);
        }
        offered
    }
}
