//! A module as bytecode: compiled once; a fresh instance of it for each call.
#![allow(unsafe_code)]

use rquickjs::{Ctx, Module, Result, WriteOptions, module::Declared};

/// Bytecode that this process has compiled. It is never read from anywhere.
#[derive(Debug)]
pub(crate) struct Bytecode(Vec<u8>);

/// What is loaded for a call.
#[derive(Debug)]
pub(crate) enum Code {
    /// A module, loaded anew for each.
    Module(Bytecode),
    /// A function, loaded once for a realm: to call it makes an instance.
    Function {
        code: Bytecode,
        /// How many columns there are in its first line before the source's own.
        indent: u32,
    },
}

impl Bytecode {
    /// Compiles the source of a module; nothing of it runs.
    pub fn compile(cx: &Ctx<'_>, file: &str, source: &str) -> Result<Self> {
        let module = Module::declare(cx.clone(), file, source)?;
        let options = WriteOptions {
            strip_source: true,
            ..WriteOptions::default()
        };
        module.write(options).map(Self)
    }

    /// A fresh module, with a scope of its own.
    pub fn load<'js>(&self, cx: &Ctx<'js>) -> Result<Module<'js, Declared>> {
        // SAFETY: the bytes are what `compile` wrote, with the same engine, in this process.
        unsafe { Module::load(cx.clone(), &self.0) }
    }
}
