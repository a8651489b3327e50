//! Every package is installed as people install it, started, and taken away again; and what says where the packages are is
//! checked against its schema.
//!
//! | module | holds |
//! |---|---|
//! | `npm` | the npm packages, from `npm pack` to `npx`; the launcher in between |
//! | `wheel` | the wheel in an empty environment of Python |
//! | `debian` | the package for Debian, installed into a folder |
//! | `bundle` | the bundle for desktop clients, started by its own manifest |
//! | `installer` | the script for shells, with a server of this machine |
//! | `described` | `server.json`, the list of crates, the formula, the image, the checksums |
//! | `all_platforms` | what is made of the archives of every platform; and that the same input makes the same bytes |
//! | `crates` | the crates that are published, as `cargo package` would pack them |
//! | `release` | the workflow that calls `tools/package`, and the page that says how to release |

#![cfg(target_os = "linux")]

mod all_platforms;
mod bundle;
mod crates;
mod debian;
mod described;
mod installer;
mod npm;
mod release;
mod wheel;
