/** An object of a card. The server has checked the card's shape and size (contract/cards.md), but not the type of every value. */
export type CardObject = Readonly<Record<string, unknown>>;

/** An object with its own values. Anything else becomes an empty object. */
export function objectOf(value: unknown): CardObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as CardObject) // the condition above has checked that it is an object
    : {};
}

/** The objects of a list. */
export function objectsOf(value: unknown): CardObject[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

/** Text, a number or a yes-no value as text. Anything else becomes an empty text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** A number, or a text that holds a number, as a number. Anything else is undefined. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
