// Live events. Browsers allow six connections to a server, and each tab would hold one open: so one tab
// listens and passes events on to the others.

const EVENTS = ['elicitation', 'settled', 'withdrawn', 'progress', 'run', 'scripts', 'reset'];

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

function listen(tell, wait = 1000) {
  const source = new EventSource('/api/events');
  for (const type of EVENTS) {
    source.addEventListener(type, (event) => tell(type, JSON.parse(event.data)));
  }
  source.onopen = () => {
    wait = 1000;
    tell('open');
  };
  source.onerror = () => {
    tell('lost');
    // The browser comes back by itself after a lost connection, not after a refusal.
    if (source.readyState === EventSource.CLOSED) {
      setTimeout(() => listen(tell, Math.min(wait * 2, 10_000)), wait);
    }
  };
}
