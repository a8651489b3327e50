// One open ask: what is asked, its form, and what a person can do with it.

import { canAnswer, post } from './api.js';
import { ago, keepTime, left, long } from './clock.js';
import { declining } from './dialogs.js';
import { button, el, markup, menu, say } from './dom.js';
import { dropDraft } from './drafts.js';
import { formOf, onlyConfirm } from './form.js';
import { originOf } from './origin.js';
import { isSnoozed, snooze, wake } from './snooze.js';

// A click meant for what was here before must not decide what has just come.
const SETTLE_MS = 400;

/** An open ask. `sending`, `ended(decision, mine)` and `hidden` are called as it goes on. */
export function openAsk(ask, { sending, ended, hidden, together, heading: words }) {
  const form = formOf(ask);
  const heading = el('h2', { tabindex: '-1' }, words ?? `${ask.origin.client ?? 'An agent'} asks`);
  const times = el('p', { class: 'times' });
  const gone = el('p', { class: 'notice gone', hidden: !ask.agentGone }, el('strong', {}, 'Agent gone.'),
    ' Nothing is waiting for your answer right now. It is recorded for when the agent comes back.');
  const trouble = el('p', { class: 'trouble', role: 'alert', hidden: true });
  const pin = pinField(ask);
  const yes = button(yesWord(ask), { type: 'submit', class: ask.dangerous ? 'primary danger' : 'primary', id: 'submit', disabled: true });
  const no = button('Decline…', { class: 'secondary', id: 'decline', title: 'Decline (d)', onclick: decline, disabled: true });
  const away = button('Dismiss', { class: 'plain', id: 'dismiss', title: 'Close it without an answer', onclick: () => send('cancel'), disabled: true });
  const deciding = [yes, no, away];
  let busy = false;
  let pause = 0;

  const element = el('article', { class: ask.dangerous ? 'ask dangerous' : 'ask', 'data-id': ask.id },
    ask.dangerous && el('p', { class: 'warning' }, el('strong', {}, 'Dangerous.'), ' A yes to this cannot be taken back.'),
    gone,
    el('header', {}, heading, originOf(ask, { client: false }), times),
    markup(ask.message, 'message'),
    ask.details && markup(ask.details, 'details'),
    el('form', { novalidate: true, autocomplete: 'off', onsubmit: submit },
      form.element,
      pin?.element,
      trouble,
      el('div', { class: 'actions' }, yes, no, away, el('span', { class: 'gap' }), hidden && snoozing())),
    together && el('p', { class: 'notice' }, together.words, ' ', button('Decide together…', { class: 'plain', id: 'together', onclick: together.open })));

  showTimes(ask.deadlineAt);
  form.show(ask.errors ?? []);
  setTimeout(arm, SETTLE_MS);

  function arm() {
    if (busy) return;
    const wait = pause - Date.now();
    if (wait > 0) setTimeout(arm, wait);
    if (canAnswer()) deciding.forEach((one) => { one.disabled = one === yes && wait > 0; });
    else fail('This browser may read, but not answer. Run `holdpoint inbox --web` in a terminal: it opens this page with its key.');
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

  function submit(event) {
    event.preventDefault();
    if (yes.disabled || busy) return;
    const content = form.content();
    if (content === undefined) return;
    if (pin?.missing()) return;
    send('accept', { content });
  }

  async function decline() {
    if (no.disabled || busy) return;
    const reason = await declining(ask);
    if (reason !== undefined) send('decline', reason ? { reason } : {});
  }

  async function send(action, more = {}) {
    if (busy) return;
    busy = true;
    trouble.hidden = true;
    deciding.forEach((one) => { one.disabled = true; });
    const sent = sending([ask.id]);
    try {
      const given = pin?.value();
      take(await post('/api/elicitation/respond', { askId: ask.id, action, ...more, ...(given ? { pin: given } : {}) }));
    } catch (refused) {
      fail(refused.code === 'offline' ? `${refused.message} If your answer did not arrive, the ask will still be here once Holdpoint is back.` : refused.message);
    } finally {
      busy = false;
      arm();
      sent();
    }
  }

  function take(reply) {
    pin?.clear();
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
      case 'inside_agent':
        return fail('Holdpoint is running inside an agent here, so a dangerous ask cannot be decided.');
      default:
        return fail('Nothing is decided yet: try again.');
    }
  }

  function fail(message) {
    trouble.textContent = message;
    trouble.hidden = false;
  }

  return {
    element, ask, decline,
    focus: () => heading.focus(),
    /** Ctrl+Enter: submits; on a dangerous ask it only goes to the button, which is pressed on its own. */
    submit() {
      if (yes.disabled) return;
      if (ask.dangerous && document.activeElement !== yes) {
        yes.focus();
        say(`Press Enter to ${yes.textContent.toLowerCase()}. It cannot be taken back.`);
      } else {
        element.querySelector('form').requestSubmit();
      }
    },
    /** The ask has changed elsewhere: its deadline, or whether its agent is there. */
    update(changed) {
      gone.hidden = !changed.agentGone;
      showTimes(changed.deadlineAt);
    },
  };
}

function yesWord({ form }) {
  if (onlyConfirm(form)) return 'Approve';
  return form.fields.length === 0 ? 'Seen' : 'Submit';
}

/** The PIN, where the ask may need one. It is never saved. */
function pinField(ask) {
  const input = el('input', { id: 'pin', type: 'password', autocomplete: 'off', 'aria-required': 'true' });
  const error = el('p', { class: 'error', role: 'alert', hidden: true }, 'Enter your PIN.');
  const element = el('div', { class: 'field pin', hidden: !ask.pinNeeded },
    el('label', { class: 'label', for: 'pin' }, 'Your PIN', el('span', { class: 'required', 'aria-hidden': 'true' }, '*')), input, error);
  input.addEventListener('input', () => { error.hidden = true; });
  return {
    element,
    value: () => input.value || undefined,
    clear: () => { input.value = ''; },
    ask: () => { element.hidden = false; input.focus(); },
    missing() {
      error.hidden = element.hidden || input.value !== '';
      if (!error.hidden) input.focus();
      return !error.hidden;
    },
  };
}
