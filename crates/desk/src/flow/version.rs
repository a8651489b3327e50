//! The version of a flow.

use std::{fmt, sync::Arc};

/// The version of a flow, as its calls record it: a call that another version opened is not
/// resumed, since its code may ask other things in another order.
///
/// It names the server, the tool's own version, or both: `holdpoint 1.0, tidy.js 9f2c…`.
///
/// ```
/// use holdpoint::FlowVersion;
///
/// let tool = FlowVersion::new("tidy.js 9f2c");
/// let served = FlowVersion::for_server("studio", "1.0.0+build.7").with_tool(&tool);
/// assert_eq!(served.as_str(), "studio 1.0.0, tidy.js 9f2c");
/// assert!(served.is_of_tool(&tool));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FlowVersion(Arc<str>);

impl FlowVersion {
    /// The version with this text.
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self(text.into())
    }

    /// The version of all flows of a server. What semantic versioning calls build metadata (`+…`: a
    /// commit, a date) is left out: the same source built again resumes the calls of the build before.
    pub fn for_server(name: &str, version: &str) -> Self {
        let version = version.split('+').next().unwrap_or_default();
        Self(format!("{name} {version}").into())
    }

    /// The version of a tool that has one of its own, under a server of this version.
    pub fn with_tool(&self, tool: &Self) -> Self {
        Self(format!("{self}, {tool}").into())
    }

    /// Whether this is a version of that tool, whichever server, shell or page began it.
    pub fn is_of_tool(&self, tool: &Self) -> bool {
        let server = self.0.strip_suffix(tool.as_str());
        server.is_some_and(|server| server.is_empty() || server.ends_with(", "))
    }

    /// The text that is recorded.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FlowVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<T: Into<Arc<str>>> From<T> for FlowVersion {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flow_version_holds_no_build_commit_or_date() {
        let plain = FlowVersion::for_server("studio", "1.2.0-rc.1");
        for build in ["1.2.0-rc.1+9f2c41d", "1.2.0-rc.1+2026-11-16.dirty"] {
            assert_eq!(FlowVersion::for_server("studio", build), plain);
        }
    }

    #[test]
    fn a_tool_is_known_by_its_own_version_under_any_server() {
        let tool = FlowVersion::new("tidy.js 9f2c");
        let served = FlowVersion::for_server("holdpoint", "1.0").with_tool(&tool);
        assert_eq!(served.as_str(), "holdpoint 1.0, tidy.js 9f2c");
        assert!(served.is_of_tool(&tool) && tool.is_of_tool(&tool));
        assert!(!served.is_of_tool(&FlowVersion::new("tidy.js 0000")));
        assert!(!FlowVersion::new("untidy.js 9f2c").is_of_tool(&tool));
        assert!(!FlowVersion::for_server("holdpoint", "1.0").is_of_tool(&tool));
    }
}
