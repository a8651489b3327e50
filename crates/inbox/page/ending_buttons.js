// The buttons that end an ask, and the step before those that lead to a field first.

import { button, el } from './dom.js';
import { SETTLE_MS, isReady, setReady, whenHeld, whenPressed } from './press.js';

const HOLD_WORDS = 'Nothing is decided yet. Hold the button for a second, or type the word first.';

/**
 * The buttons of these endings. `accept(ending, gesture)` sends one, `complete(ending)` says whether that can be,
 * `wanted(name)` gives the field that an ending leads to, `word` is the field for the ask's word where it is
 * dangerous, `unread()` leads on to what was not read yet, `fail(words)` says what is missing, `tell` is called when a
 * step opens or closes, `suffix()` is what goes with a yes, and `remembers()` says whether it is remembered.
 */
export function endingButtons(ask, endings, { accept, complete, wanted, word, unread, fail, tell, suffix, remembers = () => false }) {
  const first = endings.find(({ tone }) => tone === 'go') ?? endings[0];
  const group = el('div', { class: 'endings', role: 'group', 'aria-label': 'How to end it', tabindex: '-1' });
  const step = el('div', { class: 'step', role: 'group', hidden: true });
  const shown = endings.map((ending) => {
    const one = make(ending, { opens: Boolean(ending.wants), id: ending === first ? 'submit' : undefined, style: styleOf(ending, ending === first) });
    if (ending.wants) whenPressed(one.element, () => open(ending, one.element));
    else arm(one);
    return one;
  });
  // What ends the work stands apart, with what else is seldom wanted.
  const stops = el('span', { class: 'stops' });
  for (const { ending, element } of shown) (ending.tone === 'stop' && shown.length > 1 ? stops : group).append(element);
  let confirming;
  let close;

  function make(ending, { opens, id, style }) {
    const label = el('span', {});
    const gated = ending.tone === 'go' && !opens;
    const described = [gated && word && 'word-how', gated && 'read-how'].filter(Boolean).join(' ');
    const element = button(label, { class: style, id, 'aria-disabled': 'true', 'aria-describedby': described || undefined });
    const one = { ending, element, gated, opens, label };
    name(one);
    return one;
  }

  function name({ ending, gated, opens, label }) {
    const action = ending.tone === 'go' ? yes(ending.action) : ending.action;
    const held = gated && word && !word.typed();
    label.textContent = held ? `Hold to ${action[0].toLowerCase()}${action.slice(1)}` : opens ? `${action}…` : action;
  }

  /** What a yes is called: one that is remembered is not for once. */
  function yes(action) {
    return remembers() ? `${action.replace(/ once$/, '')} and remember` : action + suffix();
  }

  /** What a press on a button does: a dangerous yes is held, or the word is typed before. */
  function arm({ element, ending, gated }) {
    const held = gated && word;
    if (held) whenHeld(element, { needed: () => !word.typed(), may: () => complete(ending), act: () => accept(ending, 'held'), early: () => fail(HOLD_WORDS) });
    whenPressed(element, () => {
      if (!held) accept(ending, 'chosen');
      else if (word.typed()) accept(ending, 'word');
      else if (complete(ending)) fail(HOLD_WORDS);
    });
    if (gated) element.addEventListener('click', unread);
  }

  /** Leads to the field of an ending, beside a button of its own that sends it. */
  function open(ending, from) {
    const field = wanted(ending.wants);
    const place = el('span', { hidden: true });
    const tucked = field.element.hidden;
    field.element.replaceWith(place);
    field.element.hidden = false;
    confirming = make(ending, { opens: false, id: 'confirm-ending', style: ending.tone === 'go' ? styleOf(ending, true) : 'secondary' });
    arm(confirming);
    close = () => {
      place.replaceWith(field.element);
      field.element.hidden = tucked;
      step.replaceChildren();
      confirming = close = undefined;
      step.hidden = true;
      group.hidden = false;
      settle(shown);
      tell();
    };
    const back = button('Back', { class: 'plain', onclick: () => { close(); from.focus(); } });
    step.setAttribute('aria-label', ending.action);
    step.replaceChildren(field.element, el('div', { class: 'sends' }, confirming.element, back));
    step.hidden = false;
    group.hidden = true;
    settle([confirming]);
    tell();
    field.focus();
  }

  /** A press that was meant for what was here before these does not end it. */
  function settle(come) {
    for (const one of come) one.since = performance.now();
    setTimeout(tell, SETTLE_MS);
  }

  return {
    group, stops, step,
    /** Shows which can be pressed: a no at once, a yes only after it was `read`. */
    show({ able, read, unseen, begun }) {
      for (const one of [...shown, confirming].filter(Boolean)) {
        const settled = !one.since || performance.now() - one.since >= SETTLE_MS;
        setReady(one.element, able && settled && (!one.gated || read));
        one.element.classList.toggle('not-seen', one.gated && unseen);
        one.element.classList.toggle('unread', one.gated && begun && !read);
        name(one);
      }
    },
    /** Whether one of them waits until the ask was read. */
    waits: () => (confirming ? confirming.gated : shown.some(({ gated }) => gated)),
    /** Whether a step is open that leads to a no. */
    saysNo: () => Boolean(confirming) && confirming.ending.tone !== 'go',
    /** Goes back from a step. */
    close: () => close?.(),
    /** What Ctrl+Enter does: the one ending there is; of several it chooses none. */
    byKey(target) {
      const one = confirming ?? (shown.length === 1 ? shown[0] : undefined);
      if (confirming && !step.contains(target)) return 'elsewhere';
      if (!one) {
        group.focus();
        return 'choose';
      }
      if (!isReady(one.element)) return 'not ready';
      if (one.gated && word) {
        one.element.focus();
        return 'hold';
      }
      return one;
    },
  };

  function styleOf({ tone }, isFirst) {
    if (tone === 'go' && isFirst) return ask.dangerous ? 'primary danger' : 'primary';
    return tone === 'stop' ? 'plain stop' : 'secondary';
  }
}
