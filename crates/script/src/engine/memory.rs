//! Memory of a realm: counted, and bounded for the call that runs.
//!
//! QuickJS has a limit of its own, but only for a whole runtime, which several calls share, and it
//! ends the process (`abort`) when there is no memory left to settle a promise. So past the limit small
//! things are still given, for the moment until the interrupt handler ends the call for good.
//!
//! The engine looks at interrupts every 10,000 steps only, and one step can take seconds (a product of two
//! numbers with 500,000 bits each). Such steps need room for what comes of them: after a call's time they get none.
#![allow(unsafe_code)]

use super::time_limit::TimeLimit;
use rquickjs::allocator::{Allocator, RustAllocator};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

/// What is still given past the limit: more than one of the engine's own arenas.
const SMALL: usize = 8 << 10;

/// How much of that: the engine looks at interrupts every 10,000 steps.
const RESERVE: usize = 96 << 20;

/// What costs so much time to fill that the clock is read first.
const LARGE: usize = 16 << 10;

/// How much longer than its time a call gets room: the engine itself, which can say where, should stop it.
const GRACE: Duration = Duration::from_millis(200);

/// How much memory a realm has in use, and how much it may have.
#[derive(Debug, Default)]
pub(super) struct Meter {
    /// How long the call that runs may still compute.
    pub time: TimeLimit,
    used: AtomicUsize,
    limit: AtomicUsize,
    over: AtomicBool,
}

impl Meter {
    /// The bytes in use.
    pub fn used(&self) -> usize {
        self.used.load(Relaxed)
    }

    /// Sets how many bytes may be in use from now on; 0 is no limit.
    pub fn set_limit(&self, limit: usize) {
        self.limit.store(limit, Relaxed);
        self.over.store(false, Relaxed);
    }

    /// Whether more was asked for than the limit.
    pub fn is_over(&self) -> bool {
        self.over.load(Relaxed)
    }

    fn grants(&self, more: usize) -> bool {
        if more >= LARGE && self.time.check_by(GRACE) {
            return false;
        }
        let limit = self.limit.load(Relaxed);
        let wanted = self.used().saturating_add(more);
        if limit == 0 || wanted <= limit {
            return true;
        }
        self.over.store(true, Relaxed);
        more <= SMALL && wanted <= limit.saturating_add(RESERVE)
    }
}

/// The program's own allocator, counted.
pub(super) struct Counted(pub Arc<Meter>);

impl Counted {
    fn count(&self, block: *mut u8) -> *mut u8 {
        if !block.is_null() {
            // SAFETY: the block was just given by `RustAllocator`.
            let size = unsafe { RustAllocator::usable_size(block) };
            self.0.used.fetch_add(size, Relaxed);
        }
        block
    }
}

// SAFETY: every block comes from `RustAllocator` and goes back to it unchanged; a refusal is a null
// pointer, which the trait allows.
unsafe impl Allocator for Counted {
    fn alloc(&mut self, size: usize) -> *mut u8 {
        if self.0.grants(size) {
            self.count(RustAllocator.alloc(size))
        } else {
            std::ptr::null_mut()
        }
    }

    fn calloc(&mut self, count: usize, size: usize) -> *mut u8 {
        match count.checked_mul(size) {
            Some(total) if self.0.grants(total) => self.count(RustAllocator.calloc(count, size)),
            _ => std::ptr::null_mut(),
        }
    }

    unsafe fn dealloc(&mut self, block: *mut u8) {
        // SAFETY: the caller's promise is the one that `RustAllocator` asks for.
        unsafe {
            self.0
                .used
                .fetch_sub(RustAllocator::usable_size(block), Relaxed);
            RustAllocator.dealloc(block);
        }
    }

    unsafe fn realloc(&mut self, block: *mut u8, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise is the one that `RustAllocator` asks for.
        unsafe {
            let before = RustAllocator::usable_size(block);
            if size > before && !self.0.grants(size - before) {
                return std::ptr::null_mut();
            }
            let moved = RustAllocator.realloc(block, size);
            if !moved.is_null() {
                self.0.used.fetch_sub(before, Relaxed);
                self.count(moved);
            }
            moved
        }
    }

    unsafe fn usable_size(block: *mut u8) -> usize {
        // SAFETY: the caller's promise is the one that `RustAllocator` asks for.
        unsafe { RustAllocator::usable_size(block) }
    }
}
