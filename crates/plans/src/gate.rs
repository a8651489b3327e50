//! A step that a person must approve: what they are shown, and what counts as a yes.

use super::{
    draft::line,
    locate::{PlanDir, PlanRoot},
    locked_plan::{LockedPlan, step_file},
    now,
    status::{Row, State, Status, two_digits},
    step_file::{StepFile, empty_boxes},
};
use holdpoint::tool::ToolError;
use holdpoint::{Answer, Ask, Digest, Field, Form, Kind, field::Text};
use holdpoint_ask::markdown::{cut, quoted};
use holdpoint_ask::{
    check::{MAX_FIELDS, MAX_MESSAGE},
    visible,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The step of a call that reads all this; the journal keeps it under this name.
pub(super) const STEP: &str = "step";
/// The most criteria: one field is for the person's own words.
const MOST: usize = MAX_FIELDS - 1;

/// How a step ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Closing {
    /// It is done.
    #[default]
    Complete,
    /// It is left out.
    Skip,
}

impl Closing {
    /// The state that it brings a step to.
    pub fn state(self) -> State {
        match self {
            Self::Complete => State::Completed,
            Self::Skip => State::Skipped,
        }
    }
}

/// A step as it was when its completion was asked for, or leaving it out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Gate {
    /// The plan's folder, from the workspace.
    pub path: String,
    pub step: u32,
    /// A person must approve it.
    pub gate: bool,
    /// It says that it is completed or left out already, and only the approval is missing.
    pub late: bool,
    name: String,
    file: String,
    body: String,
    criteria: Vec<String>,
    pub digest: Digest,
    #[serde(default)]
    pub closing: Closing,
}

impl Gate {
    /// Reads a step that is to be completed or left out, where it can be.
    pub fn read(
        root: &PlanRoot,
        place: &PlanDir,
        step: u32,
        closing: Closing,
        approved: bool,
    ) -> Result<Self, ToolError> {
        let status = root.status(place)?;
        let file = known_file(place, &status, step)?;
        let row = status.step(step);
        let asks = file.gate || closing == Closing::Skip;
        let late = asks && !approved && row.is_some_and(|row| row.state == closing.state());
        if !late {
            match closing {
                Closing::Complete => status.may_complete(step, &now())?,
                Closing::Skip => status.may_skip(step)?,
            }
        }
        if closing == Closing::Complete && file.gate && file.criteria.len() > MOST {
            return Err(ToolError::Refused {
                code: "STEP_FILE".into(),
                what: format!(
                    "{}/{} has {} acceptance criteria; a person can be shown {MOST}",
                    place.path.name(),
                    file.file,
                    file.criteria.len()
                ),
                next: "Nothing was changed: put some of them together, or split the step.".into(),
            });
        }
        Ok(Self {
            path: place.path.name().to_owned(),
            step,
            gate: file.gate,
            late,
            name: row.map(|row| row.name.clone()).unwrap_or_default(),
            digest: file.digest(),
            body: file.body().to_owned(),
            criteria: file.criteria,
            file: file.file,
            closing,
        })
    }

    /// Whether a person is asked. Nobody but a person leaves a step out.
    pub fn asks(&self) -> bool {
        self.gate || self.closing == Closing::Skip
    }

    /// What the person is asked.
    pub fn ask(&self, summary: Option<&str>) -> Ask {
        let (number, name) = (two_digits(self.step), line(&self.name));
        let mut message = match self.closing {
            Closing::Complete => format!("## Is step {number} “{name}” done?"),
            Closing::Skip => format!("## Leave step {number} “{name}” out?"),
        };
        message.push_str(&format!("\n\nPlan: `{}`", self.path));
        if self.late {
            message.push_str(&format!(
                "\n\n**It is marked {} already, and nobody's approval of what it says now is on record.**",
                self.closing.state().as_str()
            ));
        }
        if let Some(summary) = summary.map(str::trim).filter(|summary| !summary.is_empty()) {
            message.push_str(&format!("\n\nThe agent says:\n\n{}", quoted(summary)));
        }
        message.push_str(match self.closing {
            Closing::Skip if self.gate => {
                "\n\n**It has a gate: by a yes nobody will be asked whether it is done.** Steps that need it may start, as if it were completed."
            }
            Closing::Skip => "\n\nSteps that need it may start, as if it were completed.",
            Closing::Complete if self.criteria.is_empty() => {
                "\n\nIts file names no acceptance criteria."
            }
            Closing::Complete => "\n\nTick what is met. It completes only when all is ticked.",
        });
        let room = (MAX_MESSAGE - 4096).saturating_sub(message.len());
        let (kept, left_out) = cut(&self.body, room);
        let mut details = kept.trim().to_owned();
        if left_out > 0 {
            details.push_str(&format!(
                "\n\n**{left_out} bytes more are not shown here: read {}/{} before you decide.**",
                self.path, self.file
            ));
        }
        let form = self.fields().into_iter().collect::<Form>();
        let ask = Ask::new(message, form).details(format!("---\n\n{details}"));
        match self.closing {
            // What stood between it and its completion is gone for good.
            Closing::Skip if self.gate => ask.dangerous(),
            _ => ask,
        }
    }

    fn fields(&self) -> Vec<Field> {
        let mut fields: Vec<_> = self
            .names()
            .map(|(name, title)| Field::new(name, Kind::Confirm).title(title))
            .collect();
        let words = Text {
            max_length: Some(1000),
            multiline: true,
            ..Text::default()
        };
        fields.push(
            Field::new("notes", Kind::Text(words))
                .title("Notes (optional)")
                .optional(),
        );
        fields
    }

    /// The boxes, each with what is beside it.
    fn names(&self) -> impl Iterator<Item = (String, String)> + '_ {
        let whole = match self.closing {
            Closing::Skip => Some(("skip", "Leave this step out")),
            Closing::Complete if self.criteria.is_empty() => {
                Some(("approved", "This step is done"))
            }
            Closing::Complete => None,
        };
        let whole = whole.map(|(name, title)| (name.to_owned(), title.to_owned()));
        let ticked = self
            .criteria
            .iter()
            .filter(|_| self.closing == Closing::Complete);
        let criteria = ticked.zip(1..).map(|(text, place)| {
            let title: String = visible(text).chars().take(500).collect();
            (format!("criterion_{place}"), title)
        });
        whole.into_iter().chain(criteria)
    }

    /// What the person did not tick.
    pub fn unticked(&self, answer: &Answer) -> Vec<String> {
        self.names()
            .filter(|(name, _)| answer.get(name) != Some(&Value::Bool(true)))
            .map(|(_, title)| title)
            .collect()
    }

    /// Whether this is the step that was shown, under the same name and with the same text. A box that was
    /// ticked in the file since then, and the front matter, which nobody is shown, change nothing.
    pub fn is_about(&self, row: &Row, file: &StepFile) -> bool {
        self.closing.state() == row.state
            && self.name == row.name
            && empty_boxes(&self.body) == empty_boxes(file.body())
    }

    /// Whether what was shown is still what is there, when it is to be completed.
    pub fn still_holds(&self, held: &LockedPlan<'_>) -> Result<(), ToolError> {
        let file = known_file(held.place, &held.status, self.step)?;
        let same = file.digest() == self.digest && file.gate == self.gate;
        // Where nobody was shown anything, only a gate that came since then matters.
        if same || (!self.asks() && !file.gate) {
            return Ok(());
        }
        Err(ToolError::Refused {
            code: "STEP_FILE".into(),
            what: format!("{}/{} has changed since it was shown", self.path, self.file),
            next: "Nothing was completed: call again, so that the person sees what is there now."
                .into(),
        })
    }
}

/// A step's file. Where there is none, nobody knows whether it had a gate.
fn known_file(place: &PlanDir, status: &Status, step: u32) -> Result<StepFile, ToolError> {
    if status.step(step).is_none() {
        status.may_complete(step, &now())?;
    }
    step_file(place, step)?.ok_or_else(|| ToolError::Refused {
        code: "STEP_FILE".into(),
        what: format!(
            "{}/plan/{}-….md is not there, and only it can say whether a person must approve the step",
            place.path.name(), two_digits(step)
        ),
        next: "Nothing was completed: write the step's file, or ask the person for it.".into(),
    })
}
