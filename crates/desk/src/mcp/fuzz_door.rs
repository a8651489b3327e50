//! A door for the fuzz targets of what clients send, which only they compile.

use super::{
    message_reader::{self, Reading},
    request_state::{Sealed, StateSealer},
    stdio_decoder::{Line, StdioDecoder, straight},
};
use bytes::BytesMut;
use holdpoint_ask::{CallId, Origin};
use holdpoint_journal::CallBinding;
use jiff::Timestamp;
use rmcp::{RoleServer, service::RxJsonRpcMessage};
use serde_json::{Value, json};
use tokio_util::codec::Decoder;

/// What these bytes say, one read after the other; a line may have `longest` bytes.
pub fn decode(reads: &[&[u8]], longest: usize) -> Vec<Value> {
    let (mut decoder, mut read) = (StdioDecoder::with_longest(longest), BytesMut::new());
    let mut lines = Vec::new();
    for bytes in reads {
        read.extend_from_slice(bytes);
        while let Ok(Some(line)) = decoder.decode(&mut read) {
            lines.push(shown(line));
        }
    }
    while let Ok(Some(line)) = decoder.decode_eof(&mut read) {
        lines.push(shown(line));
    }
    lines
}

fn shown(line: Line) -> Value {
    match line {
        Line::Message(message) => json!(message),
        Line::Refused(refusal) => json!({ "refused": refusal.why, "id": refusal.id }),
    }
}

/// The message in a line that is a call or an answer with nothing unusual about it.
pub fn read_straight(line: &[u8]) -> Option<Value> {
    straight(line).map(|message| json!(message))
}

/// The message in a line, read strictly and then by rmcp, where nothing in it had to be replaced.
pub fn read_strictly(line: &[u8]) -> Option<Value> {
    match message_reader::read(line) {
        Reading::Message {
            message,
            marked: false,
        } => {
            let message = serde_json::from_value::<RxJsonRpcMessage<RoleServer>>(message);
            message.ok().map(|message| json!(message))
        }
        _ => None,
    }
}

/// A `requestState` of a call with these arguments, sealed with this key. It lasts for ever.
pub fn seal_state(key: [u8; 32], arguments: &str) -> String {
    let sealed = Sealed {
        round: 1,
        last_ask: None,
        at: Timestamp::UNIX_EPOCH,
    };
    let call = CallId::from_bytes([9; 16]);
    StateSealer::new(key).seal(call, sealed, binding(arguments), Timestamp::MAX)
}

/// Whether a text is opened as the state of a call with these arguments.
pub fn open_state(key: [u8; 32], arguments: &str, state: &str) -> bool {
    let opened = StateSealer::new(key).open(state, binding(arguments), Timestamp::UNIX_EPOCH);
    opened.is_some()
}

fn binding(arguments: &str) -> CallBinding {
    CallBinding::new(&Origin::default(), "tools/call", &json!(arguments))
}
