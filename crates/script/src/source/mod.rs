//! A source, parsed: what it declares, and the JavaScript that the engine compiles.
//!
//! - `stack`, `patience`: how deep it may be nested, and how long it may take
//! - `imports`: what it wants of other modules
//! - `strip`, `enums`, `edits`: TypeScript without its types, everything else in its place
//! - `instance`: the same as a function, of which each call has an instance
//! - `outline`: its classes and functions
//! - `parameters`, `kinds`, `jsdoc`, `comments`: what they take, as types and comments say

mod comments;
mod edits;
mod enums;
mod imports;
mod instance;
mod jsdoc;
mod kinds;
mod outline;
mod parameter_properties;
mod parameters;
mod patience;
mod stack;
mod strip;
mod type_names;

pub(crate) use edits::Code;
pub(crate) use instance::Instance;
pub(crate) use outline::{Declared, Outline};

use crate::LoadError;
use comments::Comments;
use instance::instance;
use kinds::Kinds;
use oxc_allocator::Allocator;
use oxc_parser::{Parser, ParserReturn};
use oxc_span::SourceType;
use patience::{Gone, Patience};
use std::{sync::atomic::AtomicUsize, time::Duration};
use strip::Refused;

/// A parsed source.
#[derive(Debug)]
pub(crate) struct Source {
    pub code: Code,
    /// The code as a function, where it can be one.
    pub instance: Option<Instance>,
    pub outline: Outline,
    /// Why it could not be parsed, where only the engine can tell whether it is wrong.
    pub doubt: Option<LoadError>,
}

/// The endings of the files that are scripts, longest first.
const ENDINGS: [(&str, bool); 4] = [
    (".photon.ts", true),
    (".photon.js", false),
    (".ts", true),
    (".js", false),
];

/// The name of a script without its ending; none for a file that is no script, such as declarations of
/// types.
pub fn script_stem(file: &str) -> Option<&str> {
    if file.ends_with(".d.ts") {
        return None;
    }
    let stems = ENDINGS
        .iter()
        .filter_map(|(ending, _)| file.strip_suffix(ending));
    stems.into_iter().find(|stem| !stem.is_empty())
}

impl Source {
    /// Parses the source of this file.
    ///
    /// # Errors
    /// When it is wrong, imports another module, or could not be parsed on any stack.
    pub fn read(file: &str, text: &str) -> Result<Self, LoadError> {
        let typescript = file.ends_with(".ts");
        let Some(stack) = stack::needed(text) else {
            let message =
                "has more brackets and operators than can be parsed: split it into several scripts";
            return Err(LoadError::new(file, message));
        };
        let cannot = |why: &str| LoadError::new(file, format!("cannot be parsed: {why}"));
        let (name, text) = (file.to_owned(), text.to_owned());
        let parsed = PARSER.wait_for(stack, move || parse(&name, &text, typescript));
        parsed.unwrap_or_else(|gone| {
            Err(match gone {
                Gone::Busy => cannot("other scripts that take too long keep the parser busy"),
                Gone::TooLong => cannot("it is nested too deep, and takes too long"),
                Gone::Failed => cannot("the parser failed"),
                Gone::NoThread(error) => cannot(&error.to_string()),
            })
        })
    }
}

/// The parser tries several readings of what is nested, and cannot be stopped.
static PARSER: Patience = Patience {
    time: Duration::from_secs(5),
    most: 4,
    given_up: AtomicUsize::new(0),
};

fn parse(file: &str, text: &str, typescript: bool) -> Result<Source, LoadError> {
    let allocator = Allocator::default();
    let kind = if typescript {
        SourceType::ts()
    } else {
        SourceType::mjs()
    };
    let parsed = Parser::new(&allocator, text, kind).parse();
    let wrong = syntax_error(file, text, &parsed);
    if let (true, Some(wrong)) = (typescript, &wrong) {
        return Err(wrong.clone());
    }
    let at =
        |refused: Refused| LoadError::at_byte(file, text, refused.at as usize, &refused.message);
    let comments = Comments::new(text, &parsed.program.comments);
    let (code, erased) = if typescript {
        strip::strip(&parsed.program, comments).map_err(at)?
    } else {
        Default::default()
    };
    imports::check(&parsed.program, &erased).map_err(at)?;
    let kinds = Kinds::new(&allocator, &parsed.program, comments);
    let (code, instance) = if typescript {
        let written = Parser::new(&allocator, &code.text, SourceType::mjs()).parse();
        let whole = !written.panicked && written.diagnostics.errors().next().is_none();
        let instance = whole.then(|| instance(&written.program, &code.text));
        let instance = instance.flatten();
        (code, instance)
    } else {
        let instance = wrong.is_none().then(|| instance(&parsed.program, text));
        (Code::unchanged(text), instance.flatten())
    };
    Ok(Source {
        code,
        instance,
        outline: Outline::read(&parsed.program, comments, &kinds, typescript),
        doubt: wrong.filter(|_| parsed.panicked),
    })
}

/// The first thing that is wrong with a source.
fn syntax_error(file: &str, text: &str, parsed: &ParserReturn<'_>) -> Option<LoadError> {
    let error = parsed.diagnostics.errors().next()?;
    let at = error
        .labels
        .first()
        .map_or(0, |label| label.offset() as usize);
    let at = (0..=at.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at));
    let message = match &error.help {
        Some(help) => format!("SyntaxError: {} ({help})", error.message),
        None => format!("SyntaxError: {}", error.message),
    };
    Some(LoadError::at_byte(
        file,
        text,
        at.unwrap_or_default(),
        &message,
    ))
}
