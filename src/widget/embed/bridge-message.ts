/** One message between the embed page and its host (contract/embed.md). */
export interface BridgeMessage {
  readonly v: 1;
  /** An answer carries the id and the type of the question. */
  readonly id?: string;
  readonly type: string;
  readonly payload: Payload;
}

/** The content of a message. Every field of it is unchecked. */
export type Payload = Readonly<Record<string, unknown>>;

/** Characters. Longer messages are ignored. */
export const longestMessage = 65_536;
const longestName = 100;

/**
 * Reads a message that came as an object or as JSON text. Null for anything but a message of version 1: such a message may belong to
 * another script, so nobody complains about it.
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

/** Whether the value is an object and no list. */
export function isObject(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longestName;
}
