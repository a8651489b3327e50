//! Looking at repositories that want something from whoever looks.

mod faked_content;
mod hostile_repository;
mod kinds_of_repository;
mod repository;
