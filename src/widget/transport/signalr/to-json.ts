/** What old versions of Prototype.js add to values of the language. They turn a list into a text of its JSON. */
const patchable: readonly object[] = [Object, Array, String, Number, Boolean].map(
  ({ prototype }) => prototype as object,
);

/** `JSON.stringify` without the methods that the page has added to values of the language. */
export function toJson(value: unknown, space?: number): string {
  const patches = patchable.map(methodOf);
  return JSON.stringify(
    value,
    function (this: Readonly<Record<string, unknown>>, key, converted: unknown) {
      const original = this[key];
      return patches.includes(methodOf(original)) ? original : converted;
    },
    space,
  );
}

function methodOf(value: unknown): unknown {
  return (value as { readonly toJSON?: unknown } | null | undefined)?.toJSON; // any other value can be asked for a member
}
