// One run: what it does, what it asks, what it made, how it ended.

import { Refused, get, post } from './api.js';
import { openAsk } from './ask.js';
import { ago, keepTime } from './clock.js';
import { button, el, markup, say } from './dom.js';
import { dropDraft } from './drafts.js';
import { gist, outcomeBadge } from './ask_list.js';
import { itemOf, toast } from './emits.js';
import { waitForPause } from './keys.js';
import { stateBadge } from './scriptlist.js';

/** A run, kept up to date by `refresh`. `again` leads to its method. */
export function runPage(id, { again }) {
  const heading = el('h2', { tabindex: '-1' });
  const facts = el('p', { class: 'origin' });
  const given = el('div', {});
  const now = liveOf();
  const asking = el('section', { class: 'asking', 'aria-label': 'What it asks', hidden: true });
  const result = el('section', { class: 'verdict result', 'aria-label': 'The result', hidden: true });
  const made = el('section', { class: 'made', 'aria-label': 'What it made', hidden: true });
  const log = el('ol', { class: 'lines', role: 'log', 'aria-label': 'What it said', hidden: true });
  const asked = el('section', { class: 'past', 'aria-label': 'What it asked', hidden: true });
  const did = el('section', { class: 'past did', 'aria-label': 'What it did', hidden: true });
  const trouble = el('p', { class: 'trouble', role: 'alert', hidden: true });
  const actions = el('div', { class: 'actions' });
  const element = el('article', { class: 'ask run', 'data-run': id },
    el('header', { class: 'named' }, heading, facts), given, now.element, asking, result, made, log, did, asked, trouble, actions);
  let view;
  let next = 0;
  let card;
  let first = true;
  let left = false;
  const mine = new Set();

  // One reading at a time; what comes meanwhile is read after it.
  let busy;
  let pending = false;
  async function refresh() {
    if (busy) {
      pending = true;
      return busy;
    }
    busy = read();
    try {
      await busy;
    } finally {
      busy = undefined;
    }
    if (pending && !left) {
      pending = false;
      return refresh();
    }
    return undefined;
  }

  async function read() {
    const read = await get(`/api/scripts/runs/${encodeURIComponent(id)}`, { from: next });
    if (left) return;
    const ended = view?.state === 'running' && read.state === 'ended';
    view = read;
    show();
    if (ended) say(`The run has ended: ${view.outcome}. ${view.result?.text ?? ''}`);
    first = false;
  }

  function show() {
    heading.textContent = view.tool;
    element.dataset.state = view.state;
    facts.replaceChildren(...[stateBadge(view), view.client && el('span', {}, view.client), el('span', {}, 'Begun ', ago(view.begunAt)),
      view.workspace && el('code', { class: 'path' }, view.workspace)].filter(Boolean));
    if (view.arguments && !given.firstChild) {
      given.append(el('details', { class: 'given' }, el('summary', {}, 'Its arguments'), markup(view.arguments)));
    }
    now.show(view);
    for (const item of view.items.filter(({ n }) => n >= next)) {
      (item.kind === 'artifact' ? made : log).append(itemOf(id, item));
      if (item.kind === 'toast' && !first) toast(item);
    }
    next = Math.max(next, view.next);
    made.hidden = made.childElementCount === 0;
    log.hidden = log.childElementCount === 0;
    showSteps();
    showAsks();
    showResult();
    showActions();
    keepTime();
  }

  function showSteps() {
    did.hidden = view.did.length === 0;
    const end = (step) => (step.ended ? step.cameTo : 'started; its end is not on record');
    did.replaceChildren(el('h3', {}, 'Did'), el('ol', {}, view.did.map((step) => el('li', {},
      el('code', {}, step.text), end(step) && el('span', { class: 'hint' }, end(step))))));
  }

  function showAsks() {
    const open = view.open;
    const still = card && open.find((ask) => ask.id === card.ask.id);
    if (still) card.update(still);
    else if (!card || mine.has(card.ask.id) || !endCard()) putAsk(open[0]);
    others(open);
    asking.hidden = !card;
    const ended = view.asks.filter((ask) => ask.outcome);
    asked.hidden = ended.length === 0;
    asked.replaceChildren(el('h3', {}, 'Asked'), el('ol', {}, ended.map((ask) => el('li', {},
      outcomeBadge(ask.outcome), el('a', { href: `/ask/${ask.id}` }, gist(ask))))));
  }

  /** The ask that is shown ended elsewhere: where somebody is at it, it stays to be read. Says whether it does. */
  function endCard() {
    if (card.ask.decision) return true;
    const decision = view.asks.find(({ id: one }) => one === card.ask.id)?.decision;
    say(decision?.words ?? 'This ask was answered elsewhere.');
    if (document.activeElement === document.body || element.contains(document.activeElement)) waitForPause();
    if (!decision || !card.inUse()) {
      card.leave({ words: decision?.words ?? 'This ask was answered elsewhere' });
      return false;
    }
    dropDraft(card.ask.id);
    card = card.end(decision);
    return true;
  }

  function putAsk(ask) {
    const lost = card && (document.activeElement === document.body || asking.contains(document.activeElement));
    if (card) dropDraft(card.ask.id);
    card = ask && openAsk(ask, {
      heading: 'The script asks',
      // One question follows the other: waiting after each would hold up whoever runs it.
      atOnce: true,
      sending: ([one]) => {
        mine.add(one);
        return () => {};
      },
      ended: (decision, byMe) => {
        if (!byMe) mine.delete(ask.id);
        say(decision.words);
        settle();
      },
    });
    asking.replaceChildren(...(card ? [card.element] : []));
    if (card && !first) say(`The script asks: ${gist(ask)}`);
    if (lost) (card ?? { focus: () => heading.focus() }).focus();
  }

  /** What is asked together with the ask that is shown. */
  function others(open) {
    asking.querySelector('.others')?.remove();
    const rest = open.filter((ask) => ask.id !== card?.ask.id);
    if (!rest.length) return;
    asking.prepend(el('nav', { class: 'others notice', 'aria-label': 'Asked together' },
      el('span', {}, card?.ask.decision ? 'Asked now:' : 'Asked together with:'),
      rest.map((ask) => button(gist(ask), {
        class: 'plain', 'data-ask': ask.id,
        onclick: () => swap(ask),
      }))));
  }

  function swap(ask) {
    card = undefined;
    putAsk(ask);
    others(view.open);
    card.focus();
  }

  function showResult() {
    result.hidden = !view.result;
    if (!view.result || result.firstChild) return;
    result.replaceChildren(...[
      el('h3', {}, view.outcome === 'done' ? 'Result' : 'It ended without a result'),
      view.result.text && el('p', { class: 'told' }, view.result.text),
      view.result.value && markup(view.result.value, 'value'),
    ].filter(Boolean));
  }

  function showActions() {
    const wanted = [view.here && 'withdraw', view.resumable && 'resume', view.state === 'ended' && view.script && 'again'].filter(Boolean).join(' ');
    if (actions.dataset.wanted === wanted) return;
    actions.dataset.wanted = wanted;
    actions.replaceChildren(...[
      view.here && button('Take it back', { class: 'secondary', id: 'withdraw', title: 'Withdraws what it asks; it does nothing more', onclick: () => act('withdraw', 'Taken back: what it asks is withdrawn, and it does nothing more.') }),
      view.resumable && button('Go on here', { class: 'primary', id: 'resume', title: 'Where its process is gone', onclick: () => act('resume', 'It goes on.') }),
      view.state === 'ended' && view.script && button('Run again…', { class: 'secondary', id: 'again', onclick: () => again(view) }),
    ].filter(Boolean));
  }

  async function act(what, words) {
    trouble.hidden = true;
    if (card) mine.add(card.ask.id);
    try {
      await post(`/api/scripts/runs/${encodeURIComponent(id)}/${what}`, {});
      say(words);
      if (what === 'resume') {
        // It tells everything anew.
        next = 0;
        [log, made].forEach((list) => list.replaceChildren());
      }
      await refresh();
    } catch (refused) {
      fail(refused);
    }
  }

  function settle() {
    refresh().catch(fail);
  }

  function fail(refused) {
    if (!(refused instanceof Refused)) throw refused;
    trouble.textContent = refused.message;
    trouble.hidden = false;
  }

  return {
    element, id, refresh,
    asks: () => view?.open.map((ask) => ask.id) ?? [],
    focus: () => (card ?? heading).focus(),
    submit: (target) => card?.submit?.(target),
    decline: () => card?.decline?.(),
    leave: () => { left = true; },
  };
}

/** What it does now: its status, how far it is, whether it thinks. */
function liveOf() {
  const status = el('p', { class: 'status', role: 'status' });
  const bar = el('progress', { max: 1, 'aria-label': 'Progress' });
  const words = el('span', { class: 'hint' });
  const progress = el('div', { class: 'far', hidden: true }, bar, words);
  const thinking = el('p', { class: 'thinking', hidden: true });
  const element = el('section', { class: 'now', 'aria-label': 'What it does now' }, status, progress, thinking);
  return {
    element,
    show(view) {
      const waits = view.open.length > 0 ? 'It waits for you.' : 'It runs.';
      const idle = view.state === 'running' ? waits : undefined;
      put(status, view.status ?? idle);
      progress.hidden = !view.progress;
      if (view.progress) {
        bar.value = view.progress.value;
        put(words, [`${Math.round(view.progress.value * 100)} %`, view.progress.message].filter(Boolean).join(' · '));
      }
      put(thinking, view.thinking && (view.thinking.message ?? 'Thinking'));
      element.hidden = status.hidden && progress.hidden && thinking.hidden;
    },
  };
}

function put(place, text) {
  place.hidden = !text;
  if (place.textContent !== (text ?? '')) place.textContent = text ?? '';
}
