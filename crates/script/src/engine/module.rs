//! A compiled file, and the realms that run it.

use super::{Limits, bytecode::Code, job::MethodLocation, pool::Pool};

/// A compiled file.
#[derive(Debug)]
pub(crate) struct Module {
    /// The file's name, for messages.
    pub file: String,
    pub limits: Limits,
    pub code: Code,
    /// The methods that can be called.
    pub methods: Vec<MethodLocation>,
    pub(super) pool: Pool,
}

impl Module {
    pub fn new(file: String, limits: Limits, code: Code, methods: Vec<MethodLocation>) -> Self {
        Self {
            file,
            limits,
            code,
            methods,
            pool: Pool::default(),
        }
    }
}
