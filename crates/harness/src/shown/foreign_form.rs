//! A form of another MCP server.

use super::text::{code, one_line, quoted, title};
use crate::{Decision, FormRequest, FormWants, Incoming};
use holdpoint_ask::{
    Ask, Form,
    describe::{first_line, sentence},
};

/// Asks what the server asks; left to the harness where that is no form that can be shown here.
pub(super) fn ask(incoming: &Incoming, request: &FormRequest) -> Result<Ask, Decision> {
    let left = |reason: String| Decision::LeaveToHarness { reason };
    let schema = match &request.wants {
        FormWants::Fields(schema) => schema,
        FormWants::Visit(_) => {
            return Err(left("An address is opened by the harness itself.".into()));
        }
    };
    let form = Form::from_requested_schema(schema)
        .map_err(|error| left(sentence(&format!("the form cannot be shown: {error}"))))?;
    let message = format!(
        "## The MCP server {} asks\n\nIt asks through **{}**, in {}:\n\n{}",
        code(&request.server),
        incoming.harness.name(),
        code(&incoming.folder),
        quoted(&request.message)
    );
    let server = format!("{} asks", one_line(&request.server));
    let ask = Ask::new(message, form)
        .titled(title(&server, &first_line(&request.message)))
        .in_person();
    match ask.check() {
        Ok(()) => Ok(ask),
        Err(error) => Err(left(sentence(&format!(
            "the form cannot be shown: {error}"
        )))),
    }
}
