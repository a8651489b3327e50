//! An instruction file as text: what is in it, what is wrong with it, and its canonical form.
//!
//! | module | holds |
//! |---|---|
//! | [`document`], `sentences` | the file as blocks of whole lines, and the rules in them |
//! | [`rule_features`], [`lexicon`] | what a rule is about, as words that can be compared |
//! | [`similarity`] | rules whose words are nearly the same |
//! | [`analysis`] | the problems and the pattern |
//! | `duplicates`, `contradictions`, `unclear` | one kind of problem each |
//! | [`canonical`] | the migrated file, with nothing lost |
//! | `prose`, `sections`, `loss_check` | rules out of prose, the order of sections, the check that nothing is lost |
//!
//! Nothing here reads or writes a file.

pub(super) mod analysis;
pub(super) mod canonical;
mod contradictions;
pub(super) mod document;
mod duplicates;
mod lexicon;
mod loss_check;
mod prose;
mod rule_features;
mod sections;
mod sentences;
mod similarity;
mod unclear;

#[cfg(test)]
mod corpus;
#[cfg(test)]
mod properties;
