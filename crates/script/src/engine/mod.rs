//! Runs scripts: starts generators, and resumes them with the answers to their yields.
//!
//! A call is a pure function of its arguments, its seed, and the answers and times that it was given:
//! started again with the same it does the same. So a call can be resumed after a crash, and also in
//! another realm when its own was broken by another call.

mod builtin;
mod bytecode;
mod driver;
mod fault;
mod inspect;
mod interrupt;
mod job;
mod limits;
mod logs;
mod memory;
mod module;
mod pool;
mod realm;
mod realm_queue;
mod running;
mod thrown;
mod time_limit;
mod turn;
mod value;

pub use fault::{At, Failed, ScriptError, Uncaught, What};
pub use limits::Limits;
pub use logs::LogLine;
pub use running::Running;
pub use turn::{Resume, Start, Thrown, Turn, TurnEnd};

pub(crate) use builtin::MODULES;
pub(crate) use bytecode::Code;
pub(crate) use inspect::ModuleInspector;
pub(crate) use job::{Body, MethodLocation, Passing};
pub(crate) use logs::EMITTED;
pub(crate) use module::Module;
pub(crate) use realm::compile;
pub(crate) use thrown::ONE_FILE;
