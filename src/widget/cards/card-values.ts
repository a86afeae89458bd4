/** Reading what a card holds: the server has checked its shape and size (contract/cards.md), but not the type of every value. */
export type CardObject = Readonly<Record<string, unknown>>;

/** An object's own values; of anything else, none. */
export function objectOf(value: unknown): CardObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as CardObject) // just checked
    : {};
}

/** The objects of a list. */
export function objectsOf(value: unknown): CardObject[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

/** Text, a number or a yes-no value as text; of anything else, nothing. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** A number, also one that is written as text; undefined when it is none. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
