//! The client of these tests: a call goes from question to question until it is done.

pub use holdpoint_testkit::{
    Asked, Conversation as Client, ERAS, Era, Step, accept, cancel, decline,
};
