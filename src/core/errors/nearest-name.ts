const longestName = 100;

/** The known name that is most similar to a mistyped name. Undefined when no known name is similar enough. */
export function nearestName(typed: string, known: Iterable<string>): string | undefined {
  // A text this long is not a mistyped name. A model may have written the text, and the work grows with the length of both names.
  if (typed.length > longestName) return undefined;
  let nearest: string | undefined;
  let smallest = Math.max(1, Math.floor(typed.length / 3)) + 1;
  for (const name of known) {
    const distance = editDistance(typed.toLowerCase(), name.toLowerCase());
    if (distance < smallest) {
      smallest = distance;
      nearest = name;
    }
  }
  return nearest;
}

/** The number of letters to insert, delete, replace or swap with their neighbour to turn one word into the other. */
function editDistance(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = at(previous, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
      let cost = Math.min(at(previous, column) + 1, at(current, column - 1) + 1, replaced);
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        cost = Math.min(cost, at(beforePrevious, column - 2) + 1);
      }
      current.push(cost);
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, to.length);
}

/** Callers ask only for an index that is filled already. */
function at(row: readonly number[], index: number): number {
  return row[index] ?? 0;
}
