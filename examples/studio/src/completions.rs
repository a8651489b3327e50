//! Completions: names of clips and keys, for the arguments of prompts and the template of resources.

use crate::{clips::Clips, key::Key, resources};
use rmcp::{
    ErrorData,
    model::{CompleteRequestParams, CompletionInfo, Reference},
};

/// What an argument could be, as far as it is typed.
pub fn complete(
    clips: &Clips,
    request: &CompleteRequestParams,
) -> Result<CompletionInfo, ErrorData> {
    let names = || {
        let names = clips.names();
        names.map_err(|error| ErrorData::internal_error(error.to_string(), None))
    };
    let unknown = || ErrorData::invalid_params("There is no such argument.", None);
    let of = match &request.r#ref {
        Reference::Prompt(prompt) => prompt.name.as_str(),
        Reference::Resource(template) => template.uri.as_str(),
        _ => return Err(unknown()),
    };
    let mut values = match (of, request.argument.name.as_str()) {
        ("describe_clip", "clip") | (resources::TEMPLATE, "name") => names()?,
        ("new_song", "key") => Key::names(),
        ("new_song", "mood") => Vec::new(),
        _ => return Err(unknown()),
    };
    values.retain(|value| value.starts_with(&request.argument.value));
    let mut info = CompletionInfo::default();
    info.total = u32::try_from(values.len()).ok();
    info.has_more = Some(values.len() > CompletionInfo::MAX_VALUES);
    values.truncate(CompletionInfo::MAX_VALUES);
    info.values = values;
    Ok(info)
}
