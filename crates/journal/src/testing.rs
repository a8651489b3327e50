//! The story that every engine has to pass: what a journal promises, step by step.
//!
//! An engine's tests open a [`Fixture`] and let [`story_tests!`](crate::story_tests) make one test of
//! each story:
//!
//! ```
//! use holdpoint_journal::{SqliteJournal, testing::Fixture};
//!
//! async fn open() -> Fixture {
//!     Fixture {
//!         name: "SQLite in memory",
//!         journal: std::sync::Arc::new(SqliteJournal::in_memory().unwrap()),
//!         other_process: None,
//!     }
//! }
//!
//! holdpoint_journal::story_tests!(open);
//! ```

mod asks;
mod calls;
mod copies;
mod fixture;
mod grants;
mod history;
mod pruning;
mod record;
mod runs;
mod search;
mod stats;
mod vault;
mod watchers;

pub use fixture::{Fixture, answer, ask_of, at, call, decided, grant, origin, yes};

/// Lists the stories once: they are exported, and become tests.
macro_rules! stories {
    ($dollar:tt $($module:ident: $($story:ident)+;)+) => {
        /// The stories, each with a journal of its own. Their names say what they hold.
        pub mod story {
            $(pub use super::$module::{$($story),+};)+
        }

        /// Makes a test of each story, on the [`Fixture`](crate::testing::Fixture) that a function opens.
        #[macro_export]
        macro_rules! story_tests {
            ($dollar open:path) => {
                $($(
                    #[tokio::test]
                    async fn $story() {
                        let fixture = $dollar open().await;
                        $dollar crate::testing::story::$story(&fixture).await;
                    }
                )+)+
            };
        }
    };
}

stories! { $
    asks:
        what_was_opened_reads_back
        the_first_decision_wins
        every_outcome_reads_back_as_it_was
        invalid_replies_are_counted_once_each
        an_ask_that_was_given_more_time_does_not_time_out
        a_client_that_an_ask_was_taken_from_ends_it_no_more
        a_process_that_lost_a_call_settles_nothing_of_it
        an_open_ask_can_get_more_time
        asks_are_found_newest_first
        a_secret_is_never_recorded;
    calls:
        a_step_runs_once
        a_call_changes_hands_only_when_its_owner_is_gone
        the_newest_step_of_a_name_is_found_in_whatever_call
        an_unfinished_call_is_found_by_what_binds_it
        calls_are_found_by_method_or_tool
        a_step_says_what_it_did;
    copies:
        a_copy_is_the_same_byte_for_byte
        a_copy_comes_back
        a_copy_has_the_keys_and_what_is_private
        a_copy_goes_on_where_it_stopped
        a_copy_into_another_journal_is_refused;
    grants:
        a_grant_is_good_once_and_only_for_what_was_shown
        a_yes_gives_one_grant
        an_answer_that_wins_gives_its_grant_with_it
        a_grant_needs_a_yes;
    history:
        what_was_asked_decided_and_done;
    pruning:
        what_is_over_loses_its_bodies_and_keeps_its_hashes
        what_is_needed_keeps_its_bodies
        the_newest_state_of_each_name_stays
        a_call_with_a_state_loses_what_was_asked
        a_no_stays_while_an_older_yes_does
        a_call_without_a_result_keeps_all_steps_or_goes
        a_call_without_a_result_goes_when_its_process_is_gone
        what_was_pruned_is_copied_as_it_is;
    record:
        events_tell_what_happened_in_order
        a_batch_that_fails_leaves_nothing
        of_many_queued_batches_only_the_bad_ones_fail
        a_dropped_commit_is_still_made
        a_key_stays_the_same
        commits_are_counted;
    runs:
        runs_are_found_by_what_they_did
        runs_are_found_by_everything_that_is_asked_for;
    search:
        words_are_found_wherever_they_stand
        everything_that_is_asked_for_must_hold
        pages_go_back
        a_caller_finds_only_its_own
        what_happens_later_is_found_at_once;
    stats:
        asks_are_counted
        groups_have_rates_and_times
        a_caller_counts_only_its_own
        channels_of_authors_keep_their_names;
    vault:
        only_the_reply_that_wins_leaves_a_parcel
        a_batch_that_fails_leaves_no_parcel
        an_agent_goes_and_comes_back
        dangerous_asks_can_be_told_apart
        a_private_value_is_there_until_it_is_removed
        names_that_lead_elsewhere_are_refused
        a_private_value_is_made_once
        private_values_are_listed
        guard_events_are_found_among_many_others;
    watchers:
        nobody_watches_until_somebody_says_so
        another_process_sees_who_watches;
}
