//! What the addresses mean.

use super::{Viewer, view};
use crate::code;
use holdpoint::AskId;
use holdpoint_ask::describe::error_chain;
use rmcp::{ErrorData, model::Resource};

pub(super) const JSON: &str = "application/json";
pub(super) const MARKDOWN: &str = "text/markdown";

/// A resource.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Uri {
    OpenAsks,
    Ask(AskId),
    Recent,
    Plan(String),
}

impl Uri {
    pub fn parse(uri: &str) -> Option<Self> {
        let path = uri.strip_prefix("holdpoint://")?;
        match path.split_once('/')? {
            ("asks", "open") => Some(Self::OpenAsks),
            ("asks", id) => id.parse().ok().map(Self::Ask),
            ("decisions", "recent") => Some(Self::Recent),
            ("plans", code) if code::flaw(code).is_none() => Some(Self::Plan(code.to_owned())),
            _ => None,
        }
    }

    pub fn mime(&self) -> &'static str {
        match self {
            Self::Plan(_) => MARKDOWN,
            _ => JSON,
        }
    }

    /// What a list says of it.
    pub fn about(&self) -> Resource {
        let about = match self {
            Self::OpenAsks => Resource::new("holdpoint://asks/open", "open-asks")
                .with_title("Open asks")
                .with_description("Your questions that nobody has answered yet, in this workspace"),
            Self::Ask(id) => Resource::new(format!("holdpoint://asks/{id}"), "ask"),
            Self::Recent => Resource::new("holdpoint://decisions/recent", "recent-decisions")
                .with_title("Recent decisions")
                .with_description("The last decisions about your questions, in this workspace"),
            Self::Plan(code) => {
                Resource::new(format!("holdpoint://plans/{code}"), format!("plan-{code}"))
                    .with_description("The state of a plan, its STATUS.md")
            }
        };
        about.with_mime_type(self.mime())
    }

    /// What it holds for this viewer; none where there is no such thing for them.
    pub async fn text(&self, viewer: &Viewer) -> Result<Option<String>, ErrorData> {
        let read = match self {
            Self::OpenAsks => view::open(viewer).await.map(Some),
            Self::Recent => view::recent(viewer).await.map(Some),
            Self::Ask(id) => view::ask(viewer, *id).await,
            Self::Plan(code) => return Ok(plan(viewer, code).await),
        };
        let text = read.map_err(|error| ErrorData::internal_error(error_chain(&error), None))?;
        Ok(text.map(|value| format!("{value:#}")))
    }
}

async fn plan(viewer: &Viewer, code: &str) -> Option<String> {
    let (root, code) = (viewer.root.clone(), code.to_owned());
    let read = crate::blocking(move || {
        let place = root.find_by_code(&code).ok()?;
        root.read(&place, "STATUS.md").ok()
    });
    read.await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let id = AskId::new();
        let ask = format!("holdpoint://asks/{id}");
        assert_eq!(Uri::parse(&ask), Some(Uri::Ask(id)));
        for uri in [Uri::OpenAsks, Uri::Recent, Uri::Plan("add-login".into())] {
            assert_eq!(Uri::parse(&uri.about().uri), Some(uri));
        }
        for wrong in [
            "holdpoint://plans/../x",
            "holdpoint://plans/a/b",
            "holdpoint://plans/",
            "holdpoint://asks/closed",
            "holdpoint://asks",
            "file:///etc/passwd",
            "",
        ] {
            assert_eq!(Uri::parse(wrong), None, "{wrong}");
        }
    }
}
