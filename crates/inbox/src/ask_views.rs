//! Makes views of records, with what must be looked up for them.

use crate::{branches, gate::Visitor, server::Page, view::AskView};
use holdpoint::journal::{AskRecord, JournalError};

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
            let past = self.desk().rounds_before(record).await?;
            views.push(self.render(record, past, branch, pin_set).await);
        }
        let now = self.desk().now();
        // What a program reads, no person has in view.
        let seen = matches!(visitor, Visitor::Browser(_));
        for record in records.iter().filter(open).filter(|_| seen) {
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

    /// Whether dangerous asks need a PIN of this visitor.
    pub(crate) async fn pin_set(&self, visitor: &Visitor) -> Result<bool, JournalError> {
        match visitor.person() {
            Some(person) => self.desk().pin_of(person).is_set().await,
            None => self.desk().pin().is_set().await,
        }
    }
}
