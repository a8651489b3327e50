//! A second look at a command that seems clear: every sign of a substitution must stand where a shell reads it as
//! plain text. The grammar has been wrong about that (backticks in here-documents).

use tree_sitter::Node;

/// Whether a sign of a substitution stands where it would be one.
pub(super) fn may_substitute(root: Node<'_>, source: &str) -> bool {
    let bytes = source.as_bytes();
    let sign = |at: &usize| match bytes[*at] {
        b'`' => true,
        b'$' | b'<' | b'>' | b'=' => bytes.get(at + 1) == Some(&b'('),
        _ => false,
    };
    let mut signs = (0..bytes.len()).filter(sign).peekable();
    if signs.peek().is_none() {
        return false;
    }
    signs.any(|at| !is_escaped(bytes, at) && !is_plain(root, source, at))
}

fn is_escaped(bytes: &[u8], at: usize) -> bool {
    let before = bytes[..at].iter().rev();
    before.take_while(|byte| **byte == b'\\').count() % 2 == 1
}

/// Whether the smallest node at a place, or one around it, is text that a shell leaves as it is.
fn is_plain(root: Node<'_>, source: &str, at: usize) -> bool {
    let mut node = root.descendant_for_byte_range(at, at + 1);
    while let Some(inner) = node {
        match inner.kind() {
            "raw_string" | "ansi_c_string" | "comment" | "arithmetic_expansion" => return true,
            "heredoc_redirect" => {
                let mut cursor = inner.walk();
                let start = inner
                    .children(&mut cursor)
                    .find(|child| child.kind() == "heredoc_start");
                let start = start.and_then(|start| source.get(start.byte_range()));
                return start.is_some_and(|start| start.contains(['"', '\'', '\\']));
            }
            _ => node = inner.parent(),
        }
    }
    false
}
