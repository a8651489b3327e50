//! Runs scripts: generators that are started, and resumed with what their yields are answered with.
//!
//! A call is a pure function of its arguments, its seed, and the answers and times that it was given:
//! started anew with the same it does the same. So a call can be taken up again after a crash, and here
//! in another realm when its own was broken by a neighbour.

mod bytecode;
mod driver;
mod fault;
mod job;
mod limits;
mod line;
mod logs;
mod look;
mod memory;
mod pool;
mod realm;
mod running;
mod thrown;
mod value;
mod watch;

pub use fault::{At, Failed, ScriptError, Uncaught, What};
pub use limits::Limits;
pub use logs::LogLine;
pub use running::{Resume, Running, Said, Start, Thrown, Turn};

pub(crate) use bytecode::Bytecode;
pub(crate) use job::Method as Place;
pub(crate) use look::Look;
pub(crate) use pool::Pool;
pub(crate) use realm::compile;
pub(crate) use thrown::ONE_FILE;
