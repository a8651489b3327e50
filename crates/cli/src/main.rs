//! `holdpoint`: people's decisions in the loop of AI agents, over MCP.

use mimalloc::MiMalloc;
use std::process::ExitCode;

/// A call makes and drops hundreds of small things; the system's allocator took a quarter of its time.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    holdpoint_cli::main()
}
