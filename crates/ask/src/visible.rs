//! Makes hidden characters in agent text visible.

use regex::Regex;
use std::{borrow::Cow, fmt::Write as _, sync::LazyLock};

/// Gives the text with everything invisible in it written out, as `⟨U+202E⟩`.
///
/// Control, escape, bidi, zero-width, tag, filler and other format characters are written out.
/// Kept as they are: newline, tab, a carriage return before a newline, and what ordinary writing
/// needs: the joiner inside an emoji sequence, the variation selector behind an emoji or in a
/// keycap, and (non-)joiners between two letters of the Arabic, Indic and neighbouring scripts.
/// Tag characters are always written out, in flags too: they are the usual way to hide text.
///
/// ```
/// use holdpoint_ask::visible;
///
/// assert_eq!(visible("pay\u{202e}lru"), "pay⟨U+202E⟩lru");
/// assert_eq!(visible("👩\u{200d}🔧 ok\n"), "👩\u{200d}🔧 ok\n");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    // Nothing below a space but newline and tab, and nothing beyond ASCII: no need to look closer.
    if text
        .bytes()
        .all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t'))
        || !HIDDEN.is_match(text)
    {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut rest = text.chars();
    while let Some(char) = rest.next() {
        if !is(&HIDDEN, char) || fits(shown.chars().next_back(), char, rest.clone().next()) {
            shown.push(char);
        } else {
            let _ = write!(shown, "⟨U+{:04X}⟩", char as u32);
        }
    }
    Cow::Owned(shown)
}

/// Whether a person sees all of this text.
pub fn is_visible(text: &str) -> bool {
    visible(text) == text
}

/// Whether ordinary writing has this hidden character between its two neighbours.
fn fits(before: Option<char>, char: char, after: Option<char>) -> bool {
    let before_is = |class: &Regex| before.is_some_and(|before| is(class, before));
    let after_is = |class: &Regex| after.is_some_and(|after| is(class, after));
    match char {
        '\r' => after == Some('\n'),
        '\u{200d}' if before_is(&EMOJI_END) && after_is(&EMOJI) => true,
        '\u{200c}' | '\u{200d}' => before_is(&JOINING) && after_is(&JOINING),
        '\u{fe0e}' | '\u{fe0f}' => {
            before_is(&EMOJI)
                || (after == Some('\u{20e3}')
                    && before.is_some_and(|before| matches!(before, '0'..='9' | '#' | '*')))
        }
        _ => false,
    }
}

fn is(class: &Regex, char: char) -> bool {
    class.is_match(char.encode_utf8(&mut [0; 4]))
}

fn class(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a character class that this file wrote")
}

/// All that is not seen; visible number signs of Arabic and Indic scripts count as format characters, too.
static HIDDEN: LazyLock<Regex> = LazyLock::new(|| {
    class(
        r"[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}\u{FFFC}]--[\n\t\p{Prepended_Concatenation_Mark}]]",
    )
});
static EMOJI: LazyLock<Regex> = LazyLock::new(|| class(r"\p{Extended_Pictographic}"));
static EMOJI_END: LazyLock<Regex> =
    LazyLock::new(|| class(r"[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{FE0F}]"));
static JOINING: LazyLock<Regex> = LazyLock::new(|| {
    class(
        r"[[\p{Arabic}\p{Syriac}\p{Mongolian}\p{Devanagari}\p{Bengali}\p{Gurmukhi}\p{Gujarati}\p{Oriya}\p{Tamil}\p{Telugu}\p{Kannada}\p{Malayalam}\p{Sinhala}\p{Khmer}\p{Myanmar}]&&[\p{L}\p{M}]]",
    )
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_written_out() {
        let check = |text: &str, shown: &str| {
            assert_eq!(visible(text), shown, "{text:?}");
            assert_eq!(visible(shown), shown, "twice is once: {text:?}");
        };
        check(
            "plain, with\na line and\ta tab",
            "plain, with\na line and\ta tab",
        );
        check("Grüße, 東京, ½ € – “ok”", "Grüße, 東京, ½ € – “ok”");
        check("\u{1b}[2Jgone", "⟨U+001B⟩[2Jgone");
        check("a\0b\u{7f}c\u{9b}d", "a⟨U+0000⟩b⟨U+007F⟩c⟨U+009B⟩d");
        check(
            "win\r\nlines, over\rwritten",
            "win\r\nlines, over⟨U+000D⟩written",
        );
        check("pay\u{202e}lru\u{202c}", "pay⟨U+202E⟩lru⟨U+202C⟩");
        check("\u{2066}iso\u{2069}", "⟨U+2066⟩iso⟨U+2069⟩");
        check("ap\u{200b}prove\u{feff}", "ap⟨U+200B⟩prove⟨U+FEFF⟩");
        check("ab\u{200d}cd\u{200c}", "ab⟨U+200D⟩cd⟨U+200C⟩");
        check("soft\u{ad}hyphen", "soft⟨U+00AD⟩hyphen");
        check("\u{2028}line", "⟨U+2028⟩line");
        check("x\u{e0041}\u{e0042}", "x⟨U+E0041⟩⟨U+E0042⟩");
        check("x\u{e0101}", "x⟨U+E0101⟩");
        check(
            "fill\u{3164}\u{115f}\u{2800}\u{34f}",
            "fill⟨U+3164⟩⟨U+115F⟩⟨U+2800⟩⟨U+034F⟩",
        );
        check(
            "👩\u{200d}🔧 👍🏽 ❤\u{fe0f} 1\u{fe0f}\u{20e3} 🇩🇪",
            "👩\u{200d}🔧 👍🏽 ❤\u{fe0f} 1\u{fe0f}\u{20e3} 🇩🇪",
        );
        check("🏳\u{fe0f}\u{200d}🌈", "🏳\u{fe0f}\u{200d}🌈");
        check(
            "a\u{fe0f} ❤\u{fe0f}\u{fe0f} 1\u{fe0f}",
            "a⟨U+FE0F⟩ ❤\u{fe0f}⟨U+FE0F⟩ 1⟨U+FE0F⟩",
        );
        check("a\u{fe0f}\u{200d}🔧", "a⟨U+FE0F⟩⟨U+200D⟩🔧");
        check("می\u{200c}خواهم", "می\u{200c}خواهم");
        check("क्\u{200d}ष", "क्\u{200d}ष");
        check("\u{200f}عربي", "⟨U+200F⟩عربي");
    }
}
