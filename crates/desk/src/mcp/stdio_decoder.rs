//! Messages from their lines. rmcp tries one shape after the other until one fits; the two that come
//! most, a call and an answer, are read directly, and rmcp reads all others.

use bytes::{Buf, BytesMut};
use rmcp::{
    RoleServer,
    model::{
        CallToolRequest, CallToolRequestMethod, CallToolRequestParams, ClientRequest, ClientResult,
        ElicitResult, ElicitationAction, JsonObject, JsonRpcMessage, JsonRpcVersion2_0, MetaObject,
        RequestId, RequestMetaObject,
    },
    service::RxJsonRpcMessage,
    transport::async_rw::{DEFAULT_MAX_LINE_LENGTH, JsonRpcMessageCodec, JsonRpcMessageCodecError},
};
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor, value::MapAccessDeserializer},
};
use serde_json::{Value, error::Category};
use std::{fmt, io, marker::PhantomData};
use tokio_util::codec::Decoder;

type Message = RxJsonRpcMessage<RoleServer>;

/// What a line is.
#[derive(Debug)]
pub(super) enum Line {
    Message(Box<Message>),
    /// JSON, but not a message.
    Refused,
}

/// Finds the messages in what is read.
#[derive(Debug, Default)]
pub(super) struct StdioDecoder {
    others: JsonRpcMessageCodec<Message>,
    /// How much of what was read is known to have no end of line.
    searched: usize,
    /// The line that is being read is too long, and is thrown away.
    too_long: bool,
}

impl Decoder for StdioDecoder {
    type Item = Line;
    type Error = io::Error;

    fn decode(&mut self, read: &mut BytesMut) -> io::Result<Option<Line>> {
        loop {
            let end = read[self.searched..].iter().position(|byte| *byte == b'\n');
            let Some(end) = end else {
                self.searched = read.len();
                if read.len() > DEFAULT_MAX_LINE_LENGTH {
                    self.throw_away(read);
                }
                return Ok(None);
            };
            let mut line = read.split_to(self.searched + end + 1);
            self.searched = 0;
            if std::mem::take(&mut self.too_long) {
                continue;
            }
            if let Some(message) = straight(&line) {
                return Ok(Some(Line::Message(message.into())));
            }
            match self.others.decode(&mut line) {
                Ok(Some(message)) => return Ok(Some(Line::Message(message.into()))),
                // An empty line, or a notification that nobody knows.
                Ok(None) => {}
                Err(JsonRpcMessageCodecError::Serde(error)) => match error.classify() {
                    // Answering could go on for ever, if the other side did the same.
                    Category::Syntax | Category::Eof => {
                        tracing::debug!(%error, "a line that is not JSON");
                    }
                    Category::Data | Category::Io => return Ok(Some(Line::Refused)),
                },
                Err(error) => return Err(error.into()),
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

impl StdioDecoder {
    fn throw_away(&mut self, read: &mut BytesMut) {
        if !std::mem::replace(&mut self.too_long, true) {
            tracing::error!("a message is longer than {DEFAULT_MAX_LINE_LENGTH} bytes");
        }
        read.advance(read.len());
        self.searched = 0;
    }
}

/// A call or an answer, if it is one with nothing unusual about it.
fn straight(line: &[u8]) -> Option<Message> {
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
    #[serde(deny_unknown_fields)]
    struct Params {
        name: String,
        arguments: Option<JsonObject>,
        _meta: Option<JsonObject>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Answer {
        #[serde(rename = "jsonrpc")]
        _version: JsonRpcVersion2_0,
        id: RequestId,
        result: Object<CallReply>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct CallReply {
        action: ElicitationAction,
        content: Option<Value>,
        _meta: Option<MetaObject>,
    }

    if let Ok(Object(call)) = serde_json::from_slice::<Object<Call>>(line) {
        let Object(given) = call.params;
        let mut params = CallToolRequestParams::new(given.name);
        params.arguments = given.arguments;
        let mut request = CallToolRequest::new(params);
        if let Some(meta) = given._meta {
            request.extensions.insert(RequestMetaObject::from(meta));
        }
        let request = ClientRequest::CallToolRequest(request);
        return Some(JsonRpcMessage::request(request, call.id));
    }
    let Object(answer) = serde_json::from_slice::<Object<Answer>>(line).ok()?;
    let Object(said) = answer.result;
    let mut result = ElicitResult::new(said.action);
    result.content = said.content;
    result.meta = said._meta;
    let result = ClientResult::ElicitResult(result);
    Some(JsonRpcMessage::response(result, answer.id))
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
                Line::Refused => "refused".into(),
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
        ]
        .map(|params| format!(r#""method":"tools/call","params":{params}"#));
        let answers = [
            r#"{"action":"accept"}"#,
            r#"{"action":"accept","content":{"confirmed":true,"n":1.0}}"#,
            r#"{"content":null,"action":"decline","_meta":{"a":1}}"#,
            r#"{"action":"cancel","content":[]}"#,
        ]
        .map(|result| format!(r#""result":{result}"#));
        for body in calls.iter().chain(&answers) {
            for id in ["1", "-7", r#""one""#, "2.0"] {
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
    fn anything_unusual_is_left_to_rmcp() {
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
    fn a_line_in_pieces_and_one_that_is_too_long() {
        let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
        let (mut incoming, mut read) = (StdioDecoder::default(), BytesMut::new());
        for byte in ping.bytes() {
            assert!(incoming.decode(&mut read).unwrap().is_none());
            read.extend_from_slice(&[byte]);
        }
        assert!(incoming.decode(&mut read).unwrap().is_some());
        for _ in 0..3 {
            read.resize(DEFAULT_MAX_LINE_LENGTH + 1, b' ');
            assert!(incoming.decode(&mut read).unwrap().is_none());
            assert!(read.is_empty());
        }
        read.extend_from_slice(b"{\"id\":1}\n");
        read.extend_from_slice(ping.as_bytes());
        assert!(matches!(
            incoming.decode(&mut read).unwrap(),
            Some(Line::Message(_))
        ));
        read.extend_from_slice(ping.trim_end().as_bytes());
        assert!(incoming.decode_eof(&mut read).unwrap().is_none());
    }
}
