//! The desk's layers, from the inside out: each uses itself and those before it.

use crate::{
    modules::Modules,
    sources::{root, rust_files, short},
    tokens::{each_group, is_word, tokens},
};

const LAYERS: [&str; 4] = ["core", "flow", "author", "mcp"];

/// Puts a desk together, so it knows every layer.
const BUILDER: &str = "builder";

/// Where a module's layer stands; what is in no layer stands before all, but for the builder, which
/// stands after all.
fn rank(module: &[String]) -> usize {
    if module[0] == BUILDER {
        return LAYERS.len() + 1;
    }
    LAYERS
        .iter()
        .position(|layer| module[0] == *layer)
        .map_or(0, |position| position + 1)
}

#[test]
fn the_desks_layers_have_one_arrow() {
    let desk = root().join("crates/desk");
    for layer in LAYERS {
        assert!(
            !rust_files(&desk.join("src").join(layer)).is_empty(),
            "{layer} is gone"
        );
    }
    let mut outward = Vec::new();
    for (module, used) in Modules::of_package(&desk).0 {
        for used in used.iter().filter(|used| rank(used) > rank(&module)) {
            outward.push(format!("{} uses {}", module.join("::"), used.join("::")));
        }
    }
    assert!(outward.is_empty(), "{}", outward.join("\n"));
}

#[test]
fn the_desks_core_knows_no_rmcp() {
    let mut naming = Vec::new();
    for file in rust_files(&root().join("crates/desk/src/core")) {
        let mut named = false;
        each_group(&tokens(&file), &mut |tokens| {
            named |= tokens.iter().any(|token| is_word(token, "rmcp"));
        });
        if named {
            naming.push(short(&file));
        }
    }
    assert!(naming.is_empty(), "rmcp is named in {naming:#?}");
}
