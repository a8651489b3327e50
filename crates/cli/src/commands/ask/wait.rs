//! Asking in this terminal, while every other surface can answer too.

use crate::{
    shell::Shell,
    terminal::{
        self,
        prompt_ask::{self, PromptEnd},
    },
};
use futures::{FutureExt, future::BoxFuture};
use holdpoint::{
    Answer, Channel, ChannelKind, Decided, Delivery, DeliveryError, Desk, Showing, StandaloneAsk,
};
use tokio_util::sync::CancellationToken;

/// This terminal as a channel: it reaches its person, who is prompted beside the desk.
#[derive(Debug)]
pub struct AtTerminal;

impl Channel for AtTerminal {
    fn kind(&self) -> ChannelKind {
        ChannelKind::Terminal
    }

    fn deliver(&self, _: Showing) -> BoxFuture<'static, Result<Delivery, DeliveryError>> {
        std::future::ready(Ok(Delivery::Parked)).boxed()
    }
}

/// Prompts for the answer until there is one, from here or elsewhere.
pub async fn wait(
    shell: &Shell,
    desk: &Desk,
    opened: &mut StandaloneAsk,
    stop: impl Future<Output = ()>,
) -> anyhow::Result<Decided<Answer>> {
    tokio::pin!(stop);
    let Some(record) = desk.journal().ask(opened.id()).await? else {
        return Ok(opened.decided().await?);
    };
    let over = CancellationToken::new();
    let here = tokio::select! {
        biased;
        decided = opened.decided() => {
            // The prompt still waits for a key; it ends with the process.
            over.cancel();
            terminal::release();
            return Ok(decided?);
        }
        () = &mut stop => PromptEnd::Withdrawn,
        here = prompt_ask::prompt(shell, desk, &record, &over, None) => here?,
    };
    match here {
        PromptEnd::Replied => return Ok(opened.decided().await?),
        PromptEnd::Withdrawn => terminal::release(),
        PromptEnd::Parked => {
            eprintln!("It waits in the inbox; Ctrl-C withdraws it.");
            tokio::select! {
                biased;
                decided = opened.decided() => return Ok(decided?),
                () = stop => {}
            }
        }
    }
    opened.withdraw().await;
    Ok(opened.decided().await?)
}
