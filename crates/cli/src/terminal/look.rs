//! What a terminal can show: styles, colours, struck-out text, characters beyond ASCII.

use anstream::{AutoStream, ColorChoice, stream::RawStream};
use anstyle::{Effects, Style};
use std::{borrow::Cow, env, fmt::Write as _, io};

/// What a terminal, or whatever else is written to, can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Bold, faint and the like.
    pub styles: bool,
    /// Colours, which are styles too.
    pub colours: bool,
    /// A line through struck-out text; where there is none, it is written `~~so~~`.
    pub strikes: bool,
    /// Characters beyond ASCII.
    pub unicode: bool,
}

/// Terminals that draw a line through struck-out text; of the others nobody knows, and text that only seems
/// to be there would be read as if it were.
const STRIKE: [&str; 14] = [
    "xterm",
    "tmux",
    "alacritty",
    "kitty",
    "foot",
    "wezterm",
    "ghostty",
    "konsole",
    "vte",
    "gnome",
    "contour",
    "rio",
    "iterm",
    "st-",
];

impl Look {
    /// All of it.
    pub const FULL: Self = Self {
        styles: true,
        colours: true,
        strikes: true,
        unicode: true,
    };
    /// Text alone.
    pub const PLAIN: Self = Self {
        styles: false,
        colours: false,
        strikes: false,
        unicode: true,
    };

    /// What this process's terminal can show, over the whole of its screen.
    pub fn of_screen() -> Self {
        let variable = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        Self::read(variable, true)
    }

    /// What is shown of what is printed to standard error.
    pub fn of_stderr() -> Self {
        Self::of_stream(&io::stderr())
    }

    /// What is shown of what is printed to standard output.
    pub fn of_stdout() -> Self {
        Self::of_stream(&io::stdout())
    }

    fn of_stream(stream: &impl RawStream) -> Self {
        let variable = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        Self::read(variable, AutoStream::choice(stream) != ColorChoice::Never)
    }

    /// As these variables say; `styled` where escape sequences reach the terminal.
    fn read(variable: impl Fn(&str) -> Option<String>, styled: bool) -> Self {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .into_iter()
            .find_map(&variable);
        let locale = locale.unwrap_or_else(|| "UTF-8".to_owned()).to_lowercase();
        let term = variable("TERM").unwrap_or_default();
        Self {
            styles: styled,
            colours: styled && variable("NO_COLOR").is_none(),
            strikes: styled && STRIKE.iter().any(|known| term.starts_with(known)),
            unicode: locale.contains("utf-8") || locale.contains("utf8"),
        }
    }

    /// The style as far as it can be shown.
    pub fn style(self, style: Style) -> Style {
        if !self.styles {
            return Style::new();
        }
        let style = if self.colours {
            style
        } else {
            style.fg_color(None).bg_color(None)
        };
        if self.strikes {
            style
        } else {
            style.effects(style.get_effects().remove(Effects::STRIKETHROUGH))
        }
    }

    /// The first of two where characters beyond ASCII are shown, the second otherwise.
    pub fn pick<T>(self, unicode: T, ascii: T) -> T {
        if self.unicode { unicode } else { ascii }
    }

    /// A text as it can be shown: what a poor locale has no character for is named.
    pub fn text(self, text: &str) -> Cow<'_, str> {
        if self.unicode || text.is_ascii() {
            return text.into();
        }
        let mut shown = String::with_capacity(text.len() + 16);
        for char in text.chars() {
            match char {
                '\0'..='\u{7f}' => shown.push(char),
                '“' | '”' | '„' => shown.push('"'),
                '‘' | '’' => shown.push('\''),
                '–' | '—' | '‐' | '‑' | '−' => shown.push('-'),
                '…' => shown.push_str("..."),
                '•' | '·' => shown.push('*'),
                '›' | '→' => shown.push('>'),
                '\u{a0}' => shown.push(' '),
                '⟨' => shown.push('<'),
                '⟩' => shown.push('>'),
                _ => drop(write!(shown, "<U+{:04X}>", char as u32)),
            }
        }
        shown.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Look {
        let find = |name: &str| {
            let found = variables.iter().find(|(key, _)| *key == name)?;
            Some(found.1.to_owned())
        };
        Look::read(find, true)
    }

    #[test]
    fn locales_and_terminals() {
        let unicode = |variables: &[(&str, &str)]| read(variables).unicode;
        assert!(unicode(&[]));
        assert!(unicode(&[("LANG", "de_DE.UTF-8")]));
        assert!(unicode(&[("LANG", "C.utf8")]));
        assert!(!unicode(&[("LANG", "C")]));
        assert!(!unicode(&[("LC_ALL", "POSIX"), ("LANG", "de_DE.UTF-8")]));
        assert!(!unicode(&[("LC_CTYPE", "de_DE.ISO-8859-1")]));
        assert!(read(&[("TERM", "xterm-256color")]).strikes);
        assert!(!read(&[("TERM", "linux")]).strikes);
        assert!(!read(&[("NO_COLOR", "1")]).colours);
    }

    #[test]
    fn what_a_poor_locale_has_no_character_for_is_named() {
        let poor = read(&[("LANG", "C")]);
        assert_eq!(poor.text("“é” – so…"), "\"<U+00E9>\" - so...");
        assert_eq!(Look::FULL.text("“é”"), "“é”");
    }
}
