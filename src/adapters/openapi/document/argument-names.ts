/** The names that an argument may have. Some providers of models refuse others. */
const longestName = 64;

/** Gives each argument of an operation a name of its own. */
export class ArgumentNames {
  readonly #taken = new Set<string>();

  /** The name for a parameter or member. `kind` is put before a name that is taken, such as `body_id`. */
  give(name: string, kind: string): string {
    const clean = cleanName(name);
    const free = [clean, `${kind}_${clean}`.slice(0, longestName)].find((candidate) => !this.#taken.has(candidate));
    const given = free ?? this.#numbered(`${kind}_${clean}`);
    this.#taken.add(given);
    return given;
  }

  #numbered(name: string): string {
    for (let number = 2; ; number += 1) {
      const end = `_${String(number)}`;
      const candidate = `${name.slice(0, longestName - end.length)}${end}`;
      if (!this.#taken.has(candidate)) return candidate;
    }
  }
}

/** `filter[status]` becomes `filter_status`, and `$top` becomes `top`. */
function cleanName(name: string): string {
  const parts = name
    .slice(0, 4 * longestName)
    .split(/[^A-Za-z0-9.-]/)
    .filter((part) => part !== '');
  return parts.join('_').slice(0, longestName) || 'argument';
}
