//! `holdpoint run`: a script in the terminal.
//!
//! | module | holds |
//! |---|---|
//! | [`args`] | the command line |
//! | [`arguments`], `missing_arguments` | the method's own arguments: given, or asked for |
//! | [`answers`] | answers given beforehand |
//! | `ask_surface` | the asks of a run: answered beforehand, prompted for here, left to the inbox |
//! | `screen` | what the script emits while it runs |
//! | `methods` | the methods of a script, listed and chosen |
//! | `dry_run` | `--asks`: what a method would ask |
//! | `resume` | `--resume`: going on with a run that was interrupted |
//! | [`version`] | which version of a script goes on with a call |
//! | [`output`] | what is printed: the result, and the exit code |

pub mod answers;
pub mod args;
pub mod arguments;
mod ask_surface;
mod dry_run;
mod methods;
mod missing_arguments;
pub mod output;
mod resume;
mod screen;
pub mod version;

pub use args::RunArgs;

use crate::{
    cli::Cli,
    commands::{
        exit_code::{FAILED, NOBODY_ASKED, USAGE},
        serve::shutdown,
    },
    server_name::SERVER_NAME,
    shell::Shell,
    terminal::person,
    tracing_setup,
};
use answers::Answers;
use anyhow::Context;
use args::RunOptions;
use arguments::{Given, Wrong};
use ask_surface::Surface;
use clap::CommandFactory;
use futures::{FutureExt, future::BoxFuture};
use holdpoint::{Desk, FlowRun, FlowStart, Origin, SCRIPT_METHOD, visible};
use holdpoint_script::{Job, Method, Program};
use holdpoint_workspace::{Workspace, describe};
use screen::Screen;
use serde_json::{Map, Value};
use std::{
    env,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

/// What scripts yield, for editors.
const TYPES: &str = include_str!("holdpoint.d.ts");

/// Runs a script's method, or does what else was asked for.
///
/// # Errors
/// None: what fails has an exit code of its own, since that of a no is a person's word.
pub async fn run(args: RunArgs) -> anyhow::Result<ExitCode> {
    Ok(execute(args).await.unwrap_or_else(|error| {
        eprintln!("holdpoint: {error:#}");
        ExitCode::from(FAILED)
    }))
}

async fn execute(args: RunArgs) -> anyhow::Result<ExitCode> {
    if args.own.types {
        print!("{TYPES}");
        return Ok(ExitCode::SUCCESS);
    }
    let Some(file) = &args.file else {
        return no_file(args.own).await;
    };
    let program = match Program::load(file) {
        Ok(program) => Arc::new(program),
        Err(error) => return Ok(wrong(&error.to_string())),
    };
    let (method, rest) = match methods::choose(&program, &args.rest) {
        Ok(chosen) => chosen,
        Err(code) => return Ok(code),
    };
    let Some(method) = method else {
        if args.own.resume.is_some() {
            return resume::run(&program, None, args.own).await;
        }
        return Ok(methods::list(&program));
    };
    let line = methods::line(&program, method);
    let Given { own, arguments } = match arguments::read(line, &method.arguments, rest) {
        Ok(given) => given,
        Err(Wrong::Line(error)) => {
            error.print()?;
            return Ok(ExitCode::from(USAGE));
        }
        Err(Wrong::Value(why)) => return Ok(wrong(&why)),
    };
    let own = args.own.and(own);
    if own.help {
        arguments::command(methods::line(&program, method), &method.arguments).print_help()?;
        return Ok(ExitCode::SUCCESS);
    }
    if own.resume.is_some() {
        return resume::run(&program, Some(method), own).await;
    }
    begin(&program, method, arguments, own).await
}

async fn no_file(own: RunOptions) -> anyhow::Result<ExitCode> {
    match own.resume.as_deref() {
        None => {}
        Some("") => return resume::list(own).await,
        Some(id) => {
            let id = visible(id);
            return Ok(wrong(&format!(
                "name the script whose run is continued: holdpoint run FILE --resume {id}. \
                 `holdpoint run --resume` lists what was interrupted"
            )));
        }
    }
    let mut all = Cli::command();
    all.build();
    let help = all
        .find_subcommand_mut("run")
        .context("there is no `run`")?;
    if own.help {
        help.print_help()?;
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!("{}", help.render_usage());
    Ok(wrong("name a script: holdpoint run FILE"))
}

/// Begins a run, or says what it would ask.
async fn begin(
    program: &Arc<Program>,
    method: &Method,
    mut arguments: Map<String, Value>,
    own: RunOptions,
) -> anyhow::Result<ExitCode> {
    let known = &method.arguments;
    if person::is_here_alone() && !missing_arguments::ask(known, &mut arguments).await? {
        return Ok(wrong("nothing was run"));
    }
    let missing = known.missing(&arguments);
    let names: Vec<String> = missing
        .map(|missing| format!("--{}", missing.name))
        .collect();
    if !names.is_empty() {
        return Ok(wrong(&format!("give {}", names.join(" and "))));
    }
    let workspace = match folder(own.workspace.as_deref()) {
        Ok(workspace) => workspace,
        Err(why) => return Ok(wrong(&why)),
    };
    if own.asks {
        dry_run::run(program, method, arguments, own.json).await;
        return Ok(ExitCode::SUCCESS);
    }
    let setup = match RunSetup::open(&own).await {
        Ok(setup) => setup,
        Err(code) => return Ok(code),
    };
    let begin = FlowStart::new(origin(&setup.shell, method, &workspace), SCRIPT_METHOD)
        .arguments(Value::Object(arguments.clone()))
        .version(holdpoint_script::version(program));
    let job = Job {
        program: program.clone(),
        method: method.name.clone(),
        arguments,
        workspace,
        private: setup.shell.private()?,
    };
    let emits = setup.screen.clone();
    let run = setup
        .desk
        .run(begin, |cx| holdpoint_script::run(cx, job, emits));
    setup.attend(run, &own).await
}

/// Everything that a run needs: the record, the desk, and what its asks are shown on.
struct RunSetup {
    shell: Shell,
    desk: Desk,
    surface: Surface,
    screen: Arc<Screen>,
    stop: BoxFuture<'static, ()>,
}

impl RunSetup {
    /// Opens all of it; an exit code where the answers cannot be read, or nobody can be asked.
    async fn open(own: &RunOptions) -> Result<Self, ExitCode> {
        let answers = own.answers.as_deref().map(Answers::read).transpose();
        let answers = answers.map_err(|why| wrong(&why))?.unwrap_or_default();
        Self::prepare(own, answers).await.map_err(|error| {
            eprintln!("holdpoint: nobody was asked, and nothing was run: {error:#}");
            ExitCode::from(NOBODY_ASKED)
        })
    }

    async fn prepare(own: &RunOptions, answers: Answers) -> anyhow::Result<Self> {
        tracing_setup::start_quietly()?;
        let shell = Shell::open(own.journal.clone()).await?;
        let answers = if own.answers.is_some() {
            not_of_agents(&shell, answers).await?
        } else {
            answers
        };
        let surface = Surface::new(&shell, shell.is_person_here(), answers);
        let desk = shell.desk(surface.channels.clone()).await?;
        Ok(Self {
            shell,
            desk,
            surface,
            screen: Arc::new(Screen::new()),
            // From before it begins: a Ctrl-C at any time takes back what is asked.
            stop: shutdown::requested()?.boxed(),
        })
    }

    /// Stays with a run until its end, and prints its result.
    async fn attend(self, run: FlowRun, own: &RunOptions) -> anyhow::Result<ExitCode> {
        let (shell, desk, screen) = (&self.shell, &self.desk, &self.screen);
        let attended = self.surface.attend(shell, desk, screen, &run, self.stop);
        let ended = attended.await?;
        run.recorded().await;
        let made = screen.end();
        let history = shell.journal.call(run.id()).await?;
        let asks = history.map(|history| history.asks).unwrap_or_default();
        output::print(own, &run, &asks, ended, &made)
    }
}

/// The answers, unless an agent gives them. A missing terminal is no obstacle: a build server has
/// its answers from a file too.
async fn not_of_agents(shell: &Shell, answers: Answers) -> anyhow::Result<Answers> {
    let Some(agent) = &shell.agent else {
        return Ok(answers);
    };
    shell.record_attempt(None, "run --answers", agent).await?;
    eprintln!(
        "holdpoint: the answers that were given beforehand are not used: this command seems to be \
         run by an agent: {agent}. The attempt is recorded"
    );
    Ok(Answers::default())
}

fn origin(shell: &Shell, method: &Method, workspace: &Path) -> Origin {
    Origin {
        principal: format!("{}{}", Origin::SHELL, shell.user),
        server: Some(SERVER_NAME.into()),
        client: Some(format!("{}'s shell", shell.user)),
        client_name: Some(format!("{}'s shell", shell.user)),
        tool: Some(method.tool.clone()),
        workspace: Some(workspace.to_string_lossy().into_owned()),
    }
}

/// The workspace: the current folder unless another was named.
fn folder(named: Option<&Path>) -> Result<PathBuf, String> {
    let path = match named {
        Some(path) => path.to_owned(),
        None => {
            env::current_dir().map_err(|why| format!("cannot find the current folder: {why}"))?
        }
    };
    match Workspace::open(&path) {
        Ok(workspace) => Ok(workspace.root().to_owned()),
        Err(error) => Err(format!(
            "--workspace {}: {}",
            path.display(),
            describe(&error)
        )),
    }
}

fn wrong(why: &str) -> ExitCode {
    eprintln!("holdpoint: {why}");
    ExitCode::from(USAGE)
}
