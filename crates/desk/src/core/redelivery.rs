//! Showing the asks of processes that are gone again, on the channels of this one.

use super::{
    ask_task::{Target, deliver, reach_deadline},
    channel::{Channel, Showing},
    desk::Desk,
    end_signal::EndSignal,
    open_ask::OpenAsk,
    small_future_set::SmallFutureSet,
};
use crate::sync::lock;
use holdpoint_ask::{AskId, ChannelKind};
use holdpoint_journal::{AskQuery, AskRecord, JournalError};
use std::sync::Arc;

impl Desk {
    /// Shows the open asks of this server again on the channels of its author's own, where the process that asked is
    /// gone: a chat that only that process watched would wait for nobody. An answer is on record from
    /// then on, and the same call again gets it. [`Holdpoint`](crate::Holdpoint) does this when it is
    /// made; gives how many there are.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let desk = holdpoint::Desk::open("memory:").await.unwrap();
    /// assert_eq!(desk.redeliver("my-server").await.unwrap(), 0);
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the record cannot be read.
    pub async fn redeliver(&self, server: &str) -> Result<usize, JournalError> {
        let mut channels = self.inner.channels.iter();
        if !channels.any(is_authors) {
            return Ok(0);
        }
        let query = AskQuery {
            open: true,
            ..AskQuery::default()
        };
        let mut count = 0;
        for record in self.journal().asks(query).await? {
            if record.origin.server.as_deref() == Some(server)
                && self.is_left_behind(&record).await?
            {
                count += usize::from(self.show_recorded(record));
            }
        }
        Ok(count)
    }

    /// Whether the process that asked is gone, and none has taken its call over.
    async fn is_left_behind(&self, record: &AskRecord) -> Result<bool, JournalError> {
        let Some(call) = record.call else {
            return Ok(false);
        };
        let Some(history) = self.journal().call(call).await? else {
            return Ok(false);
        };
        let owner = history.call.owner;
        let here = owner == self.journal().owner();
        Ok(!here && !self.journal().is_alive(owner).await?)
    }

    /// Shows an ask on the channels of the author's own, until it ended; false where nothing shows it, or
    /// it is shown already.
    fn show_recorded(&self, record: AskRecord) -> bool {
        let channels = self.channels_for(&record.ask);
        let channels: Vec<_> = channels
            .filter(|(_, channel)| is_authors(channel))
            .map(|(_, channel)| channel.clone())
            .collect();
        let id = record.id;
        if channels.is_empty() || self.live_ask(id).is_some() {
            return false;
        }
        let ended = EndSignal::default();
        let mut redelivered = lock(&self.inner.redelivered);
        if redelivered.contains_key(&id) {
            return false;
        }
        redelivered.insert(id, ended.clone());
        drop(redelivered);
        let showing = Showing {
            ended,
            after_restart: true,
            ..Showing::from_record(record)
        };
        tokio::spawn(run_recorded(self.clone(), showing, channels));
        true
    }

    /// The desk's own channels that are to be given an ask of this process. Those that show it already,
    /// since before its flow was run again, are not given it twice.
    pub(crate) fn channels_to_deliver(&self, open: &OpenAsk) -> Vec<(usize, Arc<dyn Channel>)> {
        let shown_again = lock(&self.inner.redelivered).contains_key(&open.id());
        let channels = self.channels_for(open.ask());
        channels
            .filter(|(place, channel)| {
                let is_given = open.is_parked_by(*place) || (shown_again && is_authors(channel));
                !is_given && open.is_shown_by(*place)
            })
            .map(|(place, channel)| (place, channel.clone()))
            .collect()
    }

    /// What says that this ask has ended: to its flow, and to the channels that show it since before that
    /// was run again.
    pub(crate) fn end_signal(&self, ask: AskId) -> EndSignal {
        let redelivered = lock(&self.inner.redelivered);
        redelivered.get(&ask).cloned().unwrap_or_default()
    }
}

fn is_authors(channel: &Arc<dyn Channel>) -> bool {
    matches!(channel.kind(), ChannelKind::Author(_))
}

/// Shows an ask of a process that is gone until it ended or its time is up.
async fn run_recorded(desk: Desk, showing: Showing, channels: Vec<Arc<dyn Channel>>) {
    let mut deliveries = SmallFutureSet::new();
    for channel in &channels {
        deliveries.push(deliver(&desk, Target::Recorded(&showing), channel));
    }
    let (id, ended) = (showing.id(), showing.ended.clone());
    loop {
        tokio::select! {
            biased;
            _ = ended.wait() => break,
            // The ask is its flow's and the inbox's too: that no channel shows it ends nothing.
            Some(_) = deliveries.next() => {}
            () = reach_deadline(&desk, id, showing.deadline_at()) => {
                match desk.time_out(id, showing.new.opened_at).await {
                    Ok(Some(_)) => break,
                    Ok(None) => {}
                    Err(error) => {
                        tracing::warn!(
                            error = &error as &dyn std::error::Error,
                            "an ask could not be ended"
                        );
                        break;
                    }
                }
            }
        }
    }
    while deliveries.next().await.is_some() {}
}
