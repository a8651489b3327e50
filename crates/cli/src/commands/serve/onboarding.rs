//! The tool that takes over an instruction file, where this build has it (the feature `onboarding`).

use holdpoint::ToolSource;
use std::{path::Path, sync::Arc};

/// The tool, over this workspace.
#[cfg(feature = "onboarding")]
pub fn tools(workspace: &Path) -> Option<Arc<dyn ToolSource>> {
    Some(Arc::new(holdpoint_onboarding::OnboardingTools::new(
        workspace.to_owned(),
    )))
}

/// None.
#[cfg(not(feature = "onboarding"))]
pub fn tools(_: &Path) -> Option<Arc<dyn ToolSource>> {
    None
}
