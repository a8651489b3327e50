// Where a person was in a list, for when they come back to it: in this tab only.

const NAME = 'holdpoint.place';
const NOWHERE = { top: 0, size: 0, picked: [] };

/** How far down this list was, how much of it was loaded, and what was picked. */
export function keptPlace(address) {
  return { ...NOWHERE, ...all()[address] };
}

/** Keeps that. */
export function keepPlace(address, place) {
  try {
    sessionStorage.setItem(NAME, JSON.stringify({ ...all(), [address]: place }));
  } catch {
    // Storage is off or full: the list begins at its top.
  }
}

function all() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(NAME));
    return kept && typeof kept === 'object' ? kept : {};
  } catch {
    return {};
  }
}
