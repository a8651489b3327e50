//! Messages from their lines. rmcp tries one shape after the other until one fits; the two that come
//! most, a call and an answer, are read directly. All others go through the strict reader to rmcp.

use super::message_reader::{self, Reading, Refusal};
use bytes::{Buf, BytesMut};
use holdpoint_ask::{ReplyAction, strict_json::StrictObject};
use rmcp::{
    RoleServer,
    model::{
        CallToolRequest, CallToolRequestMethod, CallToolRequestParams, ClientRequest, ClientResult,
        ElicitResult, ElicitationAction, JsonRpcMessage, JsonRpcVersion2_0, MetaObject, RequestId,
        RequestMetaObject,
    },
    service::RxJsonRpcMessage,
    transport::async_rw::DEFAULT_MAX_LINE_LENGTH,
};
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor, value::MapAccessDeserializer},
};
use serde_json::Value;
use std::{fmt, io, marker::PhantomData};
use tokio_util::codec::Decoder;

type Message = RxJsonRpcMessage<RoleServer>;

/// What a line is.
#[derive(Debug)]
pub(super) enum Line {
    Message(Box<Message>),
    /// JSON that is not a message, or a line that is too long.
    Refused(Refusal),
}

/// Finds the messages in what is read.
#[derive(Debug)]
pub(super) struct StdioDecoder {
    /// The longest line, in bytes.
    longest: usize,
    /// How much of what was read is known to have no end of line.
    searched: usize,
    /// The line that is being read is too long, and is thrown away.
    too_long: bool,
}

impl Default for StdioDecoder {
    fn default() -> Self {
        Self {
            longest: DEFAULT_MAX_LINE_LENGTH,
            searched: 0,
            too_long: false,
        }
    }
}

#[cfg(fuzzing)]
impl StdioDecoder {
    pub(super) fn with_longest(longest: usize) -> Self {
        Self {
            longest,
            ..Self::default()
        }
    }
}

impl Decoder for StdioDecoder {
    type Item = Line;
    type Error = io::Error;

    fn decode(&mut self, read: &mut BytesMut) -> io::Result<Option<Line>> {
        loop {
            let end = read[self.searched..].iter().position(|byte| *byte == b'\n');
            let Some(end) = end else {
                self.searched = read.len();
                if read.len() > self.longest {
                    read.advance(read.len());
                    self.searched = 0;
                    // Said at once, and once: the rest of the line may be long in coming.
                    if !std::mem::replace(&mut self.too_long, true) {
                        return Ok(Some(too_long()));
                    }
                }
                return Ok(None);
            };
            let line = read.split_to(self.searched + end + 1);
            self.searched = 0;
            if std::mem::take(&mut self.too_long) {
                continue;
            }
            if line.len() > self.longest {
                return Ok(Some(too_long()));
            }
            if let Some(line) = read_line(&line) {
                return Ok(Some(line));
            }
        }
    }

    /// A last line without a line break is dropped.
    fn decode_eof(&mut self, read: &mut BytesMut) -> io::Result<Option<Line>> {
        let line = self.decode(read)?;
        if line.is_none() {
            read.clear();
            self.searched = 0;
        }
        Ok(line)
    }
}

fn too_long() -> Line {
    tracing::error!("a message is longer than {DEFAULT_MAX_LINE_LENGTH} bytes");
    Line::Refused(Refusal {
        id: None,
        why: "it is longer than 16 MiB",
    })
}

/// What a line says; none where it is empty or not JSON, or a notification that nobody knows.
fn read_line(line: &[u8]) -> Option<Line> {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    let line = line.trim_ascii();
    if line.is_empty() {
        return None;
    }
    if let Some(message) = straight(line) {
        return Some(Line::Message(message.into()));
    }
    let message = match message_reader::read(line) {
        Reading::Message { message, .. } => message,
        Reading::Refused(refusal) => return Some(Line::Refused(refusal)),
        // Answering could go on for ever, if the other side did the same.
        Reading::NotJson => {
            tracing::debug!("a line that is not JSON");
            return None;
        }
    };
    let id = message.get("id").cloned();
    match serde_json::from_value::<Message>(message) {
        Ok(message) => Some(Line::Message(message.into())),
        // What is not MCP and wants no answer is passed over.
        Err(_) if id.is_none() => None,
        Err(error) => {
            tracing::debug!(%error, "a message that MCP does not know");
            Some(Line::Refused(Refusal {
                id: id.and_then(|id| serde_json::from_value(id).ok()),
                why: "MCP has none like it",
            }))
        }
    }
}

/// Whether a text is a call or an answer with nothing unusual about it: the strict reader would change nothing.
#[cfg(feature = "http")]
pub(super) fn is_straight(text: &[u8]) -> bool {
    straight(text).is_some()
}

/// A call or an answer, if it is one with nothing unusual about it.
pub(super) fn straight(line: &[u8]) -> Option<Message> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Call {
        #[serde(rename = "jsonrpc")]
        _version: JsonRpcVersion2_0,
        id: RequestId,
        #[serde(rename = "method")]
        _method: CallToolRequestMethod,
        params: Object<Params>,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Params {
        name: String,
        arguments: Option<StrictObject>,
        // A retry's replies, and its state.
        input_responses: Option<StrictObject>,
        request_state: Option<String>,
        #[serde(rename = "_meta")]
        meta: Option<StrictObject>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Answer {
        #[serde(rename = "jsonrpc")]
        _version: JsonRpcVersion2_0,
        // Ours are whole numbers.
        id: i64,
        result: Object<CallReply>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct CallReply {
        action: ReplyAction,
        content: Option<StrictObject>,
        _meta: Option<StrictObject>,
    }

    if let Ok(Object(call)) = serde_json::from_slice::<Object<Call>>(line) {
        let Object(given) = call.params;
        let mut params = CallToolRequestParams::new(given.name);
        params.arguments = given.arguments.map(|given| given.0);
        let responses = given.input_responses;
        params.input_responses = responses.map(|responses| responses.0.into_iter().collect());
        params.request_state = given.request_state;
        let mut request = CallToolRequest::new(params);
        if let Some(StrictObject(meta)) = given.meta {
            request.extensions.insert(RequestMetaObject::from(meta));
        }
        let request = ClientRequest::CallToolRequest(request);
        return Some(JsonRpcMessage::request(request, call.id));
    }
    let Object(answer) = serde_json::from_slice::<Object<Answer>>(line).ok()?;
    let Object(said) = answer.result;
    let mut result = ElicitResult::new(match said.action {
        ReplyAction::Accept => ElicitationAction::Accept,
        ReplyAction::Decline => ElicitationAction::Decline,
        ReplyAction::Cancel => ElicitationAction::Cancel,
    });
    result.content = said.content.map(|content| Value::Object(content.0));
    result.meta = said._meta.map(|meta| MetaObject(meta.0));
    let result = ClientResult::ElicitResult(result);
    Some(JsonRpcMessage::response(
        result,
        RequestId::Number(answer.id),
    ))
}

/// What must be an object: serde takes a list for a struct too.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Fields<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
            type Value = Object<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Object<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(fields)).map(Object)
            }
        }

        from.deserialize_map(Fields(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        let (mut incoming, mut read) = (StdioDecoder::default(), BytesMut::from(text));
        let mut found = Vec::new();
        while let Some(line) = incoming.decode(&mut read).unwrap() {
            found.push(match line {
                Line::Message(message) => format!("{message:?}"),
                Line::Refused(refusal) => format!("refused: {}", refusal.why),
            });
        }
        found
    }

    /// What is read straight is what rmcp would have read.
    #[test]
    fn the_same_message_either_way() {
        let calls = [
            r#"{"name":"ask"}"#,
            r#"{"name":"ask","arguments":{}}"#,
            r#"{"name":"ask","arguments":null,"_meta":null}"#,
            r#"{"arguments":{"a":[1,-2,3.5,1e300,18446744073709551615,-0,"\u00e9\n",null,true]},"name":"é\""}"#,
            r#"{"name":"ask","_meta":{"progressToken":"p","io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#,
            r#"{"name":"ask","inputResponses":{"0001":{"action":"accept","content":{"a":1}},"b":null},"requestState":"rs1.a"}"#,
            r#"{"name":"ask","inputResponses":null,"requestState":null}"#,
            r#"{"name":"ask","inputResponses":{}}"#,
        ]
        .map(|params| format!(r#""method":"tools/call","params":{params}"#));
        let answers = [
            r#"{"action":"accept"}"#,
            r#"{"action":"accept","content":{"confirmed":true,"n":1.0}}"#,
            r#"{"content":null,"action":"decline","_meta":{"a":1}}"#,
            r#"{"action":"cancel","content":{}}"#,
        ]
        .map(|result| format!(r#""result":{result}"#));
        for body in calls.iter().chain(&answers) {
            for id in ["1", "-7", r#""one""#, "2.0"] {
                let unknown = id.starts_with('"') || id == "2.0";
                if unknown && body.starts_with(r#""result""#) {
                    continue; // No question of ours has such an id.
                }
                for line in [
                    format!(r#"{{"jsonrpc":"2.0","id":{id},{body}}}"#),
                    format!(r#" {{ {body} , "id" : {id} , "jsonrpc" : "2.0" }} "#),
                ] {
                    let rmcp: Message = serde_json::from_str(&line).unwrap();
                    let straight = straight(line.as_bytes()).unwrap_or_else(|| panic!("{line}"));
                    assert_eq!(format!("{straight:?}"), format!("{rmcp:?}"), "{line}");
                    // Their texts have the metadata too.
                    let text = |message: &Message| serde_json::to_string(message).unwrap();
                    assert_eq!(text(&straight), text(&rmcp), "{line}");
                }
            }
        }
    }

    #[test]
    fn anything_unusual_is_not_read_directly() {
        for line in [
            r#"{"jsonrpc":"1.0","id":1,"method":"tools/call","params":{"name":"ask"}}"#,
            r#"{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"ask"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"name":"ask"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","task":{}}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","name":"b"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"},"result":{"action":"accept"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"action":"accept"},"error":{"code":1,"message":""}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"action":"accept","action":"decline"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"action":"yes"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"action":{"accept":null}}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":[]}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"a":1,"a":2}}}"#,
            r#"{"jsonrpc":"2.0","id":"1","result":{"action":"accept"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"b":1,"b":2}}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","inputResponses":{"b":1,"b":2}}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","inputResponses":{"b":{"go":false,"go":true}}}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","inputResponses":[]}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","requestState":1}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"action":"accept","model":"m"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"[{"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}]"#,
            r#"["2.0",1,{"action":"accept"}]"#,
            r#"["2.0",1,["accept",{"confirmed":true},null]]"#,
            r#"{"jsonrpc":"2.0","id":1,"result":["accept",{"confirmed":true},null]}"#,
            r#"["2.0",1,"tools/call",{"name":"ask"}]"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["ask",{},null]}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}{}"#,
        ] {
            assert!(straight(line.as_bytes()).is_none(), "{line}");
        }
    }

    #[test]
    fn one_line_after_the_other() {
        let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let call = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask"}}"#;
        let found = lines(&format!(
            "\u{feff}{ping}\r\n\n{{\n{{\"jsonrpc\":\"2.0\",\"method\":\"$/other\"}}\n{call}\r\n{{\"id\":3}}\n{ping}\n{call}"
        ));
        let wanted = ["Ping", "$/other", "CallTool", "refused", "Ping"];
        assert_eq!(found.len(), wanted.len(), "{found:#?}");
        for (line, wanted) in found.iter().zip(wanted) {
            assert!(line.contains(wanted), "{line}");
        }
    }

    #[test]
    fn a_line_in_pieces() {
        let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
        let (mut incoming, mut read) = (StdioDecoder::default(), BytesMut::new());
        for byte in ping.bytes() {
            assert!(incoming.decode(&mut read).unwrap().is_none());
            read.extend_from_slice(&[byte]);
        }
        assert!(incoming.decode(&mut read).unwrap().is_some());
        read.extend_from_slice(ping.trim_end().as_bytes());
        assert!(incoming.decode_eof(&mut read).unwrap().is_none());
    }

    #[test]
    fn a_line_over_the_limit_is_refused_once_and_the_stream_goes_on_in_step() {
        let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
        let small = || StdioDecoder {
            longest: 64,
            ..StdioDecoder::default()
        };
        let decode = |incoming: &mut StdioDecoder, read: &mut BytesMut| {
            incoming.decode(read).unwrap().map(|line| match line {
                Line::Message(_) => "message",
                Line::Refused(_) => "refused",
            })
        };
        // In pieces, with what looks like a message at its end.
        let (mut incoming, mut read) = (small(), BytesMut::new());
        read.resize(65, b' ');
        assert_eq!(decode(&mut incoming, &mut read), Some("refused"));
        for _ in 0..3 {
            read.resize(65, b' ');
            assert_eq!(decode(&mut incoming, &mut read), None);
            assert!(read.is_empty(), "nothing is kept");
        }
        read.extend_from_slice(ping.as_bytes());
        read.extend_from_slice(ping.as_bytes());
        assert_eq!(decode(&mut incoming, &mut read), Some("message"));
        assert_eq!(decode(&mut incoming, &mut read), None);
        // Whole, in one piece with the next.
        let (mut incoming, mut read) = (small(), BytesMut::new());
        read.resize(65, b' ');
        read.extend_from_slice(b"\n");
        read.extend_from_slice(ping.as_bytes());
        assert_eq!(decode(&mut incoming, &mut read), Some("refused"));
        assert_eq!(decode(&mut incoming, &mut read), Some("message"));
    }
}
