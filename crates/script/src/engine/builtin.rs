//! The modules that scripts may import: photon's, in code of our own. Nothing else is found by a name,
//! neither what another call runs nor what the engine keeps for itself.

use super::driver::Driver;
use rquickjs::{
    Ctx, Error, Module, Result, Runtime, Value,
    loader::{ImportAttributes, Loader, Resolver},
    module::{Declarations, Declared, Exports, ModuleDef},
};

/// What can be imported.
pub(crate) const MODULES: [&str; 2] = ["@portel/photon-core", "@portel/photon"];

/// What each of them offers.
const NAMES: [&str; 10] = [
    "io",
    "ask",
    "emit",
    "Photon",
    "PhotonMCP",
    "isAskYield",
    "isEmitYield",
    "isCheckpointYield",
    "getAskType",
    "getEmitType",
];

/// Makes the modules known where scripts are compiled or run, and no others.
pub(super) fn install(runtime: &Runtime) {
    runtime.set_loader(BuiltIn, BuiltIn);
}

/// What is wrong where a script imports something that is not there.
pub(super) fn missing(error: &str) -> Option<String> {
    let module = MODULES
        .iter()
        .find(|name| error.contains(&format!("'{name}'")))?;
    let name = error.split('\'').nth(1)?;
    Some(format!(
        "there is no `{name}` in {module}; it has {}",
        NAMES.join(", ")
    ))
}

struct BuiltIn;

impl Resolver for BuiltIn {
    fn resolve<'js>(
        &mut self,
        _: &Ctx<'js>,
        from: &str,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> Result<String> {
        match MODULES.iter().find(|module| **module == name) {
            Some(module) => Ok((*module).to_owned()),
            None => Err(Error::new_resolving(from, name)),
        }
    }
}

impl Loader for BuiltIn {
    fn load<'js>(
        &mut self,
        cx: &Ctx<'js>,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> Result<Module<'js, Declared>> {
        Module::declare_def::<Photon, _>(cx.clone(), name)
    }
}

struct Photon;

impl ModuleDef for Photon {
    fn declare(names: &Declarations<'_>) -> Result<()> {
        for name in NAMES {
            names.declare(name)?;
        }
        Ok(())
    }

    fn evaluate<'js>(cx: &Ctx<'js>, exports: &Exports<'js>) -> Result<()> {
        let offered = Driver::from_context(cx)?.photon()?;
        for name in NAMES {
            exports.export(name, offered.get::<_, Value>(name)?)?;
        }
        Ok(())
    }
}
