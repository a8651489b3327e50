//! Scripts: loaded, run, hostile, and under a desk.

mod flow;
mod hostile;
mod let_go;
mod library;
mod loading;
mod photon;
mod running;
mod support;
mod unasked;
mod waiting;
