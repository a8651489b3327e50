//! The examples in `docs/rules.md` are rules.

use holdpoint_policy::Rules;

#[test]
fn each_example_in_the_docs_is_read() {
    let text = include_str!("../../../../docs/rules.md");
    let mut count = 0;
    for block in text.split("```toml").skip(1) {
        let block = block.split("```").next().unwrap();
        let read = if block.contains("# .holdpoint/rules.toml") {
            Rules::workspace(block, ".holdpoint/rules.toml")
        } else {
            Rules::own(block, "rules.toml")
        };
        read.unwrap_or_else(|error| panic!("{error}\n{block}"));
        count += 1;
    }
    assert!(count >= 4, "{count}");
}
