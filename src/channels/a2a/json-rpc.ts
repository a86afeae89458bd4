import { hasRepeatedNames } from '../../core/base/repeated-names.ts';
import { isCrowded } from '../shared/crowded-json.ts';

/** A request of the protocol whose method and id are sound. Its parameters are not checked yet. */
export interface RpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: string | number;
  readonly method: string;
  readonly params?: unknown;
}

/** An answer that says what is wrong (JSON-RPC 2.0, section 5.1). */
export interface RpcFault {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

const parseError = -32700;
const invalidRequest = -32600;

/** How many objects and lists may lie in one another. Whoever reads a value goes down as far as it does. */
const deepest = 64;

/** The longest id that is sent back, in characters. */
const longestId = 256;

/**
 * Reads one request. The answer to a batch, to a notification and to everything else that is no request of JSON-RPC 2.0 is a fault
 * (contract/a2a-server.md#requests).
 */
export function readRpc(text: string): RpcRequest | RpcFault {
  if (isTooDeep(text)) return fault(invalidRequest, `The request is nested more than ${String(deepest)} deep.`);
  if (isCrowded(text)) return fault(invalidRequest, 'The request has too many values.');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return fault(parseError, 'The request is no JSON.');
  }
  if (hasRepeatedNames(text, body)) return fault(invalidRequest, 'An object in the request has a name twice.');
  if (Array.isArray(body)) return fault(invalidRequest, 'Batches are not served. Send one request at a time.');
  if (typeof body !== 'object' || body === null) return fault(invalidRequest, 'The request must be an object.');
  const { jsonrpc, id, method, params }: Partial<Record<keyof RpcRequest, unknown>> = body;
  if (!isId(id)) return fault(invalidRequest, 'The request needs an id: a text or a whole number.');
  if (jsonrpc !== '2.0') return fault(invalidRequest, 'The request needs jsonrpc: "2.0".', id);
  if (typeof method !== 'string' || method === '') return fault(invalidRequest, 'The request needs a method.', id);
  return { jsonrpc, id, method, params };
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' ? id.length <= longestId : Number.isSafeInteger(id);
}

function fault(code: number, message: string, id: string | number | null = null): RpcFault {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** Whether brackets outside of texts lie too deep in one another. It looks at each character once, and needs no stack. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isInText) {
      if (character === '\\') at += 1;
      else if (character === '"') isInText = false;
    } else if (character === '"') isInText = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}
