/** One message between the embed page and its host (contract/embed.md). */
export interface BridgeMessage {
  readonly v: 1;
  /** An answer carries the id and the type of what it answers. */
  readonly id?: string;
  readonly type: string;
  readonly payload: Payload;
}

/** What a message says. Everything in it is still to be looked at. */
export type Payload = Readonly<Record<string, unknown>>;

/** Longer messages are not read. */
export const longestMessage = 65_536;
const longestName = 100;

/**
 * A message as it came, an object or its JSON text. Null for what is no message of version 1: it may belong to somebody else, so
 * nothing is said about it.
 */
export function readMessage(data: unknown): BridgeMessage | null {
  try {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    return text.length > longestMessage ? null : checkMessage(JSON.parse(text));
  } catch {
    return null;
  }
}

function checkMessage(value: unknown): BridgeMessage | null {
  if (!isObject(value) || value['v'] !== 1) return null;
  const { id, type, payload = {} } = value;
  if (!isName(type) || !isObject(payload)) return null;
  if (id === undefined) return { v: 1, type, payload };
  return isName(id) ? { v: 1, id, type, payload } : null;
}

/** Neither null nor a list. */
export function isObject(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longestName;
}
