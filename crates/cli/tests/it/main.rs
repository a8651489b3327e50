//! The real binary: at a terminal, under clients of both eras, in a browser.

mod about_itself;
#[cfg(unix)]
mod attacks;
#[cfg(unix)]
mod book;
mod clients;
#[cfg(unix)]
mod database;
#[cfg(unix)]
mod demo;
mod doctor;
#[cfg(unix)]
mod doctor_machine;
mod doctor_prompts;
mod every_tool;
#[cfg(unix)]
mod hook;
#[cfg(unix)]
mod inbox;
mod init;
mod init_conductor;
mod init_conductor_text;
mod init_conductor_tools;
mod init_docs;
mod init_http;
mod init_remove;
#[cfg(unix)]
mod opencode_plugin;
#[cfg(unix)]
mod people;
#[cfg(unix)]
mod photon;
mod plan_folders;
mod plans;
#[cfg(unix)]
mod playground;
#[cfg(unix)]
mod programs;
#[cfg(all(unix, feature = "real-clients"))]
mod real;
mod record;
#[cfg(unix)]
mod recorded;
#[cfg(unix)]
mod scripts;
#[cfg(unix)]
mod serve;
mod support;
#[cfg(unix)]
mod team;
mod tools_list;
#[cfg(unix)]
mod uninstall;
#[cfg(unix)]
mod workspace_config;
