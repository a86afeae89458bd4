import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, ask } from '../ask.ts';
import { confirmingSettings, linkIn, sessionCookie, tokensOf } from '../mcp/confirming-server.ts';
import { called, type ToolCall } from '../mcp/told-program.ts';
import type { StressServer, StressServerOptions } from './stress-server.ts';

/** The program and the browser of one user. */
export const tokens = await tokensOf('ann');

/** A server that programs ask for a write by MCP. Its user answers on the page. */
export const countingServer: StressServerOptions = {
  settings: { ...confirmingSettings, rateLimitPerUser: 0, server: { publicUrl: 'https://shop.example.com' } },
  plugin: `
    import { setTimeout as wait } from 'node:timers/promises';
    const [began, ended] = [{}, {}];
    const count = (of, amount) => { of[amount] = (of[amount] ?? 0) + 1; };
    const parameters = { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] };
    export default {
      name: 'stress',
      actions: [
        { name: 'pay', description: 'Pays.', parameters, execute: async ({ amount }) => {
          count(began, amount);
          await wait(30);
          count(ended, amount);
          return { paid: amount };
        } },
        { name: 'count', description: 'Counts.', readOnly: true, parameters: { type: 'object', properties: {} },
          execute: () => ({ began, ended }) },
      ],
    };`,
};

/** How often each amount was paid, by its begin and by its end. */
export interface Counts {
  readonly began: Readonly<Record<string, number>>;
  readonly ended: Readonly<Record<string, number>>;
}

/** A call that pays an amount. */
export function pay(amount: number, revision: ToolCall['revision'], state?: string): ToolCall {
  return { name: 'pay', arguments: { amount }, revision, state };
}

/** Asks the server what it has paid. */
export async function paid({ url }: StressServer): Promise<Counts> {
  const answer = await called(url, tokens.program, { name: 'count', arguments: {}, revision: '2025-06-18' });
  const text = /\{"result".*\}/.exec(answer)?.[0] ?? '{}';
  return (JSON.parse(text) as { readonly result: { readonly structuredContent: Counts } }).result.structuredContent;
}

/** Opens the page of the question that an answer has asked. */
export function openPage({ url }: StressServer, asked: string, token: string = tokens.browser): Promise<Answer> {
  return ask(url, `GET ${pathIn(asked)}`, { headers: { cookie: `${sessionCookie}=${token}` } });
}

/** The proof of the page's form. Empty without a form. */
export function proofIn({ body }: Answer): string {
  return /name="proof" value="([^"]+)"/.exec(body)?.[1] ?? '';
}

/** Sends the form of the page. */
export function approve(
  { url }: StressServer,
  asked: string,
  { proof, token = tokens.browser }: { readonly proof: string; readonly token?: string },
): Promise<Answer> {
  return ask(url, `POST ${pathIn(asked)}`, {
    headers: { cookie: `${sessionCookie}=${token}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ proof, answer: 'approve' }).toString(),
  });
}

function pathIn(asked: string): string {
  return new URL(linkIn(asked)).pathname;
}

/** Waits until the counts are so. False after a while. */
export async function untilPaid(server: StressServer, isSo: (counts: Counts) => boolean): Promise<boolean> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (isSo(await paid(server))) return true;
    await wait(10);
  }
  return false;
}
