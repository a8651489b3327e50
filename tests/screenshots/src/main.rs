//! Makes pictures of the page: `tools/screenshots [FOLDER]`.

mod permission;
mod repository;
mod scene;
mod texts;
mod views;

use std::{fs, path::PathBuf};

#[tokio::main]
async fn main() {
    let folder = std::env::args()
        .nth(1)
        .unwrap_or("target/screenshots".into());
    let folder = PathBuf::from(folder);
    fs::create_dir_all(&folder).expect("the folder of the pictures");
    views::take(&folder).await;
    println!("The pictures are in {}.", folder.display());
}
