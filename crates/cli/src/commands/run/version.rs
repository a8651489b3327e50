//! Which version of a script goes on with a call.

use holdpoint::journal::CallRecord;
use holdpoint_script::{Program, version};

/// The version under which this file goes on with a call: a server of this version names itself
/// before the file, a shell and the page do not.
pub fn of_call(program: &Program, call: &CallRecord) -> String {
    let own = version(program);
    let served = format!("holdpoint {}, {own}", env!("CARGO_PKG_VERSION"));
    if call.flow_version == served {
        served
    } else {
        own
    }
}
