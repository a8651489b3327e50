//! A chat as a channel, through a bot like Telegram's: a message with buttons, and an update for each press.

use anyhow::Context;
use holdpoint::{
    Ask, Channel, ChannelKind, ChannelReply, Delivery, DeliveryError, Kind, ReplyHandle, Showing,
    describe,
};
use serde_json::{Value, json};
use std::{collections::HashMap, pin::Pin, sync::Arc, sync::Mutex};

/// A chat with one person, and the asks whose buttons are in it.
#[derive(Debug)]
pub struct Chat {
    bot: String,
    chat: String,
    open: Mutex<HashMap<String, ReplyHandle>>,
}

impl Chat {
    /// The chat of this id, through the bot at this address.
    pub fn new(bot: String, chat: String) -> Arc<Self> {
        let open = Mutex::default();
        Arc::new(Self { bot, chat, open })
    }

    /// Calls a method of the bot.
    async fn call(&self, method: &str, body: Value) -> anyhow::Result<Value> {
        let url = format!("{}/{method}", self.bot);
        let post = move || ureq::post(&url).send_json(body)?.into_body().read_json();
        let answer: Value = tokio::task::spawn_blocking(post).await??;
        Ok(answer["result"].clone())
    }

    /// Sends the question with a button for each answer, and says in its place how it ended.
    async fn show(self: Arc<Self>, showing: Showing) -> anyhow::Result<()> {
        let id = showing.id().to_string();
        let button = |text: &str| json!({ "text": text, "callback_data": format!("{id} {text}") });
        let keyboard = json!({ "inline_keyboard": [[button("Yes"), button("No")]] });
        let text = showing.text();
        let message = json!({ "chat_id": self.chat, "text": text, "reply_markup": keyboard });
        let handle = showing.reply_handle();
        self.open.lock().unwrap().insert(id.clone(), handle);
        let sent = self.call("sendMessage", message).await;
        let sent = sent.inspect_err(|_| drop(self.open.lock().unwrap().remove(&id)))?;
        tokio::spawn(async move {
            let ended = showing.ended().await.map(|how| describe::decision(&how));
            self.open.lock().unwrap().remove(&id);
            let text = format!("{text}\n\n{}", ended.unwrap_or_default());
            let body =
                json!({ "chat_id": self.chat, "message_id": sent["message_id"], "text": text });
            self.call("editMessageText", body).await
        });
        Ok(())
    }

    /// Takes what people press, for as long as the server runs.
    pub async fn listen(self: Arc<Self>) -> anyhow::Result<()> {
        let mut next = 0;
        loop {
            let updates = self
                .call("getUpdates", json!({ "offset": next, "timeout": 30 }))
                .await?;
            for update in updates.as_array().context("a list of updates")? {
                next = update["update_id"].as_i64().context("an update's id")? + 1;
                let press = &update["callback_query"];
                let data = press["data"].as_str().and_then(|data| data.split_once(' '));
                let handle = data.and_then(|(id, _)| self.open.lock().unwrap().get(id).cloned());
                if let (Some((_, word)), Some(handle)) = (data, handle) {
                    let reply = ChannelReply::accept(json!({ "confirmed": word == "Yes" }));
                    let who = press["from"]["first_name"].as_str().unwrap_or("somebody");
                    handle.reply(reply.by(who)).await?;
                }
            }
        }
    }
}

/// The chat as a way to reach a person: with what two buttons can answer.
#[derive(Debug)]
pub struct ChatChannel(pub Arc<Chat>, pub ChannelKind);

impl Channel for ChatChannel {
    fn kind(&self) -> ChannelKind {
        self.1
    }

    fn reaches(&self, ask: &Ask) -> bool {
        matches!(&*ask.form.fields, [field] if matches!(field.kind, Kind::Confirm))
            && !ask.dangerous
    }

    fn deliver(
        &self,
        showing: Showing,
    ) -> Pin<Box<dyn Future<Output = Result<Delivery, DeliveryError>> + Send>> {
        let shown = self.0.clone().show(showing);
        Box::pin(async move {
            let failed = |error| DeliveryError::Failed(format!("{error:#}"));
            shown.await.map(|()| Delivery::Parked).map_err(failed)
        })
    }
}
