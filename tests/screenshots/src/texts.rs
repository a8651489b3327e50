//! What the agents write.

/// The plan as it is shown first.
pub const PLAN_FIRST: &str = "\
# Log in with a session

Customers log in once and stay logged in for a day. Guests go on as they do now.

## Phase 1: sessions

- Keep sessions in memory, by the user's number
- End them after an hour

## Phase 2: the page

- A form with name and password
- Say what is wrong in one line

## Phase 3: everything else

Roll it out to all customers, and remove the old form.
";

/// The plan after the person asked for changes.
pub const PLAN_SECOND: &str = "\
# Log in with a session

Customers log in once and stay logged in for a day. Guests go on as they do now.

## Phase 1: sessions

- Keep sessions in memory, by a random token of 32 bytes
- End them after a day, and at once when the person logs out

| Where a session lives | Survives a restart | Effort |
|---|---|---|
| memory | no | ½ day |
| SQLite | yes | 1 day |
| Redis | yes | 2 days |

We begin with memory; the trait is the same for all three:

```rust
pub trait SessionStore {
    fn find(&self, token: &Token) -> Option<Session>;
    fn start(&self, user: UserId) -> Token;
}
```

## Phase 2: the page

- [x] A form with name and password
- [x] Say what is wrong in one line
- [ ] ~~A cookie that scripts can read~~ The server sets an `HttpOnly` cookie

## Phase 3: switch it on

1. For us, for two days
2. For one customer in ten
3. For everyone; the old form goes a week later

> Nothing of the old form is removed before phase 3 has been looked at.
";
