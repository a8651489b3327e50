//! Makes views of records, with what must be looked up for them.

use crate::{branches, gate::Visitor, server::Page, view::AskView};
use holdpoint::journal::{AskRecord, JournalError};

/// How many rounds before an ask are shown.
const MOST_ROUNDS: usize = 20;
/// A text of more bytes takes a while to render.
const LARGE: usize = 8 * 1024;

impl Page {
    /// The views of these records, for this visitor.
    pub(crate) async fn views(
        &self,
        records: &[AskRecord],
        visitor: &Visitor,
    ) -> Result<Vec<AskView>, JournalError> {
        let open = |record: &&AskRecord| record.decision.is_none();
        let folder = |record: &AskRecord| record.origin.workspace.clone();
        let folders = records.iter().filter(open).filter_map(folder).collect();
        let branches = branches::branches(folders).await;
        let pin_set = self.pin_set(visitor).await?;
        let mut views = Vec::with_capacity(records.len());
        for record in records {
            let workspace = record.origin.workspace.as_ref();
            let branch = workspace.filter(|_| open(&record));
            let branch = branch.and_then(|folder| branches.get(folder)).cloned();
            let past = self.rounds_before(record).await?;
            views.push(self.render(record, past, branch, pin_set).await);
        }
        let now = self.desk().now();
        for record in records.iter().filter(open) {
            self.first_given.note(record.id, now);
        }
        Ok(views)
    }

    /// The view of one record, for this visitor.
    pub(crate) async fn view(
        &self,
        record: &AskRecord,
        visitor: &Visitor,
    ) -> Result<AskView, JournalError> {
        let mut views = self.views(std::slice::from_ref(record), visitor).await?;
        Ok(views.remove(0))
    }

    /// Renders a record. What takes longer than a moment does so beside the server's own work.
    async fn render(
        &self,
        record: &AskRecord,
        past: Vec<AskRecord>,
        branch: Option<String>,
        pin_set: bool,
    ) -> AskView {
        let settings = self.desk().settings().clone();
        let record = record.clone();
        let large = record.ask.shown().len() > LARGE || !past.is_empty();
        let render = move || AskView::new(&record, &past, branch, pin_set, &settings);
        if !large {
            return render();
        }
        match tokio::task::spawn_blocking(render.clone()).await {
            Ok(view) => view,
            // The runtime is being shut down, or rendering panicked and does so again.
            Err(_) => render(),
        }
    }

    /// The asks of the rounds before this one, the newest first. A round that its own origin may not see is not told,
    /// nor what came before it: an ask names the one that it follows, and could name any.
    async fn rounds_before(&self, record: &AskRecord) -> Result<Vec<AskRecord>, JournalError> {
        let mut past: Vec<AskRecord> = Vec::new();
        let mut last = record;
        while past.len() < MOST_ROUNDS
            && let Some(id) = last.ask.round.as_ref().and_then(|round| round.follows)
            && id != record.id
            && past.iter().all(|known| known.id != id)
            && let Some(before) = self.desk().journal().ask(id).await?
            && before.origin.is_seen_by(&record.origin)
        {
            past.push(before);
            last = &past[past.len() - 1];
        }
        Ok(past)
    }

    /// Whether dangerous asks need a PIN of this visitor.
    pub(crate) async fn pin_set(&self, visitor: &Visitor) -> Result<bool, JournalError> {
        match visitor.person() {
            Some(person) => self.desk().pin_of(person).is_set().await,
            None => self.desk().pin().is_set().await,
        }
    }
}
