//! Finds out what a module offers when it is loaded. One realm serves all files of a folder: nothing in
//! it can be changed.

use super::{Limits, ScriptError, bytecode::Bytecode, driver::Offered, realm::Realm};

/// A realm for inspecting modules, made when the first one comes.
#[derive(Default)]
pub(crate) struct ModuleInspector(Option<Realm>);

impl ModuleInspector {
    /// Loads a module, under the limits of a call, and says what it offers.
    pub fn inspect(
        &mut self,
        file: &str,
        code: &Bytecode,
        limits: Limits,
    ) -> Result<Offered, ScriptError> {
        let mut realm = match self.0.take() {
            Some(realm) => realm,
            None => Realm::new(file, limits)?,
        };
        let offered = realm.inspect(file, code);
        // One that failed may have left anything undone.
        if offered.is_ok() && realm.has_room() {
            self.0 = Some(realm);
        }
        offered
    }
}
