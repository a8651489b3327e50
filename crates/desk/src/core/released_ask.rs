//! What is kept of an open ask whose flow was let go.

use super::{
    channel::Showing,
    end_signal::EndSignal,
    open_ask::{OpenAsk, lock_state},
};
use holdpoint_ask::{Answer, AskId};
use holdpoint_journal::{AskRecord, InClient};
use jiff::Timestamp;

/// What is kept of an open ask while its flow does not run: what the record does not say of it.
#[derive(Debug)]
pub(crate) struct ReleasedAsk {
    pub id: AskId,
    pub deadline_at: Option<Timestamp>,
    /// It was decided since.
    pub decided: bool,
    /// What its client was let do with it.
    pub in_client: InClient,
    sent_to_page: bool,
    failed_channels: u64,
    parked_channels: u64,
    /// What was valid in the last invalid reply and decides nothing.
    kept: Option<Box<Answer>>,
    /// Where a channel still waits to hear of the end.
    pub ended: Option<EndSignal>,
}

impl OpenAsk {
    /// What is to be kept of it when its flow is let go; none where something is still under way that would be
    /// lost: it is not on record, a channel has not parked it, a reply is looked at, it has a secret.
    pub fn release(&self) -> Option<ReleasedAsk> {
        if self.ended.is_set() || self.ask().form.has_secret() {
            return None;
        }
        let state = lock_state(self);
        let waits_in_form = usize::from(state.waits_in_form);
        let at_rest = state.recorded
            && state.unwanted.is_none()
            && state.offered.is_empty()
            && state.under_way == waits_in_form;
        at_rest.then(|| ReleasedAsk {
            id: self.id(),
            deadline_at: self.new.deadline_at,
            decided: false,
            in_client: self.in_client,
            sent_to_page: state.sent_to_page,
            failed_channels: state.failed_channels,
            parked_channels: state.parked_channels,
            kept: state.kept.clone().map(Box::new),
            ended: Some(self.ended.clone()),
        })
    }

    /// Its flow runs again: it goes on as it was.
    pub fn go_on(&self, released: ReleasedAsk) {
        let mut state = lock_state(self);
        state.was_shown = true;
        state.sent_to_page = released.sent_to_page;
        state.failed_channels = released.failed_channels;
        state.parked_channels = released.parked_channels;
        state.kept = released.kept.map(|kept| *kept);
    }
}

impl ReleasedAsk {
    /// What its client was shown of it.
    pub fn as_shown(&self, record: AskRecord) -> Showing {
        Showing {
            in_client: self.in_client,
            kept: self.kept.as_deref().cloned(),
            ..Showing::as_opened(record)
        }
    }

    /// Forgets how its end is told where nobody waits for that.
    pub fn forget_unheard(&mut self) {
        self.ended = self.ended.take().filter(EndSignal::is_waited_for);
    }

    /// The client has sent its person to where it is answered, and has nothing more to show.
    pub fn set_sent_to_page(&mut self) {
        self.sent_to_page = true;
    }
}
