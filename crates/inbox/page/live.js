// Live events. Browsers allow six connections to a server, and each tab would hold one open: so one tab
// listens and passes events on to the others.

import { download } from './api.js';

const EVENTS = ['elicitation', 'settled', 'withdrawn', 'progress', 'remembered', 'run', 'scripts', 'reset'];

/** Calls `hear(type, data)` for each event, `open` and `lost`; `first` tells the tab that listens. */
export function follow(hear) {
  const first = { tab: false };
  const others = 'BroadcastChannel' in self ? new BroadcastChannel('holdpoint') : undefined;
  let state = 'lost';
  const tell = (type, data) => {
    if (type === 'open' || type === 'lost') state = type;
    hear(type, data);
    others?.postMessage({ type, data });
  };
  if (!others || !navigator.locks) {
    first.tab = true;
    listen((type, data) => hear(type, data));
    return first;
  }
  others.onmessage = ({ data: { type, data } }) => {
    if (type !== 'hello') hear(type, data);
    else if (first.tab) others.postMessage({ type: state });
  };
  others.postMessage({ type: 'hello' });
  navigator.locks.request('holdpoint-live', () => {
    first.tab = true;
    listen(tell);
    return new Promise(() => {});
  });
  return first;
}

async function listen(tell) {
  let wait = 1000;
  let last;
  for (;;) {
    try {
      const { body } = await download('/api/events', last && { 'last-event-id': last });
      wait = 1000;
      tell('open');
      for await (const { event, data, id } of eventsOf(body)) {
        last = id ?? last;
        if (EVENTS.includes(event)) tell(event, JSON.parse(data));
      }
    } catch {
      // It is lost, whatever the reason.
    }
    tell('lost');
    await new Promise((resolve) => { setTimeout(resolve, wait); });
    wait = Math.min(wait * 2, 10_000);
  }
}

/** The events of a stream: each ends with an empty line. */
async function* eventsOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (text + value).split('\n\n');
    text = parts.pop();
    for (const part of parts) {
      yield Object.fromEntries(part.split('\n').map((line) => line.split(/: ?(.*)/s, 2)));
    }
  }
}
