//! The one way to lock.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, also after a panic: what these guard is whole between any two statements, and a
/// panic in one flow must not take the desk down with it.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
