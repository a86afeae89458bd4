import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextLoop } from 'node:timers/promises';
import fc from 'fast-check';
import { atMost } from '../../../src/core/base/at-most.ts';
import { freePort } from '../free-port.ts';
import { ActionLedger, type Execution } from '../schedules/action-ledger.ts';
import type { HeldClock } from '../schedules/held-clock.ts';
import { minutes, MortalServer } from '../schedules/mortal-server.ts';
import { type Death, durableSteps } from '../schedules/mortal-stores.ts';
import { confirmingSettings, linkIn, PageOfQuestion } from './confirming-server.ts';

type User = 'ann' | 'eve';

/** What happens next. Numbers choose among what there is at that moment, from the newest on. */
type CallStep =
  | {
      readonly do: 'call';
      readonly user: User;
      readonly action: 'change' | 'slow_change';
      readonly amount: number;
      /** Whether the client names the newest question about the same, as a client of the newest revision does. */
      readonly names: boolean;
    }
  | {
      readonly do: 'answer';
      readonly user: User;
      readonly answer: 'approve' | 'decline';
      readonly question: number;
      readonly twice: boolean;
    }
  | { readonly do: 'leave'; readonly call: number }
  | { readonly do: 'release' }
  | { readonly do: 'crash'; readonly at: Death | undefined }
  | { readonly do: 'pass' };

/** One schedule of calls. */
export interface CallPlan {
  readonly slowness: readonly number[];
  /** `then`: the event loops until the next step, or until nothing comes by itself any more. */
  readonly steps: readonly { readonly step: CallStep; readonly then: number | 'quiet' }[];
}

const user = fc.constantFrom<User[]>('ann', 'ann', 'ann', 'eve');
const step: fc.Arbitrary<CallStep> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('call' as const),
      user,
      action: fc.constantFrom('change', 'slow_change'),
      amount: fc.constantFrom(1, 1, 1, 2),
      names: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      user,
      answer: fc.constantFrom('approve', 'approve', 'approve', 'decline'),
      question: fc.nat(2),
      twice: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), call: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.constant({ do: 'release' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('crash' as const),
      at: fc.option(fc.record({ step: fc.constantFrom(...durableSteps), when: fc.constantFrom('before', 'after') }), {
        nil: undefined,
      }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'pass' as const }) },
);

export const callPlans: fc.Arbitrary<CallPlan> = fc.record({
  slowness: fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }),
  steps: fc.array(
    fc.record({ step, then: fc.oneof(fc.nat(6), fc.constant('quiet' as const), fc.constant('quiet' as const)) }),
    { minLength: 4, maxLength: 20 },
  ),
});

/** A plan with an approved call that runs, a crash, and a question that its user declines. */
export const reachingPlan: CallPlan = {
  slowness: [0],
  steps: [
    { do: 'call' as const, user: 'ann' as const, action: 'change' as const, amount: 1, names: false },
    { do: 'answer' as const, user: 'ann' as const, answer: 'approve' as const, question: 0, twice: false },
    { do: 'call' as const, user: 'ann' as const, action: 'change' as const, amount: 1, names: true },
    { do: 'crash' as const, at: undefined },
    { do: 'call' as const, user: 'ann' as const, action: 'change' as const, amount: 2, names: false },
    { do: 'answer' as const, user: 'ann' as const, answer: 'decline' as const, question: 0, twice: true },
  ].map((step) => ({ step, then: 'quiet' })),
};

/** What somebody wants to have done. */
interface Wish {
  readonly user: string;
  readonly action: string;
  readonly amount: unknown;
}

/** A question of the server. */
interface AskedQuestion {
  readonly wish: Wish;
  readonly link: string;
  /** Whether its user has sent an approval. */
  isApproved: boolean;
  /** Whether its user has sent an answer. */
  isAnswered: boolean;
  /** What the page says to its user in the end. */
  page: string;
}

export interface PlayedCalls {
  readonly executions: readonly Execution[];
  readonly questions: readonly AskedQuestion[];
  /** What calls were told that say that the action ran. */
  readonly done: readonly Wish[];
  readonly deaths: number;
  /** Pages that others than the user of the question have seen. */
  readonly seenByOthers: number;
}

/** Plays a plan on whole servers with calls over HTTP and answers on the page. Each process lives in a folder in `folder`. */
export async function playCalls(
  plan: CallPlan,
  stage: {
    readonly folder: string;
    readonly clock: HeldClock;
    readonly tokens: Readonly<Record<User, { readonly program: string; readonly browser: string }>>;
  },
): Promise<PlayedCalls> {
  const world = new World(plan, stage);
  try {
    return await world.play();
  } finally {
    await world.leave();
  }
}

class World {
  readonly #plan: CallPlan;
  readonly #stage: Parameters<typeof playCalls>[1];
  readonly #ledger: ActionLedger;
  readonly #questions: AskedQuestion[] = [];
  readonly #done: Wish[] = [];
  readonly #calls: AbortController[] = [];
  readonly #performed: Promise<unknown>[] = [];
  readonly #buried: Promise<void>[] = [];
  #server: MortalServer | undefined;
  #processes = 0;
  #deaths = 0;
  #seenByOthers = 0;
  #heard = 0;
  #ticks = 0;

  constructor(plan: CallPlan, stage: Parameters<typeof playCalls>[1]) {
    this.#plan = plan;
    this.#stage = stage;
    this.#ledger = new ActionLedger({
      isAlive: (folder) => this.#server?.folder === folder && !this.#server.isDead,
      tick: () => (this.#ticks += 1),
    });
  }

  async play(): Promise<PlayedCalls> {
    for (const { step, then } of this.#plan.steps) {
      const server = await this.#living();
      const isWaiting = step.do === 'call' && this.#mayWait(step);
      // What a dead server has not answered is as good as no answer.
      const done = this.#perform(step, server).catch(() => undefined);
      this.#performed.push(done);
      if (then === 'quiet') {
        // A call beside the same call may wait as well.
        if (!isWaiting) await atMost(5_000, done);
        await this.#quiet();
      } else for (let loop = 0; loop < then; loop += 1) await nextLoop();
    }
    await this.#end();
    return {
      executions: this.#ledger.executions,
      questions: this.#questions,
      done: this.#done,
      deaths: this.#deaths,
      seenByOthers: this.#seenByOthers,
    };
  }

  async leave(): Promise<void> {
    for (const call of this.#calls) call.abort();
    await Promise.all(this.#performed);
    await Promise.all([...this.#buried, this.#server?.bury()]);
  }

  /** Lets the actions end, and reads what each page says to its user then. */
  async #end(): Promise<void> {
    this.#ledger.releaseAll();
    await this.#quiet();
    for (const call of this.#calls) call.abort();
    await Promise.all(this.#performed);
    // A server that dies while its pages are read says nothing that counts. The next one does.
    for (let server = await this.#living(); ; server = await this.#living()) {
      this.#ledger.releaseAll();
      await this.#quiet();
      for (const question of this.#questions) question.page = await this.#lastPage(server, question);
      if (!server.isDead) return;
    }
  }

  /** What a page says once its action has ended: on a busy machine the store takes its time for that. Empty for a server that dies. */
  async #lastPage(server: MortalServer, question: AskedQuestion): Promise<string> {
    const page = this.#page(server, question.wish.user as User, question); // whoever asked is one of them
    let text = await page.text().catch(() => '');
    for (let tries = 0; tries < 500 && text.includes('It is running.'); tries += 1) {
      await nextLoop();
      text = await page.text().catch(() => '');
    }
    return text;
  }

  /** The running server. After a death the next process starts. */
  async #living(): Promise<MortalServer> {
    for (;;) {
      const last = this.#server;
      if (last?.isDead === false) return last;
      this.#processes += 1;
      const folder = join(this.#stage.folder, String(this.#processes));
      mkdirSync(folder);
      last?.takeOver(folder);
      if (last !== undefined) this.#buried.push(last.bury());
      // The links to its page need the server's own address.
      const port = await freePort();
      const server = new MortalServer({
        ...{ folder, hitlMode: 'Native', clock: this.#stage.clock, slowness: this.#plan.slowness },
        modelUrl: 'http://127.0.0.1:9',
        settings: {
          ...confirmingSettings,
          // Long times pass when the plan says so.
          confirmationTimeout: `${String(minutes.confirmationTimeout)}m`,
          server: {
            port,
            publicUrl: `http://localhost:${String(port)}`,
            shutdownGrace: `${String(minutes.shutdownGrace)}m`,
          },
        },
        onStep: () => (this.#heard += 1),
        onDeath: () => {
          this.#deaths += 1;
          for (const call of this.#calls) call.abort();
        },
      });
      this.#server = server;
      await server.start();
    }
  }

  /** Resolves when nothing comes any more by itself. */
  async #quiet(): Promise<void> {
    let before = -1;
    for (let still = 0, loop = 0; still < 30 && loop < 4_000; loop += 1) {
      await nextLoop();
      const heard = this.#heard + this.#ledger.executions.length;
      still = heard === before && (this.#server?.inFlight ?? 0) === 0 ? still + 1 : 0;
      before = heard;
    }
  }

  /** Whether a call may wait: for the answer to its question, for another call of this kind, or in its action. */
  #mayWait({ user: name, action, amount }: Extract<CallStep, { do: 'call' }>): boolean {
    const wish = JSON.stringify({ user: name, action, amount } satisfies Wish);
    return (
      action === 'slow_change' ||
      this.#questions.some((question) => JSON.stringify(question.wish) === wish && !question.isAnswered)
    );
  }

  async #perform(step: CallStep, server: MortalServer): Promise<void> {
    switch (step.do) {
      case 'call':
        return this.#call(step, server);
      case 'answer':
        return this.#answer(step, server);
      case 'leave':
        this.#calls.at(-1 - step.call)?.abort();
        return;
      case 'release':
        this.#ledger.release();
        return;
      case 'crash':
        if (step.at === undefined) server.die();
        else server.dieAt(step.at);
        return;
      case 'pass':
        this.#stage.clock.advance((minutes.confirmationTimeout + 1) * 60_000);
    }
  }

  async #call(
    { user: name, action, amount, names }: Extract<CallStep, { do: 'call' }>,
    server: MortalServer,
  ): Promise<void> {
    const gone = new AbortController();
    this.#calls.push(gone);
    const wish: Wish = { user: name, action, amount };
    const isSame = ({ wish: other }: AskedQuestion): boolean => JSON.stringify(other) === JSON.stringify(wish);
    const named = names ? (this.#questions.findLast(isSame) ?? this.#questions.at(-1)) : undefined;
    const state = named?.link.split('/').at(-1);
    const response = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      signal: gone.signal,
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        authorization: `Bearer ${this.#stage.tokens[name].program}`,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': action,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: action,
          arguments: { id: String(amount), amount },
          ...(state === undefined ? {} : { requestState: state }),
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
          },
        },
      }),
    });
    const told = await response.text();
    this.#heard += 1;
    const link = linkIn(told);
    if (link !== '' && !this.#questions.some((known) => known.link === link))
      this.#questions.push({ wish, link, isApproved: false, isAnswered: false, page: '' });
    if (told.includes('"structuredContent"')) this.#done.push(wish);
  }

  async #answer(
    { user: name, answer, question: index, twice }: Extract<CallStep, { do: 'answer' }>,
    server: MortalServer,
  ): Promise<void> {
    const question = this.#questions.at(-1 - index);
    if (question === undefined) return;
    const page = this.#page(server, name, question);
    const isOwn = question.wish.user === name;
    if (!isOwn && (await page.open()).status === 200) this.#seenByOthers += 1;
    if (isOwn && answer === 'approve') question.isApproved = true;
    await Promise.allSettled(twice ? [page.answer(answer), page.answer(answer)] : [page.answer(answer)]);
    question.isAnswered ||= isOwn;
    this.#heard += 1;
  }

  #page(server: MortalServer, name: User, { link }: AskedQuestion): PageOfQuestion {
    return new PageOfQuestion(server.url, link, { token: this.#stage.tokens[name].browser });
  }
}
