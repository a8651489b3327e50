//! Exit codes that commands share; those of outcomes are `holdpoint_ask::describe::exit_code`.

/// Wrong usage, or an answer that does not fit its form.
pub const USAGE: u8 = 2;
/// Nobody can be reached.
pub const UNREACHABLE: u8 = 5;
/// Failed, invalid or withdrawn.
pub const FAILED: u8 = 6;
/// Stopped by Ctrl-C, as shells count it.
pub const INTERRUPTED: u8 = 130;
/// Nobody was asked: the record cannot be kept, or what is set is wrong.
pub const NOBODY_ASKED: u8 = 7;
