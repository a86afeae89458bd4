/** Tool-name globs of the YAML policies (configuration.md 2): `*` is any run of characters, `?` is one. */
export function matchesGlob(pattern: string, name: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${source}$`, 'u').test(name);
}

/** A predicate that is true for names matching any of the globs. Compiled once. */
export function globPredicate(patterns: readonly string[]): (name: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !/[*?]/.test(pattern)));
  const globs = patterns.filter((pattern) => /[*?]/.test(pattern));
  return (name) => exact.has(name) || globs.some((glob) => matchesGlob(glob, name));
}
