//! What a script threw, as a message with its place.

use super::{At, Uncaught, builtin, driver::Driver};
use rquickjs::{Ctx, Error, Object, Value};
use std::borrow::Cow;

/// The message for an import.
pub(crate) const ONE_FILE: &str = "a script is one file: it cannot import another";

/// How much of a message or a stack is kept.
const LONGEST: usize = 4 << 10;

impl Uncaught {
    pub(super) fn from_engine_error(error: &Error) -> Box<Self> {
        Box::new(Self {
            message: error.to_string(),
            ..Self::default()
        })
    }

    /// `SyntaxError: …`, as the console of a browser would have it.
    pub(crate) fn describe(&self) -> String {
        match &self.name {
            Some(name) => {
                let message = self.message.strip_suffix(": ''");
                let message = message.map(|message| format!("{message}: the end of the file"));
                format!("{name}: {}", message.as_ref().unwrap_or(&self.message))
            }
            None => self.message.clone(),
        }
    }
}

/// Takes what was thrown out of the context. In the file's first line, so many columns are not the source's own.
pub(super) fn wrong(cx: &Ctx<'_>, file: &str, indent: u32, error: &Error) -> Box<Uncaught> {
    let mut wrong = Uncaught::from_engine_error(error);
    wrong.at = At::file(file);
    if !error.is_exception() {
        return wrong;
    }
    let value = cx.catch();
    match value.as_object() {
        Some(object) => read_object(&mut wrong, (file, indent), cx, object, value.is_error()),
        None => wrong.message = primitive(cx, &value),
    }
    // A getter of what was thrown may have thrown too.
    cx.catch();
    if wrong.message.is_empty() {
        let name = wrong.name.clone();
        wrong.message = name.unwrap_or_else(|| "an error without a message".into());
    }
    wrong
}

fn read_object<'js>(
    wrong: &mut Uncaught,
    (file, indent): (&str, u32),
    cx: &Ctx<'js>,
    object: &Object<'js>,
    is_error: bool,
) {
    let get = |key: &str| {
        let value: Value = object.get(key).ok()?;
        text(cx, &value)
    };
    let message = get("message").filter(|message| is_error || !message.is_empty());
    wrong.message = match message {
        Some(message) if message.starts_with("Error resolving module") => ONE_FILE.to_owned(),
        Some(message) if message.starts_with("Could not find export") => {
            builtin::missing(&message).unwrap_or(message)
        }
        Some(message) => message,
        None => shown(cx, object),
    };
    if is_error {
        wrong.name = get("name");
        (wrong.at, wrong.stack) = frames(file, indent, &get("stack").unwrap_or_default());
        wrong.outcome = Driver::from_context(cx)
            .ok()
            .and_then(|driver| driver.outcome(object));
    }
}

fn shown<'js>(cx: &Ctx<'js>, object: &Object<'js>) -> String {
    let json = cx.json_stringify(object.clone()).ok().flatten();
    let json = json.and_then(|json| text(cx, json.as_value()));
    format!("threw {}", json.as_deref().unwrap_or("an object"))
}

fn primitive<'js>(cx: &Ctx<'js>, value: &Value<'js>) -> String {
    if let Some(text) = text(cx, value) {
        return text;
    }
    let found = match (value.as_number(), value.as_bool()) {
        (Some(number), _) => number.to_string(),
        (_, Some(truth)) => truth.to_string(),
        _ => value.type_name().to_owned(),
    };
    format!("threw {found}")
}

fn text<'js>(cx: &Ctx<'js>, value: &Value<'js>) -> Option<String> {
    let string = value.as_string()?;
    let text = match Driver::from_context(cx) {
        Ok(driver) => driver.text(string).ok()?,
        Err(_) => string.to_string().ok()?,
    };
    Some(match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    })
}

/// The frames of a stack that lie in the script, and the place of the first.
fn frames(file: &str, indent: u32, stack: &str) -> (At, String) {
    let own = stack.lines().filter(|frame| place(file, frame).is_some());
    let own = own.map(|frame| outdent(file, indent, frame.trim()));
    let own: Vec<_> = own.collect();
    let (line, column) = own
        .first()
        .and_then(|frame| place(file, frame))
        .unwrap_or((None, None));
    let file = file.to_owned();
    (At { file, line, column }, own.join("\n"))
}

/// A frame with its column in the source.
fn outdent<'s>(file: &str, indent: u32, frame: &'s str) -> Cow<'s, str> {
    match place(file, frame) {
        Some((Some(1), Some(column))) if indent > 0 => {
            let own = column.saturating_sub(indent).max(1);
            let (there, here) = (format!("{file}:1:{column}"), format!("{file}:1:{own}"));
            Cow::Owned(frame.replace(&there, &here))
        }
        _ => Cow::Borrowed(frame),
    }
}

/// `FILE:LINE:COLUMN` in a frame.
fn place(file: &str, frame: &str) -> Option<(Option<u32>, Option<u32>)> {
    let (_, place) = frame.rsplit_once(&format!("{file}:"))?;
    let mut numbers = place
        .split(|character: char| !character.is_ascii_digit())
        .map(|digits| digits.parse().ok());
    Some((numbers.next().flatten(), numbers.next().flatten()))
}
