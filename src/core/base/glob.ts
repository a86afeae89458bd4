/**
 * Tool-name globs of the YAML policies (contract/configuration.md): `*` is any run of characters, `?` is one. Takes no longer than
 * the product of both lengths, whatever the glob.
 */
export function matchesGlob(glob: string, name: string): boolean {
  const wanted = Array.from(glob);
  const given = Array.from(name);
  let [at, next] = [0, 0];
  /** The index of the last star in the glob, and the index in the name up to which the star has matched. */
  let [star, taken] = [-1, 0];
  while (next < given.length) {
    if (wanted[at] === '*') {
      star = at;
      taken = next;
      at += 1;
    } else if (wanted[at] === '?' || (at < wanted.length && wanted[at] === given[next])) {
      at += 1;
      next += 1;
    } else if (star < 0) {
      return false;
    } else {
      taken += 1;
      at = star + 1;
      next = taken;
    }
  }
  return wanted.slice(at).every((part) => part === '*');
}

/** A predicate that is true for names matching any of the globs. */
export function globPredicate(patterns: readonly string[]): (name: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !/[*?]/.test(pattern)));
  const globs = patterns.filter((pattern) => /[*?]/.test(pattern));
  return (name) => exact.has(name) || globs.some((glob) => matchesGlob(glob, name));
}
