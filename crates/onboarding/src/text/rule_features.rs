//! What a rule is about, as words that can be compared.

use super::lexicon::{
    CONDITIONS, CONTRACTED, EXCEPTIONS, LOWER, MEASURES, NEGATORS, NUMBERS, PLACES, SAME, STOP,
    UPPER, WORLDS,
};
use rust_stemmers::{Algorithm, Stemmer};
use std::{collections::HashMap, sync::LazyLock};

/// A word of one document, by number.
pub(super) type Word = u32;

/// The words of one document, with what each is good for.
pub(super) struct Vocabulary {
    stemmer: Stemmer,
    known: HashMap<String, Known>,
    numbers: HashMap<String, Word>,
    texts: Vec<String>,
}

#[derive(Debug, Clone, Copy)]
struct Known {
    stem: Word,
    class: Class,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Class {
    stop: bool,
    negates: bool,
    place: bool,
    condition: bool,
    exception: bool,
    measure: bool,
    upper: bool,
    lower: bool,
    number: bool,
}

/// A rule, made comparable. Its sets are sorted.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RuleFeatures {
    /// All words that say something, as stems.
    pub words: Vec<Word>,
    /// Numbers in their order.
    pub numbers: Vec<Word>,
    /// It says what not to do.
    pub negative: bool,
    /// Its first clause, up to where a place or a condition begins.
    pub core: Vec<Word>,
    /// The places and conditions of its first clause.
    pub scope: Vec<Word>,
    /// "only", "except", "unless".
    pub exception: bool,
    /// What is set, where a number says to what.
    pub setting: Vec<Word>,
    /// Which side the number bounds.
    pub bound: Option<Bound>,
}

/// Which side a number bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Bound {
    Upper,
    Lower,
}

static CLASSES: LazyLock<HashMap<&'static str, Class>> = LazyLock::new(|| {
    let lists = [
        STOP, NEGATORS, PLACES, CONDITIONS, EXCEPTIONS, MEASURES, UPPER, LOWER,
    ];
    let is = |list: &[&str], word: &str| list.contains(&word);
    let words = lists.into_iter().flatten();
    let class = |word: &'static str| Class {
        stop: is(STOP, word),
        negates: is(NEGATORS, word),
        place: is(PLACES, word),
        condition: is(CONDITIONS, word),
        exception: is(EXCEPTIONS, word),
        measure: is(MEASURES, word),
        upper: is(UPPER, word),
        lower: is(LOWER, word),
        number: false,
    };
    words.map(|word| (*word, class(word))).collect()
});

const NOTHING: Class = Class {
    stop: false,
    negates: false,
    place: false,
    condition: false,
    exception: false,
    measure: false,
    upper: false,
    lower: false,
    number: false,
};

impl Vocabulary {
    pub fn new() -> Self {
        Self {
            stemmer: Stemmer::create(Algorithm::English),
            known: HashMap::new(),
            numbers: HashMap::new(),
            texts: Vec::new(),
        }
    }

    /// The number of a stem; none where the document has no such word.
    pub fn find(&self, stem: &str) -> Option<Word> {
        self.numbers.get(stem).copied()
    }

    /// The number of a word as it was written; none where the document has no such word.
    pub fn written(&self, word: &str) -> Option<Word> {
        self.known.get(word).map(|known| known.stem)
    }

    /// How many different words there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// The languages that a heading names.
    pub fn worlds(&self, heading: &str) -> Vec<String> {
        let words = split(heading).map(|(word, _)| word);
        words
            .filter(|word| WORLDS.contains(&word.as_str()))
            .collect()
    }

    fn word(&mut self, word: &str) -> Known {
        if let Some(known) = self.known.get(word) {
            return *known;
        }
        let plain = NUMBERS.iter().find(|(name, _)| *name == word);
        let plain = plain.map_or(word, |(_, number)| number);
        let same = SAME.iter().find(|(name, _)| *name == plain);
        let plain = same.map_or(plain, |(_, same)| same);
        let number = plain.starts_with(|char: char| char.is_ascii_digit());
        let class = CLASSES.get(plain).copied().unwrap_or(NOTHING);
        let stem = if number || plain.contains(['_', '/', '.', '-']) {
            plain.to_owned()
        } else {
            self.stemmer.stem(plain).into_owned()
        };
        let known = Known {
            stem: self.number_of(stem),
            class: Class { number, ..class },
        };
        self.known.insert(word.to_owned(), known);
        known
    }

    fn number_of(&mut self, stem: String) -> Word {
        let next = self.texts.len() as Word;
        let texts = &mut self.texts;
        *self.numbers.entry(stem).or_insert_with_key(|stem| {
            texts.push(stem.clone());
            next
        })
    }

    /// Reads a rule.
    pub fn features(&mut self, text: &str) -> RuleFeatures {
        let words: Vec<(Known, bool)> = split(text)
            .map(|(word, ends)| (self.word(&word), ends))
            .collect();
        let mut rule = RuleFeatures {
            words: Vec::new(),
            numbers: Vec::new(),
            negative: false,
            core: Vec::new(),
            scope: Vec::new(),
            exception: false,
            setting: Vec::new(),
            bound: None,
        };
        let mut bound = None;
        // A condition that comes first is a place of the clause behind it.
        let mut main = true;
        let mut in_core = true;
        let mut begins_with_condition = false;
        for (at, (word, ends)) in words.iter().enumerate() {
            let class = word.class;
            if at == 0 && (class.condition || class.place) {
                in_core = false;
                begins_with_condition = true;
            } else if class.place || class.condition {
                in_core = false;
            }
            rule.exception |= class.exception;
            if main && class.negates {
                rule.negative = true;
            }
            if class.upper {
                bound = bound.or(Some(Bound::Upper));
            } else if class.lower {
                bound = bound.or(Some(Bound::Lower));
            }
            if class.number {
                rule.numbers.push(word.stem);
            } else {
                if !class.stop && !class.negates {
                    rule.words.push(word.stem);
                    if main && in_core {
                        rule.core.push(word.stem);
                    } else if main {
                        rule.scope.push(word.stem);
                    }
                }
                if !class.stop && !class.measure && !class.negates {
                    rule.setting.push(word.stem);
                }
            }
            if *ends && main {
                match begins_with_condition {
                    true => (in_core, begins_with_condition) = (true, false),
                    // "Name: value" has its subject before the mark.
                    false if at + 1 < words.len() && !rule.core.is_empty() => main = false,
                    false => {}
                }
            }
        }
        rule.bound = match (bound, rule.negative) {
            (Some(Bound::Lower), true) => Some(Bound::Upper),
            (Some(Bound::Upper), true) => Some(Bound::Lower),
            (bound, _) => bound,
        };
        for set in [
            &mut rule.words,
            &mut rule.core,
            &mut rule.scope,
            &mut rule.setting,
        ] {
            set.sort_unstable();
            set.dedup();
        }
        rule
    }
}

/// The words of a text in lower case, and whether a clause ends behind each.
fn split(text: &str) -> impl Iterator<Item = (String, bool)> {
    let mut text = text.to_lowercase();
    let contracted = text.contains(['\'', '’']) || text.contains("dont");
    for (short, long) in CONTRACTED.iter().filter(|_| contracted) {
        if text.contains(short) {
            text = text.replace(short, long);
        }
    }
    let mut words = Vec::new();
    for part in text.split_whitespace() {
        let ends = part.ends_with([',', ';', ':', '—', '–']) || matches!(part, "-" | "–" | "—");
        for word in part.split(|char: char| !is_inner(char)) {
            let word = word
                .trim_matches(|char: char| !char.is_alphanumeric() && char != '+' && char != '#');
            let word = word.strip_suffix("'s").unwrap_or(word);
            if !word.is_empty() {
                numbered(word, &mut words);
            }
        }
        if ends && let Some((_, end)) = words.last_mut() {
            *end = true;
        }
    }
    words.into_iter()
}

/// `30s` is a number and its unit; `two-space` too.
fn numbered(word: &str, words: &mut Vec<(String, bool)>) {
    let digits = word.find(|char: char| !char.is_ascii_digit() && char != '.');
    if let Some(end) = digits.filter(|end| *end > 0)
        && word[end..].chars().all(char::is_alphabetic)
    {
        words.push((word[..end].trim_end_matches('.').to_owned(), false));
        words.push((word[end..].to_owned(), false));
        return;
    }
    if let Some((number, unit)) = word.split_once('-')
        && (number.bytes().all(|byte| byte.is_ascii_digit()) && !number.is_empty()
            || NUMBERS.iter().any(|(name, _)| *name == number))
        && unit.chars().all(char::is_alphabetic)
    {
        words.push((number.to_owned(), false));
        words.push((unit.to_owned(), false));
        return;
    }
    words.push((word.to_owned(), false));
}

fn is_inner(char: char) -> bool {
    char.is_alphanumeric() || "_-./'#+@".contains(char)
}
