import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type FollowedTurn, followTurn } from '../support/replicas/followed-turn.ts';
import { type OrderReplicas, startOrderReplicas } from '../support/replicas/order-replicas.ts';
import { hasReplicas, servicesOfFile } from '../support/replicas/replica-processes.ts';
import { isLong, rounds } from '../support/run/tier.ts';
import { calling, chunk, ending, type ModelScript, saying } from '../support/scripted-model.ts';
import { testLimitMs } from '../support/patience-limit.ts';

/** `HELPER_TURNS=1000` has so many replies written while the replicas restart. For every five of them a question is open. */
const turns = rounds({ what: 'replies while replicas are replaced', short: 10, long: 200, variable: 'HELPER_TURNS' });
const questions = Math.ceil(turns / 5);
const replicaCount = 3;

/** A reply is written slowly enough for all replicas to restart meanwhile. */
const pieces = 20;
const pieceMs = 1_000 + 4 * turns;

/** Conversations that begin at the same time. */
const atATime = 25;

const services = servicesOfFile();

function textOf(turn: string): string {
  return Array.from({ length: pieces }, (_, index) => `${turn}.${String(index)} `).join('');
}

/** Writes the reply of the turn that the user has named, piece by piece. Or calls the action for the order that the user has named. */
const model: ModelScript = async (exchange) => {
  const messages = exchange.request.body['messages'] as readonly { readonly role: string; readonly content: string }[];
  if (messages.at(-1)?.role === 'tool') return saying('Done.')(exchange);
  const said = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const order = /cancel order (\d+)/u.exec(said)?.[1];
  if (order !== undefined) return calling({ name: 'cancel_order', arguments: { id: Number(order) } })(exchange);
  const turn = /write (\d+)/u.exec(said)?.[1] ?? '';
  for (let index = 0; index < pieces && !exchange.isClosed; index += 1) {
    await exchange.send(chunk({ content: `${turn}.${String(index)} ` }));
    await delay(pieceMs);
  }
  await exchange.send(ending());
  exchange.end();
};

async function world(): Promise<OrderReplicas> {
  return startOrderReplicas(replicaCount, await services(), {
    otherwise: model,
    environment: {
      ...{ HELPER__HITLMODE: 'Native', HELPER__SERVER__DURABLETURNS: 'true', HELPER__SERVER__SHUTDOWNGRACE: '10s' },
      // A reader comes back when its machine has time for it.
      ...{ HELPER__SERVER__DISCONNECTGRACE: '10m', HELPER__SERVER__MAXCONNECTIONSPERADDRESS: String(3 * turns + 100) },
      HELPER__SERVER__MAXTURNSPERADDRESS: String(3 * turns + 100),
      HELPER__SERVER__MAXREQUESTSPERADDRESS: String(3 * turns + 500),
    },
  });
}

/** Begins a turn with each of these messages, some at a time, and follows them over whichever replica. */
async function begin(url: string, messages: readonly string[]): Promise<FollowedTurn[]> {
  const begun: FollowedTurn[] = [];
  for (let first = 0; first < messages.length; first += atATime)
    begun.push(
      ...(await Promise.all(messages.slice(first, first + atATime).map((message) => followTurn(url, message)))),
    );
  return begun;
}

/** Answers a question. A replica that cannot say yet who has it asks to try again. */
async function answered(url: string, answer: object): Promise<unknown> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(`${url}/helper/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(answer),
    });
    const told: unknown = await response.json();
    if (response.status !== 503 || tries === 30) return told;
    await delay(Number(response.headers.get('retry-after')) * 1_000);
  }
}

describe.skipIf(!hasReplicas)('replicas that restart one after the other (contract/replicas.md#turns)', () => {
  it(
    'lose no turn and no question, run nothing twice, and let readers go on',
    { timeout: testLimitMs + turns * 1_000 },
    async () => {
      const { balancer, replace, orders } = await world();
      const asked = await begin(
        balancer.url,
        Array.from({ length: questions }, (_, order) => `cancel order ${String(order)}`),
      );
      const open = await Promise.all(asked.map((turn) => turn.next('confirmation')));
      const written = await begin(
        balancer.url,
        Array.from({ length: turns }, (_, turn) => `write ${String(turn)}`),
      );
      for (let index = 0; index < replicaCount; index += 1) {
        await replace(index);
      }
      const isApproved = (order: number): boolean => order % 3 > 0;
      await Promise.all(
        open.map(async ({ actionId }, order) => {
          expect(await answered(balancer.url, { actionId, approved: isApproved(order) })).toMatchObject({
            outcome: isApproved(order) ? 'approved' : 'declined',
          });
        }),
      );
      const ends = await Promise.all([...asked, ...written].map((turn) => turn.end));
      expect(ends.filter(({ status }) => status !== 'completed')).toEqual([]);
      expect(ends.slice(questions).map(({ text }) => text)).toEqual(written.map((_, turn) => textOf(String(turn))));
      const effects = Map.groupBy(orders.posts(), ({ body }) => /"id":(\d+)/u.exec(JSON.stringify(body))?.[1]);
      expect([...effects.keys()].map(Number).toSorted((a, b) => a - b)).toEqual(
        open.map((_, order) => order).filter(isApproved),
      );
      // Nothing failed on the way to the action, so no call was repeated either.
      for (const calls of effects.values()) expect(calls).toHaveLength(1);
      const gaps = written.flatMap(({ gapsMs }) => gapsMs).toSorted((a, b) => a - b);
      expect(gaps.length).toBeGreaterThan(0);
      if (isLong || process.env['HELPER_TURNS'] !== undefined)
        process.stdout.write(
          `${String(gaps.length)} gaps: p50 ${String(gaps[Math.floor(gaps.length / 2)])} ms, p99 ${String(gaps[Math.floor(gaps.length * 0.99)])} ms, most ${String(gaps.at(-1))} ms\n`,
        );
    },
  );
});
