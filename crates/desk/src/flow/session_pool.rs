//! Sessions that are kept for long, each once.

use super::{client::Client, session::Session};
use crate::sync::lock;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, Weak},
};

/// The sessions of calls that were let go. A client that has no connection of its own brings an equal one with
/// every request, and may have thousands of calls open.
#[derive(Default)]
pub(crate) struct SessionPool(Mutex<Sessions>);

#[derive(Default)]
struct Sessions {
    by_principal: HashMap<String, Vec<Known>>,
    /// How many principals there are when those without a session are forgotten.
    look_through_at: usize,
}

/// A session, and the client that is nothing but it.
struct Known {
    session: Weak<Session>,
    client: Option<Weak<dyn Client>>,
}

impl Known {
    fn is_used(&self) -> bool {
        self.session.strong_count() > 0
    }
}

const FEW: usize = 64;

impl SessionPool {
    /// Does something with the session that is equal to this, and the client that is known for it.
    fn with<T>(
        &self,
        session: &Arc<Session>,
        act: impl FnOnce(Arc<Session>, &mut Option<Weak<dyn Client>>) -> T,
    ) -> T {
        let mut pool = lock(&self.0);
        if pool.by_principal.len() >= pool.look_through_at {
            pool.by_principal.retain(|_, sessions| {
                sessions.retain(Known::is_used);
                !sessions.is_empty()
            });
            pool.look_through_at = FEW.max(pool.by_principal.len() * 2);
        }
        let principal = &session.principal;
        if !pool.by_principal.contains_key(principal) {
            pool.by_principal.insert(principal.clone(), Vec::new());
        }
        let Some(sessions) = pool.by_principal.get_mut(principal) else {
            return act(session.clone(), &mut None);
        };
        sessions.retain(Known::is_used);
        for known in sessions.iter_mut() {
            if let Some(same) = known.session.upgrade().filter(|same| **same == **session) {
                return act(same, &mut known.client);
            }
        }
        let mut client = None;
        let acted = act(session.clone(), &mut client);
        sessions.push(Known {
            session: Arc::downgrade(session),
            client,
        });
        acted
    }

    /// An equal session, the same one for all.
    pub fn share(&self, session: &Arc<Session>) -> Arc<Session> {
        self.with(session, |session, _| session)
    }

    /// A client that is nothing but its session, the same one for all that are equal; any other as it is.
    pub fn share_client(&self, client: Arc<dyn Client>) -> Arc<dyn Client> {
        let Some(session) = client.session().cloned() else {
            return client;
        };
        self.with(&session, |session, known| {
            if let Some(same) = known.as_ref().and_then(Weak::upgrade) {
                return same;
            }
            match client.with_session(session) {
                Some(shared) => {
                    *known = Some(Arc::downgrade(&shared));
                    shared
                }
                None => client,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint_ask::ClientProfile;

    fn session(principal: &str, form: bool) -> Arc<Session> {
        Arc::new(Session {
            principal: principal.to_owned(),
            client: None,
            client_name: None,
            revision: None,
            modern: true,
            unattended: false,
            form,
            url: false,
            sampling: false,
            roots: false,
            profile: ClientProfile::default(),
        })
    }

    #[test]
    fn equal_sessions_are_kept_once_and_forgotten_with_their_last_call() {
        let pool = SessionPool::default();
        let first = pool.share(&session("ann", true));
        assert!(Arc::ptr_eq(&first, &pool.share(&session("ann", true))));
        let other = pool.share(&session("ann", false));
        assert!(!Arc::ptr_eq(&first, &other), "it shows no forms");
        assert!(!Arc::ptr_eq(&first, &pool.share(&session("bob", true))));
        drop((first, other));
        for number in 0..1_000 {
            pool.share(&session(&number.to_string(), true));
        }
        let kept = lock(&pool.0).by_principal.len();
        assert!(kept <= FEW, "{kept} are kept");
    }
}
