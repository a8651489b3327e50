// One open ask: what is asked, its form, and what a person can do with it.

import { post } from './api.js';
import { ago, keepTime, left, long } from './clock.js';
import { verdictOf } from './decision.js';
import { declining } from './dialogs.js';
import { button, el, markup, menu, say } from './dom.js';
import { dropDraft } from './drafts.js';
import { formOf, onlyConfirm } from './form.js';
import { inView } from './in_view.js';
import { originOf } from './origin.js';
import { SETTLE_MS, isReady, setReady, whenHeld, whenPressed } from './press.js';
import { keepInPlace, makeReadOnly } from './read_only.js';
import { scrollOn } from './scroll.js';
import { pinField, wordField } from './safeguards.js';
import { isSnoozed, snooze, wake } from './snooze.js';

const READ_WORDS = 'Read the whole ask first, from its start to its end.';
const HOLD_WORDS = 'Nothing is decided yet. Hold the button for a second, or type the word first.';

/** An open ask. `sending`, `ended(decision, mine)` and `hidden` are called as it goes on. */
export function openAsk(ask, { sending, ended, hidden, together, heading: words }) {
  const form = formOf(ask);
  const heading = el('h2', { tabindex: '-1' }, words ?? ask.origin.who);
  const times = el('p', { class: 'times' });
  const gone = el('p', { class: 'notice gone', hidden: !ask.agentGone }, el('strong', {}, 'Agent gone.'),
    ' Nothing is waiting for your answer right now. It is recorded for when the agent comes back.');
  const trouble = el('p', { class: 'trouble', role: 'alert', hidden: true });
  const pin = pinField(ask);
  const word = ask.dangerous ? wordField(ask.word, showReady) : undefined;
  const yesLabel = el('span', {}, yesWord(ask));
  const yes = button(yesLabel, { class: ask.dangerous ? 'primary danger' : 'primary', id: 'submit', 'aria-disabled': 'true', 'aria-describedby': word ? 'word-how read-how' : 'read-how' });
  const toRead = el('p', { class: 'hint', id: 'read-how', hidden: true }, READ_WORDS);
  // Below the buttons, which stay on the screen and cover text until the end is reached.
  const lastLine = el('div', { class: 'last-line' });
  const no = button('Decline…', { class: 'secondary', id: 'decline', title: 'Decline (d)', 'aria-disabled': 'true' });
  const away = button('Dismiss', { class: 'plain', id: 'dismiss', title: 'Close it without an answer', 'aria-disabled': 'true' });
  const actions = el('div', { class: 'actions' }, toRead, yes, no, away, el('span', { class: 'gap' }), hidden && snoozing());
  // Nothing acts on a form that is submitted: Enter in a field, on a radio or in a filter sends nothing.
  const sheet = el('form', { novalidate: true, autocomplete: 'off', onsubmit: (event) => event.preventDefault() },
    form.element, word?.element, pin.element, trouble, actions, lastLine);
  const over = new AbortController();
  const opened = performance.now();
  let view;
  let told = false;
  let busy = false;
  let pause = 0;
  let touched = false;
  let wasInFields = false;

  const element = el('article', { class: ask.dangerous ? 'ask dangerous' : 'ask', 'data-id': ask.id },
    ask.dangerous && el('p', { class: 'warning' }, el('strong', {}, 'Dangerous.'), ' ', ask.consequence),
    gone,
    el('header', {}, heading, originOf(ask, { who: false }), times),
    markup(ask.message, 'message'),
    ask.details && markup(ask.details, 'details'),
    sheet,
    together && el('p', { class: 'notice' }, together.words, ' ', button('Decide together…', { class: 'plain', id: 'together', onclick: together.open })));

  if (word) whenHeld(yes, { needed: () => !word.typed(), may: () => complete() !== undefined, act: () => accept('held'), early: () => fail(HOLD_WORDS) });
  whenPressed(yes, () => {
    if (!word) accept('chosen');
    else if (word.typed()) accept('word');
    else if (complete() !== undefined) fail(HOLD_WORDS);
  });
  yes.addEventListener('click', () => { if (view.unseen()) readOn(); });
  whenPressed(no, decline);
  whenPressed(away, () => send('cancel'));
  element.addEventListener('pointerdown', () => { touched = true; });
  sheet.addEventListener('focusin', () => { touched = true; });
  form.element.addEventListener('focusin', () => { wasInFields = true; });

  showTimes(ask.deadlineAt);
  form.show(ask.errors ?? []);
  view = inView(element, ask.readingMs, showReady, [heading, lastLine]);
  setTimeout(showReady, SETTLE_MS);

  /** Says once that it is in view: the record tells which surface showed what, and when. */
  function tellShown() {
    if (told || !view?.begun()) return;
    told = true;
    post(`/api/asks/${ask.id}/shown`, {}).catch(() => { told = false; });
  }

  /** Shows which buttons can be pressed: a yes only after the time that it takes to read. */
  function showReady() {
    if (over.signal.aborted) return;
    tellShown();
    const able = !busy && performance.now() - opened >= SETTLE_MS;
    const wait = pause - Date.now();
    if (wait > 0) setTimeout(showReady, wait);
    setReady(yes, able && wait <= 0 && Boolean(view?.read()));
    for (const one of [no, away]) setReady(one, able);
    toRead.hidden = !view?.unseen();
    yes.classList.toggle('not-seen', !toRead.hidden);
    yes.classList.toggle('unread', Boolean(view?.begun()) && !view.read());
    if (word) yesLabel.textContent = word.typed() ? yesWord(ask) : `Hold to ${yesWord(ask).toLowerCase()}`;
  }

  /** Says that there is more to read, and leads to it, for whoever cannot scroll otherwise. */
  function readOn() {
    say(READ_WORDS);
    if (view.unseen() === heading) heading.scrollIntoView();
    else scrollOn(element);
  }

  function showTimes(deadline) {
    times.replaceChildren('Asked ', ago(ask.openedAt));
    if (deadline) times.append(' · ', left(deadline), ' ', longer());
    keepTime();
  }

  function longer() {
    return menu('Give me longer', [[15, '15 more minutes'], [60, '1 more hour'], [24 * 60, '1 more day']].map(([minutes, name]) => [name, async () => {
      try {
        const { deadlineAt } = await post(`/api/asks/${ask.id}/extend`, { minutes });
        showTimes(deadlineAt);
        say(`You have until ${new Date(deadlineAt).toLocaleString()}.`);
      } catch (refused) {
        fail(refused.message);
      }
    }]), 'longer');
  }

  function snoozing() {
    if (isSnoozed(ask.id)) return button('Wake', { class: 'plain', onclick: () => { wake(ask.id); hidden(); } });
    return menu('Snooze', [[10, '10 minutes'], [60, '1 hour']].map(([minutes, name]) => [name, () => {
      snooze(ask.id, minutes);
      say(`Hidden for ${name}.`);
      hidden();
    }]), 'snoozing');
  }

  /** What is filled in, or nothing where something is missing; that is shown and has the focus then. */
  function complete() {
    const content = form.content();
    return content === undefined || pin.missing() ? undefined : content;
  }

  function accept(gesture) {
    const content = complete();
    if (content === undefined) return;
    send('accept', { content }, gesture === 'word' ? { gesture, word: word.value() } : { gesture });
  }

  async function decline() {
    const reason = await declining(ask, over.signal);
    if (reason !== undefined) send('decline', reason ? { reason } : {});
  }

  async function send(action, more = {}, done = { gesture: 'chosen' }) {
    if (busy || over.signal.aborted) return;
    busy = true;
    trouble.hidden = true;
    showReady();
    const sent = sending([ask.id]);
    try {
      const given = pin.value();
      const presence = { shownMs: view.shownMs(), ...done };
      take(await post('/api/elicitation/respond', { askId: ask.id, action, ...more, presence, ...(given ? { pin: given } : {}) }));
    } catch (refused) {
      fail(refused.code === 'offline' ? `${refused.message} If your answer did not arrive, the ask will still be here once Holdpoint is back.` : refused.message);
    } finally {
      busy = false;
      showReady();
      sent();
    }
  }

  function take(reply) {
    pin.clear();
    switch (reply.result) {
      case 'settled':
        form.clear();
        dropDraft(ask.id);
        return ended(reply.decision, true);
      case 'late':
        return ended(reply.decision, false);
      case 'invalid': {
        const rest = form.show(reply.errors ?? []);
        return fail(rest.length ? rest.map(({ message }) => message).join(' ') : 'Nothing is decided yet: correct the marked fields.');
      }
      case 'pin_needed':
        pin.ask();
        return fail('This ask needs your PIN.');
      case 'wrong_pin':
        pin.ask();
        pause = Date.now() + (reply.retryAfterMs ?? 0);
        return fail(reply.retryAfterMs ? `Wrong PIN. You can try again in ${long(Math.max(reply.retryAfterMs, 1000))}.` : 'Wrong PIN.');
      case 'too_fast':
        view.again();
        return fail('Nothing is decided yet: the ask was not in view long enough to be read. Read it, and answer again.');
      default:
        return fail(reply.message ?? 'Nothing was decided: try again.');
    }
  }

  function fail(message) {
    trouble.textContent = message;
    trouble.hidden = false;
    trouble.scrollIntoView({ block: 'nearest' });
  }

  /** Whether a key may act on it: only after the person has come to it. */
  function mayAct() {
    if (!touched) say('Click into the ask first: keys do nothing to one that you have not touched.');
    return touched;
  }

  return {
    element, ask,
    focus: () => heading.focus(),
    /** The key for a no. */
    decline() {
      if (isReady(no) && mayAct()) decline();
    },
    /** Ctrl+Enter: submits; on a dangerous ask it only goes to the button, which is held on its own. */
    submit(target) {
      if (view.unseen()) say(READ_WORDS);
      if (!isReady(yes) || !(target.contains(element) || element.contains(target)) || !mayAct()) return;
      if (word) {
        yes.focus();
        say('Hold Enter or the space bar for a second, or type the word.');
      } else if (form.hasFields && !wasInFields) {
        say('Go into a field first: this key sends only a form that you have been in.');
      } else {
        accept('chosen');
      }
    },
    /** The ask has changed elsewhere: its deadline, whether its agent is there, whether a PIN is needed. */
    update(changed) {
      if (gone.hidden === changed.agentGone) view.again();
      gone.hidden = !changed.agentGone;
      if (changed.pinNeeded) pin.show();
      showTimes(changed.deadlineAt);
    },
    /** Whether somebody is at its form. */
    inUse: () => sheet.contains(document.activeElement),
    /** It ended elsewhere, and something else takes its place: a dialog that belongs to it is told. */
    leave: ({ words: happened }) => over.abort(happened),
    /** It ended, and not by what was done here: what was filled in stays, with what happened above it. */
    end(decision, { next, note } = {}) {
      const settled = { ...ask, decision };
      over.abort(decision.words);
      element.classList.add('ended', 'in-place');
      element.dataset.outcome = decision.outcome;
      form.clear();
      pin.clear();
      makeReadOnly(sheet);
      const verdict = verdictOf(settled, { note, next });
      verdict.classList.add('happened');
      const place = document.activeElement?.closest('.field, .actions');
      keepInPlace(document.activeElement, () => {
        times.replaceChildren('Asked ', ago(ask.openedAt));
        element.querySelector('#together')?.parentElement.remove();
        if (!actions.contains(document.activeElement)) actions.remove();
        (sheet.contains(place) ? place : sheet).before(verdict);
      });
      return { element, ask: settled, focus: () => heading.focus() };
    },
  };
}

function yesWord({ form }) {
  if (onlyConfirm(form)) return 'Approve';
  return form.fields.length === 0 ? 'Seen' : 'Submit';
}
