// What this browser keeps: the token, drafts, snoozes. Never a secret of a form, never a PIN.

const PREFIX = 'holdpoint.';

/** What is kept under this name; nothing where storage is off or holds something unreadable. */
export function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name)) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value under this name, or drops it where there is none. */
export function keep(name, value) {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Storage is off or full: the page works, it only forgets.
  }
}

/** The names that begin like this. */
export function keptNames(start) {
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(PREFIX + start))
      .map((name) => name.slice(PREFIX.length));
  } catch {
    return [];
  }
}

/** Calls back when another tab changes what is kept under this name. */
export function whenKept(name, then) {
  addEventListener('storage', (event) => { if (event.key === PREFIX + name) then(); });
}
