//! Which version of a script goes on with a call.

use holdpoint::{FlowVersion, journal::CallRecord};
use holdpoint_script::{Program, version};

/// The version under which this file goes on with a call: a server of this version names itself
/// before the file, a shell and the page do not.
pub fn for_call(program: &Program, call: &CallRecord) -> FlowVersion {
    let own = version(program);
    let served = FlowVersion::for_server("holdpoint", env!("CARGO_PKG_VERSION")).with_tool(&own);
    if call.flow_version == served.as_str() {
        served
    } else {
        own
    }
}
