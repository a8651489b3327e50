// One open ask: what is asked, its form, and what a person can do with it.

import { actionBar } from './action_bar.js';
import { post } from './api.js';
import { ago, keepTime, left, long } from './clock.js';
import { commentsOn } from './comments.js';
import { deadlineOf } from './deadline.js';
import { unsentNotice, verdictOf } from './decision.js';
import { notAnswering } from './dialogs.js';
import { button, el, menu, say } from './dom.js';
import { draftOf, dropDraft, dropReview, reviewOf, saveReview } from './drafts.js';
import { editingOf } from './editing.js';
import { endingButtons } from './ending_buttons.js';
import { endingField, endingsOf } from './endings.js';
import { formOf, onlyConfirm } from './form.js';
import { inView } from './in_view.js';
import { originOf } from './origin.js';
import { outlineOf } from './outline.js';
import { pointing } from './pointing.js';
import { SETTLE_MS, isReady, setReady, whenPressed } from './press.js';
import { keepInPlace, makeReadOnly } from './read_only.js';
import { keepReadingPlace } from './reading_place.js';
import { roundsOf } from './rounds.js';
import { pinField, wordField } from './safeguards.js';
import { scrollOn } from './scroll.js';
import { shownText } from './shown_text.js';
import { MOST_ON_LEAVING, holdBack } from './undo.js';

const READ_WORDS = 'Read the whole ask first, from its start to its end.';
// Nearer to the deadline than this nothing is held back.
const NEAR_MS = 15_000;

/**
 * An open ask. `sending`, `ended(decision, mine)` and `hidden` are called as it goes on; with `atOnce` nothing is
 * held back to be undone.
 */
export function openAsk(ask, { sending, ended, hidden, together, heading: words, atOnce = false }) {
  // Nothing is shown as ready before all of it is there.
  let started = false;
  let view;
  let told = false;
  let busy = false;
  let held;
  let pause = 0;
  let touched = false;
  let wasInFields = false;
  // When what can be pressed came to where it is.
  let there = performance.now();
  const endings = endingsOf(ask);
  const form = formOf(ask, { without: endingField(ask)?.name });
  const remember = form.field(ask.form.fields.find(({ remembers }) => remembers)?.name);
  // What a harness prompts for is short: the field that an ending leads to is shown there, comments where there are any.
  const isPrompt = ask.kind === 'permission' && ask.inPerson;
  const tucked = isPrompt ? endings.map(({ wants }) => form.field(wants)).filter((one) => one?.field.required === false) : [];
  for (const { element } of tucked) element.hidden = true;
  const over = new AbortController();
  const isReview = ask.kind === 'review' || endings.length > 1;
  const heading = el('h2', { tabindex: '-1' }, words ?? ask.origin.who);
  const times = el('p', { class: 'times' });
  const gone = el('p', { class: 'notice gone', hidden: !ask.agentGone }, el('strong', {}, 'Agent gone.'),
    ' Nothing is waiting for your answer right now. It is recorded for when the agent comes back.');
  const trouble = el('p', { class: 'trouble', role: 'alert', hidden: true });
  const toRead = el('p', { class: 'hint', id: 'read-how', hidden: true }, READ_WORDS);
  // Below the buttons, which stay on the screen and cover text until the end is reached.
  const lastLine = el('div', { class: 'last-line' });
  const pin = pinField(ask);
  const word = ask.dangerous ? wordField(ask.word, showReady) : undefined;

  const kept = reviewOf(ask);
  const text = shownText(ask, (key) => comments?.at(key) ?? []);
  const counter = button('Comment', { class: 'plain', id: 'comment-count', onclick: () => goToComments() });
  const editing = ask.editable ? editingOf(ask, kept.edited, keepReview) : undefined;
  const edit = editing && button('Edit…', { class: 'plain', id: 'edit', title: `Edit: ${ask.editable.title}`, onclick: () => editing.open() });
  const comments = isReview ? commentsOn(kept.comments, { changed: keepReview, reveal: text.reveal, quiet: isPrompt }) : undefined;
  const points = comments && pointing(text.element, comments.add);
  const outline = isReview ? outlineOf(ask, text.element, text.diffs, text.open) : undefined;

  const buttons = endingButtons(ask, endings, {
    accept, word,
    complete: (ending) => complete(ending) !== undefined,
    wanted: (name) => form.field(name),
    unread: () => { if (view.unseen()) readOn(); },
    fail,
    tell: showReady,
    suffix: () => (editing?.isEdited() ? ' with my edits' : ''),
    remembers: () => remember?.chosen() !== undefined,
  });
  const alone = onlyConfirm(ask.form);
  const no = button(alone ? 'Decline…' : 'Don’t answer…', { class: alone ? 'secondary' : 'plain', id: 'decline', title: 'Turn it down (d)', 'aria-disabled': 'true' });
  const article = el('article', { class: ask.dangerous ? 'ask dangerous' : 'ask', 'data-id': ask.id, 'data-kind': ask.kind });
  const deadline = deadlineOf(ask, article, { over: over.signal, failed: fail, moved: showTimes });
  const bar = actionBar(ask, { trouble, toRead, deadline, endings: buttons, comments: comments && counter, edit, no, hidden });
  // Nothing acts on a form that is submitted: Enter in a field, on a radio or in a filter sends nothing.
  const sheet = el('form', { novalidate: true, autocomplete: 'off', onsubmit: (event) => event.preventDefault() },
    form.element, word?.element, pin.element, bar.element, lastLine);

  article.append(...[
    ask.kind === 'review' && el('a', { class: 'to-list', href: '/' }, 'All asks'),
    ask.dangerous && el('p', { class: 'warning' }, el('strong', {}, 'Dangerous.'), ' ', ask.consequence),
    gone,
    el('header', {}, heading, originOf(ask, { who: false }), times),
    roundsOf(ask),
    el('div', { class: outline ? 'sheet with-outline' : 'sheet' }, outline ?? [], el('div', { class: 'texts-shown' }, text.element, editing?.element ?? [])),
    comments && unsentNotice(ask, takeOver),
    comments?.element,
    sheet,
    together && el('p', { class: 'notice' }, together.words, ' ', button('Decide together…', { class: 'plain', id: 'together', onclick: together.open })),
  ].filter(Boolean));

  whenPressed(no, turnDown);
  remember?.element.addEventListener('change', showReady);
  article.addEventListener('pointerdown', () => { touched = true; });
  for (const part of [sheet, text.element]) part.addEventListener('focusin', () => { touched = true; });
  sheet.addEventListener('focusin', ({ target }) => { if (target.closest('.fields, .step')) wasInFields = true; });

  started = true;
  for (const { key } of kept.comments) if (/^[md]/.test(key)) text.reveal(key)?.after(...comments?.at(key) ?? []);
  keepReview();
  showTimes(ask.deadlineAt);
  form.show(ask.errors ?? []);
  view = inView(article, ask.readingMs, showReady, [heading, lastLine]);
  setTimeout(showReady, SETTLE_MS);
  keepReadingPlace(ask.id, article, over.signal);

  /** Says once that it is in view: the record tells which surface showed what, and when. */
  function tellShown() {
    if (told || !view?.begun()) return;
    told = true;
    post(`/api/asks/${ask.id}/shown`, {}).catch(() => { told = false; });
  }

  /** Shows which buttons can be pressed: a yes only after the time that it takes to read. */
  function showReady() {
    if (!started || over.signal.aborted) return;
    tellShown();
    const able = !busy && !held && performance.now() - there >= SETTLE_MS;
    const wait = pause - Date.now();
    if (wait > 0) setTimeout(showReady, wait);
    const unseen = Boolean(view?.unseen());
    buttons.show({ able, read: wait <= 0 && Boolean(view?.read()), unseen, begun: Boolean(view?.begun()) });
    setReady(no, able);
    toRead.hidden = !unseen || !buttons.waits();
    bar.stepping(!buttons.step.hidden);
    if (remember) remember.element.disabled = buttons.saysNo();
  }

  /** Says that there is more to read, and leads to it, for whoever cannot scroll otherwise. */
  function readOn() {
    say(READ_WORDS);
    if (view.unseen() === heading) heading.scrollIntoView();
    else scrollOn(article);
  }

  function showTimes(at) {
    times.replaceChildren('Asked ', ago(ask.openedAt), ' · ', el('span', { class: 'id', title: `The ask ${ask.id}` }, ask.shortId));
    if (at) times.append(' · ', left(at), ' ', longer());
    keepTime();
  }

  function longer() {
    return menu('Give me longer', [[15, '15 more minutes'], [60, '1 more hour'], [24 * 60, '1 more day']].map(([minutes, name]) => [name, () =>
      deadline.more({ minutes }).then(() => say(`You have ${name}.`), (refused) => fail(refused.message))]), 'longer');
  }

  // ---- what the person says beside the answer

  function keepReview() {
    if (!started || (!comments && !editing)) return;
    saveReview(ask, { comments: comments?.kept() ?? [], edited: editing?.value() });
    if (comments) counter.textContent = comments.words();
    showReady();
  }

  function goToComments() {
    if (!comments.count()) return points.begin();
    comments.element.scrollIntoView({ block: 'center' });
    return comments.element.focus({ preventScroll: true });
  }

  /** Takes over what was written in an earlier round and never sent. */
  function takeOver({ comments: unsent = [], edited, values = {} }) {
    comments.take(unsent);
    if (edited !== undefined) editing?.take(edited);
    form.take(values);
    keepReview();
  }

  // ---- deciding

  /** What is filled in, or nothing where something is missing; that is shown and has the focus then. */
  function complete(ending) {
    const content = form.content();
    if (content === undefined || (ending.tone === 'go' && pin.missing())) return undefined;
    // Nothing is remembered with a no, and what another ending leads to stays with that.
    if (remember && ending.tone !== 'go') delete content[remember.field.name];
    for (const { field } of tucked) if (field.name !== ending.wants) delete content[field.name];
    return { ...content, ...ending.content };
  }

  function accept(ending, gesture) {
    const content = complete(ending);
    if (content === undefined) return;
    const edited = ending.tone === 'stop' ? undefined : editing?.value();
    const kept = ending.tone === 'go' ? remember?.chosen() : undefined;
    const done = ending.done + (edited !== undefined && ending.tone === 'go' ? ' with your edits' : '') + (kept ? `, and remembered: ${kept}` : '');
    decide(done, { action: 'accept', content, edited }, gesture === 'word' ? { gesture, word: word.value() } : { gesture });
  }

  async function turnDown() {
    const reply = await notAnswering(over.signal);
    if (reply) decide(reply.action === 'cancel' ? 'Dismissed' : 'Declined', reply, { gesture: 'chosen' });
  }

  /** Decides: at once where it is dangerous or there is no time, otherwise after a moment in which it can be undone. */
  function decide(done, reply, presence) {
    if (busy || held || over.signal.aborted) return;
    trouble.hidden = true;
    const said = comments?.sent() ?? [];
    const given = pin.value();
    const body = { askId: ask.id, ...reply, presence: { shownMs: view.shownMs(), ...presence }, ...(said.length ? { comments: said } : {}), ...(given ? { pin: given } : {}) };
    if (ask.dangerous || atOnce || deadline.rest() < NEAR_MS || JSON.stringify(body).length > MOST_ON_LEAVING) {
      send(body);
      return;
    }
    const from = document.activeElement;
    held = holdBack(done, {
      element: article, over: over.signal,
      send: (leaving) => { release(); send(body, leaving); },
      undone: () => { release(); say('Taken back. Nothing was sent.'); from?.focus({ preventScroll: true }); },
    });
    for (const part of inert()) part.inert = true;
    bar.put(held.strip);
    held.focus();
    showReady();
  }

  /** Puts the endings back, where a second press that was meant for the strip does nothing. */
  function release() {
    held = undefined;
    there = performance.now();
    setTimeout(showReady, SETTLE_MS);
    for (const part of inert()) part.inert = false;
    bar.restore();
    showReady();
  }

  const inert = () => [form.element, word?.element, pin.element, editing?.element, comments?.element, ...comments?.cards() ?? []].filter(Boolean);

  async function send(body, leaving = false) {
    busy = true;
    showReady();
    const sent = sending([ask.id]);
    try {
      take(await post('/api/elicitation/respond', body, { keepalive: leaving }));
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
        dropReview(ask.id);
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
    if (!article.isConnected) tellElsewhere(ask, message);
  }

  /** Whether a key may act on it: only after the person has come to it. */
  function mayAct() {
    if (!touched) say('Click into the ask first: keys do nothing to one that you have not touched.');
    return touched;
  }

  /** It ended, and not by what was done here: what was written stays in this browser. */
  function keepUnsent() {
    const values = form.kept();
    if (comments || editing) saveReview(ask, { comments: comments?.kept() ?? [], edited: editing?.value(), values: Object.keys(values).length ? values : undefined });
  }

  return {
    element: article, ask,
    focus: () => heading.focus({ preventScroll: true }),
    /** The key for a no. */
    decline() {
      if (isReady(no) && mayAct()) turnDown();
    },
    /** The key for a comment. */
    comment: () => points?.begin(),
    /** The keys that go from paragraph to paragraph, and from hunk to hunk. */
    place: (by) => points?.step(by),
    /** Ctrl+Enter: sends where there is one way to; on a dangerous ask it only goes to the button, which is held on its own. */
    submit(target) {
      if (held || busy || !(target.contains(article) || article.contains(target))) return;
      if (view.unseen() && buttons.waits()) say(READ_WORDS);
      const one = buttons.byKey(target);
      if (one === 'choose') say('Choose how to end it: this key chooses for nobody.');
      if (typeof one === 'string' && one !== 'hold') return;
      if (!mayAct()) return;
      if (one === 'hold') say('Hold Enter or the space bar for a second, or type the word.');
      else if (form.hasFields && !wasInFields) say('Go into a field first: this key sends only a form that you have been in.');
      else accept(one.ending, 'chosen');
    },
    /** The ask has changed elsewhere: its deadline, whether its agent is there, whether a PIN is needed. */
    update(changed) {
      if (gone.hidden === Boolean(changed.agentGone)) view.again();
      gone.hidden = !changed.agentGone;
      if (changed.pinNeeded) pin.show();
      deadline.set(changed.deadlineAt);
      showTimes(changed.deadlineAt);
    },
    /** Whether somebody is at its form, a comment or the text. */
    inUse: () => sheet.contains(document.activeElement) || Boolean(document.activeElement?.closest('.comment, .editing') && article.contains(document.activeElement)),
    /** It ended elsewhere, and something else takes its place: a dialog that belongs to it is told. */
    leave({ words: happened }) {
      keepUnsent();
      over.abort(happened);
    },
    /** It ended, and not by what was done here: what was filled in stays, with what happened above it. */
    end(decision, { next, note } = {}) {
      const settled = { ...ask, decision };
      const waiting = held && 'What you chose here was not sent.';
      keepUnsent();
      over.abort(decision.words);
      article.classList.add('ended', 'in-place');
      article.dataset.outcome = decision.outcome;
      form.clear();
      pin.clear();
      for (const part of [sheet, editing?.element, comments?.element, ...comments?.cards() ?? []].filter(Boolean)) makeReadOnly(part);
      const verdict = verdictOf(settled, { note: [waiting, note].filter(Boolean).join(' ') || undefined, next, lost: draftOf(ask) });
      verdict.classList.add('happened');
      const place = document.activeElement?.closest('.field, .actions, .comment, .editing');
      keepInPlace(document.activeElement, () => {
        times.replaceChildren('Asked ', ago(ask.openedAt));
        article.querySelector('#together')?.parentElement.remove();
        if (!bar.element.contains(document.activeElement)) bar.element.remove();
        (article.contains(place) ? place : sheet).before(verdict);
      });
      return { element: article, ask: settled, focus: () => heading.focus() };
    },
  };
}

/** What went wrong with a reply whose ask is no longer shown. */
function tellElsewhere(ask, message) {
  const notice = el('p', { class: 'late-notice', role: 'alert' }, message, ' ', el('a', { href: `/ask/${ask.id}` }, ask.title),
    ' ', button('Close', { class: 'plain small', onclick: () => notice.remove() }));
  document.body.append(notice);
}
