//! Whose HTTP sessions are whose: each belongs to the principal that began it, and to others it is not
//! there. They are bounded for each principal, and end when nobody uses them.

use crate::sync::lock;
use bytes::Bytes;
use futures::future::join_all;
use http::{HeaderMap, Method, Response, StatusCode};
use http_body::{Body, Frame, SizeHint};
use http_body_util::{BodyExt, Full, combinators::BoxBody};
use rmcp::transport::streamable_http_server::session::{
    SessionManager, local::LocalSessionManager,
};
use std::{
    collections::HashMap,
    convert::Infallible,
    pin::Pin,
    sync::{Arc, Mutex, Weak},
    task::{Context, Poll},
    time::Duration,
};
use tokio::time::Instant;

/// How many sessions one principal may have. For one more, the one that was idle longest ends.
const MOST: usize = 64;
/// How many there may be of all principals together, for the same: rmcp keeps some 140 KB for each.
const MOST_IN_ALL: usize = 4_000;
/// A session without an open request or stream ends after this. What was asked in it stays in the inbox,
/// and its client begins another one.
const IDLE: Duration = Duration::from_secs(3_600);
/// How often idle sessions are looked for.
const INTERVAL: Duration = Duration::from_secs(60);

const SESSION_ID: &str = "mcp-session-id";

pub(crate) type Answer = Response<BoxBody<Bytes, Infallible>>;

/// The sessions of one server.
pub(crate) struct HttpSessions {
    manager: Arc<LocalSessionManager>,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    sessions: HashMap<Arc<str>, Owned>,
    /// Somebody looks for idle ones.
    watched: bool,
}

/// Whether one more session can begin.
#[derive(Debug, PartialEq, Eq)]
enum Room {
    Free,
    /// This one has to end first.
    Instead(Arc<str>),
    /// All are in use.
    None {
        of_principal: bool,
    },
}

impl Known {
    /// Looks for room for one more session of this principal, and forgets the one that has to end for it: the
    /// idlest of its own where it has too many, or of all where there are.
    fn make_room(&mut self, principal: &str) -> Room {
        let is_own = |owned: &Owned| owned.principal == principal;
        let of_principal = self.sessions.values().filter(|owned| is_own(owned)).count() >= MOST;
        if !of_principal && self.sessions.len() < MOST_IN_ALL {
            return Room::Free;
        }
        let idle = self.sessions.iter().filter(|(_, owned)| owned.open == 0);
        let idle = idle.filter(|(_, owned)| !of_principal || is_own(owned));
        let Some((idlest, _)) = idle.min_by_key(|(_, owned)| owned.used_at) else {
            return Room::None { of_principal };
        };
        let idlest = idlest.clone();
        self.sessions.remove(&idlest);
        Room::Instead(idlest)
    }
}

struct Owned {
    principal: String,
    /// How many of its requests and streams are open.
    open: usize,
    used_at: Instant,
}

/// A request that is under way in a session. The session is in use until this is dropped.
pub(crate) struct Visit {
    id: Arc<str>,
    sessions: Weak<HttpSessions>,
}

impl HttpSessions {
    pub fn new(manager: Arc<LocalSessionManager>) -> Arc<Self> {
        Arc::new(Self {
            manager,
            known: Mutex::default(),
        })
    }

    /// Enters the session that a request names, if it names one.
    ///
    /// # Errors
    /// With what is answered where that session is another principal's: the same as where there is none.
    pub fn enter(
        self: &Arc<Self>,
        headers: &HeaderMap,
        principal: &str,
    ) -> Result<Option<Visit>, Box<Answer>> {
        let mut named = headers.get_all(SESSION_ID).iter();
        let id = match (named.next(), named.next()) {
            (None, _) => return Ok(None),
            (Some(id), None) => id.to_str().ok(),
            (Some(_), Some(_)) => None,
        };
        let mut known = lock(&self.known);
        let found = id.and_then(|id| known.sessions.get_key_value(id));
        let id = found.filter(|(_, owned)| owned.principal == principal);
        let id = id.map(|(id, _)| id.clone());
        let Some(id) = id else {
            return Err(Box::new(not_found()));
        };
        if let Some(owned) = known.sessions.get_mut(&id) {
            owned.open += 1;
        }
        let sessions = Arc::downgrade(self);
        Ok(Some(Visit { id, sessions }))
    }

    /// Notes what an answer says of its session: that it began, or ended.
    pub async fn leave(
        self: &Arc<Self>,
        method: &Method,
        visit: Option<Visit>,
        principal: &str,
        answer: Answer,
    ) -> Answer {
        let visit = match visit {
            Some(visit) if method == Method::DELETE && answer.status().is_success() => {
                lock(&self.known).sessions.remove(&visit.id);
                return answer;
            }
            Some(visit) => visit,
            None => {
                let begun = answer.headers().get(SESSION_ID);
                let Some(id) = begun.and_then(|id| id.to_str().ok()) else {
                    return answer;
                };
                match self.begin(id.into(), principal).await {
                    Ok(visit) => visit,
                    Err(refused) => return *refused,
                }
            }
        };
        answer.map(|body| InVisit { body, visit }.boxed())
    }

    /// Takes note of a new session, or refuses it where too many are in use.
    async fn begin(self: &Arc<Self>, id: Arc<str>, principal: &str) -> Result<Visit, Box<Answer>> {
        self.forget_ended().await;
        let room = {
            // Counted and entered under one lock: many that begin at once are no more than one by one.
            let mut known = lock(&self.known);
            let room = known.make_room(principal);
            if !matches!(room, Room::None { .. }) {
                let owned = Owned {
                    principal: principal.to_owned(),
                    open: 1,
                    used_at: Instant::now(),
                };
                known.sessions.insert(id.clone(), owned);
                if !std::mem::replace(&mut known.watched, true) {
                    tokio::spawn(end_idle_ones(Arc::downgrade(self)));
                }
            }
            room
        };
        match room {
            Room::Free => {}
            Room::Instead(ended) => self.end(&ended).await,
            Room::None { of_principal } => {
                self.end(&id).await;
                return Err(Box::new(too_many(of_principal)));
            }
        }
        let sessions = Arc::downgrade(self);
        Ok(Visit { id, sessions })
    }

    async fn end(&self, id: &Arc<str>) {
        if let Err(error) = self.manager.close_session(id).await {
            tracing::debug!(%error, "a session had ended already");
        }
        lock(&self.known).sessions.remove(id);
    }

    /// Forgets sessions that ended by themselves.
    async fn forget_ended(&self) {
        // What is known now was alive once; what comes to be known meanwhile is left alone.
        let mut ended: Vec<Arc<str>> = lock(&self.known).sessions.keys().cloned().collect();
        let alive = self.manager.sessions.read().await;
        ended.retain(|id| !alive.contains_key(id));
        drop(alive);
        let mut known = lock(&self.known);
        for id in ended {
            known.sessions.remove(&id);
        }
    }

    /// Lets sessions that were used lately drop the answers that they have sent. rmcp keeps each of them for a
    /// minute, for a client that comes back for it, and looks at the time only when something happens in the
    /// session: an idle one would keep its last answers for good.
    async fn drop_sent_answers(&self) {
        let used: Vec<_> = {
            let known = lock(&self.known);
            let used = known
                .sessions
                .iter()
                .filter(|(_, owned)| owned.used_at.elapsed() < 3 * INTERVAL);
            used.map(|(id, _)| id.clone()).collect()
        };
        let alive = self.manager.sessions.read().await;
        let handles: Vec<_> = used
            .iter()
            .filter_map(|id| alive.get(id).cloned())
            .collect();
        drop(alive);
        let wake = handles.iter().map(|session| {
            // No request has this number. A session whose client does not read is not waited for.
            let nothing = session.close_request_wise_channel(u64::MAX);
            tokio::time::timeout(Duration::from_secs(1), nothing)
        });
        join_all(wake).await;
    }

    #[cfg(test)]
    pub async fn alive(&self) -> usize {
        self.manager.sessions.read().await.len()
    }

    fn idle_since(&self, idle: Duration) -> Vec<Arc<str>> {
        let known = lock(&self.known);
        let idle = known
            .sessions
            .iter()
            .filter(|(_, owned)| owned.open == 0 && owned.used_at.elapsed() >= idle);
        idle.map(|(id, _)| id.clone()).collect()
    }
}

async fn end_idle_ones(sessions: Weak<HttpSessions>) {
    loop {
        tokio::time::sleep(INTERVAL).await;
        let Some(sessions) = sessions.upgrade() else {
            return;
        };
        sessions.forget_ended().await;
        sessions.drop_sent_answers().await;
        for id in sessions.idle_since(IDLE) {
            tracing::info!("a session ended that nobody used");
            sessions.end(&id).await;
        }
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        if let Some(sessions) = self.sessions.upgrade()
            && let Some(owned) = lock(&sessions.known).sessions.get_mut(&self.id)
        {
            owned.open = owned.open.saturating_sub(1);
            owned.used_at = Instant::now();
        }
    }
}

/// An answer that is sent within a session.
struct InVisit {
    body: BoxBody<Bytes, Infallible>,
    #[allow(dead_code)] // Held until the answer has been sent.
    visit: Visit,
}

impl Body for InVisit {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// As rmcp answers for a session that is not there.
fn not_found() -> Answer {
    answer(StatusCode::NOT_FOUND, "Not Found: Session not found")
}

fn too_many(of_principal: bool) -> Answer {
    if of_principal {
        answer(
            StatusCode::TOO_MANY_REQUESTS,
            "Too Many Requests: end a session before you begin another",
        )
    } else {
        answer(
            StatusCode::SERVICE_UNAVAILABLE,
            "Service Unavailable: too many sessions of all callers are in use; try again later",
        )
    }
}

fn answer(status: StatusCode, text: &'static str) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from_static(text.as_bytes())).boxed());
    *answer.status_mut() = status;
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many sessions, of as many principals as are needed; each was used a moment after the one before.
    fn known(count: usize, open: usize) -> Known {
        let now = Instant::now();
        let session = |at: usize| {
            let owned = Owned {
                principal: format!("principal {}", at / MOST),
                open,
                used_at: now + Duration::from_millis(at as u64),
            };
            (Arc::from(format!("session {at}")), owned)
        };
        Known {
            sessions: (0..count).map(session).collect(),
            watched: false,
        }
    }

    #[tokio::test]
    async fn sessions_of_all_principals_together_are_bounded() {
        let mut full = known(MOST_IN_ALL, 0);
        assert_eq!(full.make_room("new"), Room::Instead("session 0".into()));
        assert_eq!(full.make_room("new"), Room::Free);
        let mut in_use = known(MOST_IN_ALL, 1);
        let none = Room::None {
            of_principal: false,
        };
        assert_eq!(in_use.make_room("new"), none);
        assert_eq!(in_use.sessions.len(), MOST_IN_ALL);
    }

    #[tokio::test]
    async fn one_with_too_many_ends_none_of_anothers() {
        let mut full = known(MOST_IN_ALL, 0);
        let own = Room::Instead(format!("session {MOST}").into());
        assert_eq!(full.make_room("principal 1"), own);
        let mut in_use = known(2 * MOST, 1);
        let none = Room::None { of_principal: true };
        assert_eq!(in_use.make_room("principal 1"), none);
        assert_eq!(in_use.make_room("principal 2"), Room::Free);
    }
}
