//! `holdpoint hook`: a harness's prompt on standard input, the decision in its dialect on standard output.
//!
//! It never fails open: whatever goes wrong is a refusal in the harness's own words, unless the person's own file
//! says `on_failure = "harness"`.

mod around;
mod deadline;
mod person;

use crate::{
    commands::exit_code::USAGE,
    config::Environment,
    prompts::{
        decide::{self, Ruled},
        rules_files,
    },
};
use clap::Args;
use deadline::Deadline;
use holdpoint_harness::{
    Decision, Harness, HookReply, Prompt, leave_failure_to_harness, read, reply, reply_to_failure,
};
use holdpoint_policy::OnFailure;
use std::{
    io::{IsTerminal, Read, Write},
    process::ExitCode,
    time::{Duration, Instant},
};

/// A larger payload is refused.
const LARGEST: u64 = 16 * 1024 * 1024;

/// The arguments of `holdpoint hook`.
#[derive(Debug, Args)]
#[command(after_help = NOTE)]
pub struct HookArgs {
    /// The harness that calls: claude, codex, vscode, copilot, cursor, gemini or opencode.
    #[arg(value_parser = harness)]
    pub harness: Harness,

    /// Answer within so many seconds, whoever has answered by then: less than the time-out that the hook is
    /// registered with.
    #[arg(long, value_name = "SECONDS", default_value_t = 25,
        value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub within: u64,
}

const NOTE: &str = "\
`holdpoint init CLIENT --prompts` registers it; nobody types it. The rules are in rules.toml
(`holdpoint rules check`). What is neither allowed nor denied there is put to you, on the page or in
`holdpoint inbox`. Nothing is ever allowed because something failed.";

fn harness(word: &str) -> Result<Harness, String> {
    word.parse().map_err(|error| format!("{error}"))
}

/// Why a prompt could not be decided.
struct Failure {
    reason: String,
    on_failure: OnFailure,
}

impl Failure {
    fn new(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            on_failure: OnFailure::Deny,
        }
    }
}

/// Decides, and says so.
pub fn run(args: &HookArgs) -> ExitCode {
    if std::io::stdin().is_terminal() {
        eprintln!(
            "holdpoint: a harness calls this, with its prompt on standard input. `holdpoint init {} --prompts` \
             registers it; `holdpoint rules explain` says what your rules would do.",
            args.harness
        );
        return ExitCode::from(USAGE);
    }
    let until = Instant::now() + Duration::from_secs(args.within);
    let deadline = match Deadline::watch(args.harness, until) {
        Ok(deadline) => deadline,
        Err(error) => {
            let reason = format!("Holdpoint could not decide this: {error}.");
            return say(&reply_to_failure(args.harness, &[], &reason)).into();
        }
    };
    let mut payload = Vec::new();
    let input = std::io::stdin().take(LARGEST + 1).read_to_end(&mut payload);
    let payload = deadline.keep(payload);
    let decided = match input {
        Err(error) => Err(Failure::new(format!("standard input failed: {error}"))),
        Ok(_) if payload.len() as u64 > LARGEST => Err(Failure::new("the payload is too large")),
        // A panic must not become an exit code that a harness takes for "go on".
        Ok(_) => std::panic::catch_unwind(|| decided(args, payload, until))
            .unwrap_or_else(|_| Err(Failure::new("Holdpoint's hook failed; its log says why"))),
    };
    let said = decided.unwrap_or_else(|failure| {
        let reason = format!("Holdpoint could not decide this: {}.", failure.reason);
        match failure.on_failure {
            OnFailure::Deny => reply_to_failure(args.harness, payload, &reason),
            OnFailure::Harness => leave_failure_to_harness(args.harness, payload, &reason),
        }
    });
    deadline.take_word();
    say(&said).into()
}

fn decided(args: &HookArgs, payload: &[u8], until: Instant) -> Result<HookReply, Failure> {
    let environment = Environment::from_process();
    let around = around::surroundings(&environment);
    let incoming = read(args.harness, payload, &around);
    let mut incoming = incoming.map_err(|error| Failure::new(error.to_string()))?;
    let root = around::find_workspace(&mut incoming);
    match &incoming.prompt {
        Prompt::Nothing => return Ok(reply(&incoming, &Decision::NoOpinion)),
        Prompt::Over(over) => {
            // Nothing hangs on it but what a person sees: a turn must not be held up for that.
            if let Err(error) = person::withdraw(&incoming, over, until) {
                eprintln!("holdpoint: {error:#}");
            }
            return Ok(reply(&incoming, &Decision::NoOpinion));
        }
        _ => {}
    }
    let rules = rules_files::load(&environment, &root).map_err(|fault| Failure {
        reason: fault.reason,
        on_failure: fault.on_failure,
    })?;
    if let Ruled::Decided { decision, .. } = decide::decide(&incoming, &rules, &[]) {
        return Ok(reply(&incoming, &decision));
    }
    let on_failure = rules.on_failure();
    let decision = person::decide(&incoming, &rules, until);
    let decision = decision.map_err(|error| Failure {
        reason: format!("{error:#}"),
        on_failure,
    })?;
    Ok(reply(&incoming, &decision))
}

/// Writes the reply, and gives the exit code. One that cannot be written whole must not count as any.
fn say(said: &HookReply) -> u8 {
    let mut out = std::io::stdout().lock();
    let written = out
        .write_all(said.stdout.as_bytes())
        .and_then(|()| out.flush());
    // Nobody may read it.
    let _ = std::io::stderr().write_all(said.stderr.as_bytes());
    match written {
        Ok(()) => said.exit_code,
        Err(_) => 2,
    }
}
