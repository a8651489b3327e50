//! `holdpoint`: people's decisions in the loop of AI agents, over MCP.

use std::process::ExitCode;

fn main() -> ExitCode {
    holdpoint_cli::main()
}
