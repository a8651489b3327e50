//! Who hosts the page of a record.

use std::{any::Any, fmt};

/// Whether this process may host the page of its record. See
/// [`Journal::page_seat`](crate::Journal::page_seat).
#[derive(Debug)]
#[must_use = "the seat is held only until this is dropped"]
pub enum PageSeat {
    /// It alone may, until what this holds is dropped.
    Ours(Seat),
    /// Another process does.
    Taken,
    /// Every process may: the record is not of one machine, or of this process alone.
    Free,
}

/// What holds the one seat: a lock that goes with the process, however that ends.
pub struct Seat {
    _held: Box<dyn Any + Send + Sync>,
}

impl Seat {
    /// The seat for as long as this is held; for engines.
    pub fn new(held: impl Any + Send + Sync) -> Self {
        let held = Box::new(held);
        Self { _held: held }
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seat")
    }
}
