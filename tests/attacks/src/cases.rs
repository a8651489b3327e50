//! That there are enough cases.

use holdpoint_testkit::{attack_cases, attack_folder};
use std::{collections::HashSet, fs};

/// The fewest cases that the corpus has.
const FEWEST: usize = 300;

#[test]
fn there_are_enough_cases_each_with_a_name_of_its_own() {
    let mut count = 0;
    for file in fs::read_dir(attack_folder()).unwrap() {
        let path = file.unwrap().path();
        let file = path.file_stem().unwrap().to_str().unwrap();
        let mut names = HashSet::new();
        for case in attack_cases(file) {
            assert!(
                names.insert(case.name.clone()),
                "{file}: {} twice",
                case.name
            );
        }
        count += names.len();
    }
    assert!(count >= FEWEST, "there are {count} cases");
}
