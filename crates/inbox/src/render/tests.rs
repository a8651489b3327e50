use super::markdown;

#[test]
fn plain() {
    assert_eq!(
        markdown("Deploy **now**?"),
        "<p>Deploy <strong>now</strong>?</p>\n"
    );
}
