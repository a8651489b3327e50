//! Rust files as tokens: no comments, and no code that only tests compile.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::{fs, path::Path};

/// The tokens of a file, without what stands behind `#[cfg(test)]`.
pub fn tokens(file: &Path) -> Vec<TokenTree> {
    let text = fs::read_to_string(file).unwrap();
    let stream: TokenStream = text
        .parse()
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    shipped(stream)
}

/// What is compiled without tests.
fn shipped(stream: TokenStream) -> Vec<TokenTree> {
    let mut rest = stream.into_iter().peekable();
    let mut shipped = Vec::new();
    while let Some(token) = rest.next() {
        let is_test = is_punct(&token, '#')
            && rest.peek().is_some_and(|attribute| {
                let text = attribute.to_string().replace(' ', "");
                text == "[cfg(test)]"
            });
        if !is_test {
            shipped.push(token);
            continue;
        }
        // The item ends with its braces, or with a semicolon.
        rest.next();
        for token in rest.by_ref() {
            if is_punct(&token, ';') || group(&token, Delimiter::Brace).is_some() {
                break;
            }
        }
    }
    shipped
}

/// The tokens of a group with these delimiters.
pub fn group(token: &TokenTree, delimiter: Delimiter) -> Option<Vec<TokenTree>> {
    match token {
        TokenTree::Group(group) if group.delimiter() == delimiter => Some(shipped(group.stream())),
        _ => None,
    }
}

/// Says whether a token is this character.
pub fn is_punct(token: &TokenTree, character: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == character)
}

/// Says whether a token is this word.
pub fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

/// Calls `visit` with the tokens of each group, from the outside in.
pub fn each_group(tokens: &[TokenTree], visit: &mut impl FnMut(&[TokenTree])) {
    visit(tokens);
    for token in tokens {
        if let TokenTree::Group(group) = token {
            each_group(&shipped(group.stream()), visit);
        }
    }
}

/// The string literals of a file, as they are written.
pub fn strings(file: &Path) -> Vec<String> {
    let mut strings = Vec::new();
    each_group(&tokens(file), &mut |tokens| {
        for (index, token) in tokens.iter().enumerate() {
            // A doc comment is an attribute with a string.
            let is_doc = index >= 2 && is_word(&tokens[index - 2], "doc");
            if let TokenTree::Literal(literal) = token
                && !is_doc
                && literal.to_string().contains('"')
            {
                strings.push(literal.to_string());
            }
        }
    });
    strings
}
