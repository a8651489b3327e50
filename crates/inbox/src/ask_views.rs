//! Makes views of records, with what must be looked up for them.

use crate::{branches, gate::Visitor, server::Page, view::AskView};
use holdpoint::journal::{AskRecord, JournalError};

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
        let view = |record: &AskRecord| {
            let workspace = record.origin.workspace.as_ref();
            let branch = workspace.filter(|_| open(&record));
            let branch = branch.and_then(|folder| branches.get(folder)).cloned();
            AskView::new(record, branch, pin_set, self.desk().settings())
        };
        let views = records.iter().map(view).collect();
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

    /// Whether dangerous asks need a PIN of this visitor.
    pub(crate) async fn pin_set(&self, visitor: &Visitor) -> Result<bool, JournalError> {
        match visitor.person() {
            Some(person) => self.desk().pin_of(person).is_set().await,
            None => self.desk().pin().is_set().await,
        }
    }
}
