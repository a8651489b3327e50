// Which lines of a text were changed.

// More pairs of lines than this are not compared while somebody types.
const MOST = 250_000;
const AROUND = 1;

/** The lines that differ between two texts, with a line around them; nothing where too much does. */
export function changedLines(before, after) {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let same = 0;
  while (same < old.length - start && same < fresh.length - start && old.at(-1 - same) === fresh.at(-1 - same)) same += 1;
  const middle = compared(old.slice(start, old.length - same), fresh.slice(start, fresh.length - same));
  if (!middle) return undefined;
  const equal = (lines) => lines.map((text) => ({ k: ' ', text }));
  return [...equal(old.slice(Math.max(0, start - AROUND), start)), ...middle, ...equal(old.slice(old.length - same).slice(0, AROUND))];
}

/** The longest common lines stay; what is around them goes and comes. */
function compared(old, fresh) {
  if (old.length * fresh.length > MOST) return undefined;
  const wide = fresh.length + 1;
  const common = new Uint16Array((old.length + 1) * wide);
  for (let a = old.length - 1; a >= 0; a -= 1) {
    for (let b = fresh.length - 1; b >= 0; b -= 1) {
      common[a * wide + b] = old[a] === fresh[b] ? common[(a + 1) * wide + b + 1] + 1 : Math.max(common[(a + 1) * wide + b], common[a * wide + b + 1]);
    }
  }
  const lines = [];
  let [a, b] = [0, 0];
  while (a < old.length || b < fresh.length) {
    if (a < old.length && b < fresh.length && old[a] === fresh[b]) {
      lines.push({ k: ' ', text: old[a] });
      a += 1;
      b += 1;
    } else if (b >= fresh.length || (a < old.length && common[(a + 1) * wide + b] >= common[a * wide + b + 1])) {
      lines.push({ k: '-', text: old[a] });
      a += 1;
    } else {
      lines.push({ k: '+', text: fresh[b] });
      b += 1;
    }
  }
  return lines;
}
