import { throughProxy } from '../shared/network/through-proxy.ts';
import { withoutQueries } from '../../core/errors/hidden-query.ts';

const timeoutMs = 5000;
/** Characters. Key sets and discovery documents are far shorter. */
const maxLength = 512 * 1024;

/** Reads a JSON object from the configured address of an issuer. The read is bounded in time and size and follows no redirect. */
export async function fetchJson(address: string): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(address, {
    ...(await throughProxy()),
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new Error(`${withoutQueries(address)} answered ${String(response.status)}`);
  }
  const value: unknown = JSON.parse(await boundedText(response.body, address));
  if (typeof value !== 'object' || value === null) throw new Error(`${withoutQueries(address)} holds no JSON object`);
  return Object.fromEntries(Object.entries(value));
}

async function boundedText(body: ReadableStream<Uint8Array>, address: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    // Leaving the loop cancels the rest of the answer.
    if (length > maxLength) throw new Error(`${withoutQueries(address)} answered more than ${String(maxLength)} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
