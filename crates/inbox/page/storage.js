// What this browser saves: drafts, snoozes. Never a secret of a form, never a PIN.

const PREFIX = 'holdpoint.';

/** Loads what is saved under this name; nothing where storage is off or holds something unreadable. */
export function load(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name)) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Saves a value under this name, or removes it where there is none. */
export function save(name, value) {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Storage is off or full: the page works, it only forgets.
  }
}

/** The saved names that begin like this. */
export function savedNames(start) {
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(PREFIX + start))
      .map((name) => name.slice(PREFIX.length));
  } catch {
    return [];
  }
}

/** Calls back when another tab changes what is saved under this name. */
export function whenSaved(name, then) {
  addEventListener('storage', (event) => { if (event.key === PREFIX + name) then(); });
}
