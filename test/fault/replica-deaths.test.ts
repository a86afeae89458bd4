import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { endingProxy, type EndingProxy } from '../support/databases/ending-proxy.ts';
import { type OrderReplicas, startOrderReplicas } from '../support/replicas/order-replicas.ts';
import { hasReplicas, type OwnServices, ownServicesOfFile } from '../support/replicas/replica-processes.ts';
import { casesOf, rounds } from '../support/run/tier.ts';
import { calling, type ModelScript, saying } from '../support/scripted-model.ts';
import { openSse } from '../support/sse-client.ts';
import { testLimitMs } from '../support/patience-limit.ts';

/** `HELPER_FAULTS=1000` plays so many conversations. A fault comes with every six of them. */
const conversations = rounds({
  what: 'conversations over replicas that die',
  short: 18,
  long: 96,
  variable: 'HELPER_FAULTS',
});
const atATime = 6;
const replicaCount = 3;

/** Milliseconds. A fault is over long before. */
const faultLimitMs = 60_000;

const services = ownServicesOfFile();

/** Gives whole numbers from 0 on that are below another one, the same ones in each run. */
type Random = (below: number) => number;

function numbersOf(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** How a turn waits for its user (`hitlMode`). */
type Mode = 'Native' | 'Blocking';

interface World extends OrderReplicas, OwnServices {
  readonly mode: Mode;
  /** What stands between the replicas and PostgreSQL, as a pooler does. */
  readonly connections: EndingProxy;
}

/** How one conversation ended, as its user was told. */
interface Told {
  readonly order: number;
  readonly isApproved: boolean;
  /** The replica of the question may have died before the answer, and with it the question of Blocking mode. */
  readonly mayBeCut: boolean;
  /** The outcome that the answer was acknowledged with. */
  readonly outcome: unknown;
  readonly end: Readonly<Record<string, unknown>> | undefined;
}

/** Calls the action for the order that the user has named, and says that it is done. */
const model: ModelScript = (exchange) => {
  const messages = exchange.request.body['messages'] as readonly { readonly role: string; readonly content: string }[];
  if (messages.at(-1)?.role === 'tool') return saying('Done.')(exchange);
  const id = Number(/order (\d+)/u.exec(messages.at(-1)?.content ?? '')?.[1]);
  return calling({ name: 'cancel_order', arguments: { id } })(exchange);
};

async function world(mode: Mode): Promise<World> {
  const shared = await services();
  const connections = await endingProxy(await shared.postgres.newDatabase());
  const replicas = await startOrderReplicas(replicaCount, shared, {
    otherwise: model,
    environment: {
      HELPER__STORAGE__URL: connections.url,
      ...{ HELPER__HITLMODE: mode, HELPER__SERVER__DURABLETURNS: 'true', HELPER__SERVER__SHUTDOWNGRACE: '60s' },
      // A turn that nobody reads is stopped in time. Here it waits for the fault to be over, however slow the machine is.
      HELPER__SERVER__DISCONNECTGRACE: '10m',
    },
  });
  return { ...replicas, ...shared, mode, connections };
}

/** Tries again, on whatever replica, until `attempt` gives something. */
async function untilGiven<Value>(attempt: () => Promise<Value | undefined>, what: string): Promise<Value> {
  return vi.waitFor(
    async () => {
      const value = await attempt().catch(() => undefined);
      if (value === undefined) throw new Error(`${what} was not there in time`);
      return value;
    },
    { interval: 100 },
  );
}

/** Reads a turn on any replica from its beginning to the first of these events. */
function readTo(urlOf: () => string, turnId: string, event: string) {
  return untilGiven(async () => {
    const stream = await openSse(`${urlOf()}/helper/chat`, { headers: { 'last-event-id': `${turnId}:0` } });
    try {
      return (await stream.next(event)).data;
    } finally {
      stream.close();
    }
  }, `${event} of ${turnId}`);
}

/** Answers on any replica, until an answer counts. Gives the outcome that was acknowledged. */
function answerOn(urlOf: () => string, actionId: string, approved: boolean): Promise<unknown> {
  return untilGiven(async () => {
    const response = await fetch(`${urlOf()}/helper/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actionId, approved }),
      signal: AbortSignal.timeout(30_000),
    });
    const { outcome } = (await response.json()) as { readonly outcome?: unknown };
    return outcome;
  }, `the answer to ${actionId}`);
}

/** The faults, each with how everything is there again afterwards. The first one alone lets a replica die. */
function faultsOf({
  at,
  restart,
  redis,
  postgres,
  connections,
}: World): readonly ((victim: number) => Promise<void>)[] {
  return [
    async (victim) => {
      await at(victim).kill('SIGKILL');
      await restart(victim);
    },
    async (victim) => {
      await at(victim).kill('SIGTERM');
      await restart(victim);
    },
    async () => {
      await redis.kill();
      // eslint-disable-next-line house/no-wall-time -- for how long it is away is a part of the fault.
      await delay(500);
      await redis.run();
    },
    async () => {
      await postgres.stop();
      // eslint-disable-next-line house/no-wall-time -- for how long it is away is a part of the fault.
      await delay(500);
      await postgres.run();
    },
    async () => {
      const before = connections.ended;
      connections.endsNew = true;
      connections.cut();
      await vi.waitFor(() => {
        expect(connections.ended).toBeGreaterThan(before + 3 * replicaCount);
      });
      connections.endsNew = false;
    },
  ];
}

/** Which replicas have ended without being told to, in words. */
async function deadOf({ replicas }: World): Promise<readonly string[]> {
  const lives = await Promise.all(
    replicas.map(({ url }) =>
      fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    ),
  );
  return lives.flatMap((isAlive, index) => (isAlive ? [] : [`replica ${String(index)} has ended by itself`]));
}

/** Plays some conversations at a time. The fault comes while their questions are open and answered. */
async function play(place: World, first: number, random: Random): Promise<readonly Told[]> {
  const urlOf = (): string => place.at(random(replicaCount)).url;
  const asked = await Promise.all(
    Array.from({ length: atATime }, async (_, index) => {
      const order = first + index;
      const stream = await openSse(`${urlOf()}/helper/chat`, {
        method: 'POST',
        body: { message: `cancel order ${String(order)}` },
      });
      const question = await stream.next('confirmation');
      stream.close();
      const actionId = String(question.data?.['actionId']);
      return { order, actionId, turnId: String(stream.headers['x-turn-id']), isApproved: random(3) > 0 };
    }),
  );
  const faults = faultsOf(place);
  const index = Math.floor(first / atATime) % faults.length;
  const fault = faults[index]?.(random(replicaCount));
  const mayBeCut = place.mode === 'Blocking' && index === 0;
  const told = asked.map(async ({ order, actionId, turnId, isApproved }): Promise<Told> => {
    await delay(random(1_000));
    const outcome = await answerOn(urlOf, actionId, isApproved);
    return { order, isApproved, mayBeCut, outcome, end: await readTo(urlOf, turnId, 'end') };
  });
  const all = await Promise.all(told);
  await fault;
  return all;
}

/** Whether the question was cancelled because its replica has died. Its turn must say that it was interrupted. */
function isCut({ mayBeCut, outcome, end }: Told): boolean {
  return mayBeCut && outcome === 'cancelled' && end?.['status'] === 'failed' && end['code'] === 'interrupted';
}

/** What must not be, in words. */
function wrongIn(told: Told, { orders }: World): readonly string[] {
  const { order, isApproved, outcome, end } = told;
  const calls = orders.posts().filter(({ body }) => JSON.stringify(body).includes(`"id":${String(order)}}`));
  const effects = new Set(calls.map(({ headers }) => headers['webhook-id'])).size;
  const about = `order ${String(order)}`;
  const receipts = JSON.stringify(end?.['receipts'] ?? []);
  const cut = isCut(told);
  return [
    ...(effects > 1 ? [`${about} was cancelled ${String(effects)} times`] : []),
    ...(effects > 0 && (!isApproved || cut) ? [`${about} was cancelled without approval`] : []),
    ...(cut || outcome === (isApproved ? 'approved' : 'declined') ? [] : [`${about} was told as ${String(outcome)}`]),
    ...(cut || end?.['status'] === 'completed' ? [] : [`the turn of ${about} ended as ${JSON.stringify(end)}`]),
    ...(receipts.includes('"succeeded"') && effects === 0 ? [`${about} was told as done, and was not`] : []),
    ...(effects > 0 && !receipts.includes('"succeeded"') ? [`${about} was done, and told as ${receipts}`] : []),
  ];
}

const modes = casesOf('modes of confirmations of these', ['Native', 'Blocking'] as const, (mode) => mode === 'Native');

describe.skipIf(!hasReplicas).each(modes)(
  'replicas that die, end, and lose Redis, PostgreSQL and their connections to it, with hitlMode %s (contract/replicas.md#turns)',
  (mode) => {
    // proves wire-10-65, wire-11-54
    it(
      'run no action twice and none without its approval, lose no turn, and tell nothing that is not so',
      { timeout: testLimitMs + Math.ceil(conversations / atATime) * faultLimitMs },
      async () => {
        const place = await world(mode);
        const random = numbersOf(7);
        const wrong: string[] = [];
        for (let first = 0; first < conversations; first += atATime) {
          for (const told of await play(place, first, random)) wrong.push(...wrongIn(told, place));
          wrong.push(...(await deadOf(place)));
        }
        expect(wrong).toEqual([]);
      },
    );
  },
);
