//! Modules that use each other in a circle can only be understood together: three are the most.

use crate::{
    modules::Modules,
    sources::{packages, short},
};

const MOST: usize = 3;

#[test]
fn no_cycle_of_modules_is_large() {
    let mut large = Vec::new();
    for package in packages("crates") {
        let cycle = Modules::of_package(&package).largest_cycle();
        if cycle.len() > MOST {
            let names: Vec<_> = cycle.iter().map(|module| module.join("::")).collect();
            large.push(format!("{}: {}", short(&package), names.join(", ")));
        }
    }
    assert!(large.is_empty(), "{}", large.join("\n"));
}
