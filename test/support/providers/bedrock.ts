import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { useNetwork } from '../../../src/adapters/shared/network/network.ts';
import { certificate, key } from '../../unit/config/certificates.ts';
import { bedrockFrame } from './bedrock-frames.ts';

/** An event of ConverseStream: its type and its content. */
export type BedrockEvent = readonly [event: string, payload: object];

export interface Bedrock {
  /** The address for `baseUrl`. */
  readonly url: string;
  readonly requests: readonly {
    readonly path: string;
    readonly authorization: string | undefined;
    readonly body: Readonly<Record<string, unknown>>;
  }[];
}

/** Amazon Bedrock, which answers with these events in turn. Its certificate is trusted until the test ends. */
export async function startBedrock(...replies: readonly (readonly BedrockEvent[])[]): Promise<Bedrock> {
  const requests: Bedrock['requests'][number][] = [];
  const waiting = [...replies];
  const server = createServer({ cert: certificate, key }, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>; // the server under test sends this
      requests.push({ path: request.url ?? '', authorization: request.headers.authorization, body });
      response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
      for (const [event, payload] of waiting.shift() ?? []) response.write(bedrockFrame(event, payload));
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  useNetwork({ proxyEnv: {}, ca: [certificate] });
  onTestFinished(() => {
    useNetwork({ proxyEnv: {}, ca: [] });
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo; // a server that listens on TCP has an AddressInfo
  return { url: `https://localhost:${String(port)}`, requests };
}

/** The reply of a model: what it says, then why it ends, and what it has used. */
export function converse(
  blocks: readonly (readonly BedrockEvent[])[],
  stopReason: string,
  usage: object,
): readonly BedrockEvent[] {
  const placed = blocks.flatMap((events, contentBlockIndex) => [
    ...events.map(([event, payload]): BedrockEvent => [event, { contentBlockIndex, ...payload }]),
    ['contentBlockStop', { contentBlockIndex }] as const,
  ]);
  return [
    ['messageStart', { role: 'assistant' }],
    ...placed,
    ['messageStop', { stopReason }],
    ['metadata', { usage, metrics: { latencyMs: 1 } }],
  ];
}

/** A call in pieces. */
export const bedrockCall = (name: string): readonly BedrockEvent[] => [
  ['contentBlockStart', { start: { toolUse: { toolUseId: `tooluse_${name}`, name } } }],
  ['contentBlockDelta', { delta: { toolUse: { input: '{"id"' } } }],
  ['contentBlockDelta', { delta: { toolUse: { input: ':1}' } } }],
];

/** Words. */
export const bedrockText = (text: string): readonly BedrockEvent[] => [['contentBlockDelta', { delta: { text } }]];
