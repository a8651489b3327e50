//! The book: every command in it is run, or checked against the command line where that cannot be; every block that
//! claims to be configuration, a script or a call is read as one.
//!
//! | module | holds |
//! |---|---|
//! | `how` | what is run in which way, and what is not run, and why |
//! | `prepared` | a home in which somebody has used Holdpoint before |
//! | `parsed` | commands against the command line's own definition |
//! | `quoted` | blocks of configuration, scripts and calls |

mod how;
mod parsed;
mod prepared;
mod quoted;

use docs::{Block, Command, Page, chapters, commands};
use prepared::Prepared;

/// What is in a page that somebody may type.
fn typed(page: &Page) -> impl Iterator<Item = (Block, Vec<Command>)> {
    let blocks = page.blocks().into_iter();
    let with_commands = blocks.map(|block| {
        let commands = commands(&block);
        (block, commands)
    });
    with_commands.filter(|(_, commands)| !commands.is_empty())
}

/// One test for each page, so that they run side by side.
macro_rules! pages {
    ($($test:ident: $name:literal,)*) => {
        const PAGES: &[&str] = &[$($name),*];
        $(
            #[test]
            fn $test() {
                run($name);
            }
        )*
    };
}

pages! {
    readme: "README.md",
    checked: "docs/checked.md",
    clients: "docs/clients.md",
    coming_from_a_conductor: "docs/coming-from/conductor.md",
    coming_from_an_onboarding_guard: "docs/coming-from/onboarding-guard.md",
    coming_from_permission_prompts: "docs/coming-from/permission-prompts.md",
    coming_from_photon: "docs/coming-from/photon.md",
    coming_from_riotplan: "docs/coming-from/riotplan.md",
    getting_started: "docs/getting-started.md",
    channels: "docs/guides/channels.md",
    first_approval: "docs/guides/first-approval.md",
    one_inbox: "docs/guides/one-inbox.md",
    team: "docs/guides/team.md",
    inbox: "docs/inbox.md",
    programs: "docs/programs.md",
    prompts: "docs/prompts.md",
    record: "docs/record.md",
    releasing: "docs/releasing.md",
    scripts: "docs/scripts.md",
    shell: "docs/shell.md",
    tools: "docs/tools.md",
    trust: "docs/trust.md",
    upgrading: "docs/upgrading.md",
    workflows: "docs/workflows.md",
}

#[test]
fn every_page_with_commands_has_its_test() {
    let pages = chapters();
    let with_commands = pages
        .iter()
        .filter(|page| typed(page).next().is_some())
        .map(|page| page.name.as_str());
    let mut with_commands: Vec<_> = with_commands.collect();
    with_commands.sort_unstable();
    let mut tested = PAGES.to_vec();
    tested.sort_unstable();
    assert_eq!(with_commands, tested, "the list of pages in tests/it/book");
}

/// Types what a page says, one block after the other, each in a home of its own.
fn run(name: &str) {
    let page = Page::read(&docs::root().join(name));
    for (block, commands) in typed(&page) {
        let (left, run): (Vec<_>, Vec<_>) = commands
            .into_iter()
            .partition(|command| how::why_not_run(&command.text).is_some());
        for command in left {
            parsed::check(&format!("{name}:{}", command.line), &command.text);
        }
        if run.is_empty() {
            continue;
        }
        let mut home = Prepared::for_block(&block);
        for command in run {
            println!("{name}:{}: $ {}", command.line, command.text);
            parsed::check(&format!("{name}:{}", command.line), &command.text);
            home.types(&command.text);
        }
        home.check_events();
    }
}
