import { throughProxy } from '../shared/network/through-proxy.ts';
import { withoutQueries } from '../../core/errors/hidden-query.ts';

const timeoutMs = 5000;
/** Bytes. Key sets and discovery documents are far shorter. */
const maxLength = 512 * 1024;

/**
 * Reads a JSON object from the configured address of an issuer. The read is bounded in time and size. It follows no redirect, because
 * where that leads is not configured.
 */
export async function fetchJson(address: string): Promise<Readonly<Record<string, unknown>>> {
  const shown = withoutQueries(address);
  const response = await answerOf(address, shown);
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new Error(`${shown} answered ${String(response.status)}${redirection(response, address)}`);
  }
  const value: unknown = parse(await boundedText(response.body, shown), shown);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`${shown} holds no JSON object`);
  }
  return Object.fromEntries(Object.entries(value));
}

async function answerOf(address: string, shown: string): Promise<Response> {
  try {
    return await fetch(address, {
      ...(await throughProxy()),
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (cause) {
    throw new Error(`${shown} cannot be reached: ${reasonOf(cause)}`, { cause });
  }
}

/** `fetch` itself only says that it failed. Why is in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${String(timeoutMs / 1000)} s`;
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** Where a redirect leads, so that the address can be mended. */
function redirection({ status, headers }: Response, address: string): string {
  const location = headers.get('location');
  if (status < 300 || status > 399 || location === null || !URL.canParse(location, address)) return '';
  return `, a redirect to ${withoutQueries(new URL(location, address).href)}: redirects are not followed, so the settings must name the address itself`;
}

function parse(text: string, shown: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${shown} holds no JSON`, { cause: error });
  }
}

async function boundedText(body: ReadableStream<Uint8Array>, shown: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    // Leaving the loop cancels the rest of the answer.
    if (length > maxLength) throw new Error(`${shown} answered more than ${String(maxLength)} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
