//! `holdpoint token`: tokens, with which programs ask or answer in their own name.

use crate::{
    commands::serve::server_key::server_key,
    config::JournalArgs,
    shell::Shell,
    terminal::{person, prompt::Stop, reply},
    times,
};
use anyhow::bail;
use clap::{Args, Subcommand, ValueEnum};
use holdpoint_inbox::tokens::{May, Tokens};
use std::process::ExitCode;

/// The arguments of `holdpoint token`.
#[derive(Debug, Args)]
#[command(after_help = NOTE)]
pub struct TokenArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: TokenCommand,

    /// Where the record is.
    #[command(flatten)]
    pub journal: JournalArgs,
}

/// What can be done with tokens.
#[derive(Debug, Subcommand)]
pub enum TokenCommand {
    /// Make a token, and print it: once, it is not stored.
    Create {
        /// In whose name its holder asks or answers: small letters, digits and hyphens.
        name: String,
        /// What its holder may do; both with `ask,answer`. For one that may answer, your PIN is asked for where one
        /// is set.
        #[arg(long, value_enum, value_delimiter = ',', required = true)]
        may: Vec<Allowed>,
    },
    /// List the tokens.
    List,
    /// Revoke a token. It is good for nothing from now on, in every process.
    Revoke {
        /// Its name.
        name: String,
    },
    /// Print the key of `holdpoint serve --http`, for your own clients.
    Show,
}

/// What a token's holder may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Allowed {
    /// Ask, over MCP by HTTP and through the page's API, and read the answers.
    Ask,
    /// See the open asks and answer them through the page's API: nothing dangerous, nothing that counts only in
    /// person, and nothing that it asked itself.
    Answer,
}

const NOTE: &str = "\
A client sends the token as `Authorization: Bearer TOKEN`. What its holder asks and answers is recorded
under the token's name, and no other caller can see or continue it. That a token was made or revoked is
on record too. `holdpoint inbox --web` serves the page whose API takes it, with its description at
/api/openapi.json.
Examples:
  holdpoint token create build-server --may ask
  holdpoint token create phone --may answer
Exit codes: 0 done, 1 not done.";

/// Does it.
///
/// # Errors
/// When an agent runs this, the name does not fit, the PIN is wrong, or the tokens cannot be used.
pub async fn run(args: TokenArgs) -> anyhow::Result<ExitCode> {
    let shell = Shell::open_own(args.journal).await?;
    if !matches!(args.command, TokenCommand::List) {
        shell
            .refuse_agents("token", "Tokens are given by people")
            .await?;
    }
    if matches!(args.command, TokenCommand::Show) {
        println!("{}", server_key(shell.journal.as_ref()).await?);
        return Ok(ExitCode::SUCCESS);
    }
    if shell.config.journal.as_deref() == Some("memory:") {
        bail!(
            "tokens in a journal in memory are gone with this command: name another with --journal"
        );
    }
    let tokens = Tokens::new(shell.journal.clone()).made_by(&shell.user);
    match args.command {
        TokenCommand::Create { name, may } => {
            let may: Vec<May> = may.into_iter().map(May::from).collect();
            if may.contains(&May::Answer) {
                prove(&shell).await?;
            }
            println!("{}", tokens.create(&name, &may).await?);
            eprintln!(
                "This is the only copy of the token `{name}`: keep it where only its holder reads it."
            );
        }
        TokenCommand::List => list(&tokens).await?,
        TokenCommand::Revoke { name } => {
            if !tokens.revoke(&name).await? {
                bail!("there is no token `{name}`: `holdpoint token list` lists them");
            }
            eprintln!("The token `{name}` is revoked.");
        }
        TokenCommand::Show => {}
    }
    Ok(ExitCode::SUCCESS)
}

/// A token that answers does so in the place of the person: it needs their PIN, where one is set, typed at the
/// terminal.
async fn prove(shell: &Shell) -> anyhow::Result<()> {
    let pin = shell.desk(Vec::new()).await?.pin();
    let given = if pin.is_set().await? {
        if !person::is_here() {
            bail!("this needs your PIN, which is typed at a terminal");
        }
        match reply::pin("A token that answers needs your PIN".into()).await {
            Ok(given) => Some(given),
            Err(Stop::Fault(error)) => return Err(error.into()),
            Err(_) => bail!("no token was made"),
        }
    } else {
        None
    };
    Ok(pin
        .give(given.as_deref(), "a token that may answer")
        .await?)
}

async fn list(tokens: &Tokens) -> anyhow::Result<()> {
    let tokens = tokens.list().await?;
    if tokens.is_empty() {
        eprintln!("There are no tokens.");
    }
    for token in tokens {
        let may: Vec<_> = token.may.iter().map(|may| may.as_str()).collect();
        let made = times::here(token.created_at);
        println!("{}  may {}  made {made}", token.name, may.join(" and "));
    }
    Ok(())
}

impl From<Allowed> for May {
    fn from(allowed: Allowed) -> Self {
        match allowed {
            Allowed::Ask => Self::Ask,
            Allowed::Answer => Self::Answer,
        }
    }
}
