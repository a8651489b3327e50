//! Asks of an agent's tool: each belongs to a call.

use holdpoint::{
    CallId, Origin,
    journal::{JournalEngine, NewAsk, NewCall, Write},
};
use serde_json::Value;
use std::sync::Arc;

/// Opens an ask together with the call that asks.
pub async fn open_ask(journal: &dyn JournalEngine, ask: NewAsk) {
    let origin: Origin = ask.origin.clone();
    let call = NewCall {
        id: CallId::new(),
        origin,
        method: "tools/call".into(),
        arguments: Value::Null,
        flow_version: "1".into(),
        owner: journal.owner(),
        opened_at: ask.opened_at,
        run: false,
    };
    let ask = NewAsk {
        call: Some(call.id),
        ..ask
    };
    let open = vec![
        Write::OpenCall(Arc::new(call)),
        Write::OpenAsk(Arc::new(ask)),
    ];
    journal.commit(open).await.unwrap();
}
