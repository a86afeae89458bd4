import { once } from 'node:events';
import type { ServerProcess } from './server-process.ts';

/** What one turn costs the process of a server. No figure of it depends on the machine or on what else it does. */
export interface TurnCost {
  /** How often functions of this server are entered. Packages and Node itself are left out. */
  readonly calls: number;
  readonly promises: number;
  /** What is allocated on the heap, in kilobytes. */
  readonly kilobytes: number;
}

/** The environment of a server process whose turns are counted. */
export const countedEnvironment = { NODE_OPTIONS: '--inspect=127.0.0.1:0' } as const;

/** Turns before anything is counted, so that all code is loaded and all caches are filled. */
const warmUp = 15;
/**
 * Turns that are counted, one by one. The middle of each figure counts: a timer adds to a turn now and then, and a garbage collection makes
 * the heap smaller.
 */
const counted = 7;

/** Plays a turn again and again, and returns what one costs. The server MUST have been started with `countedEnvironment`. */
export async function costOfTurn(server: ServerProcess, play: () => Promise<unknown>): Promise<TurnCost> {
  const inspector = await Inspector.of(server);
  const turn = async (): Promise<void> => {
    await play();
    // The client sees the end of a turn before the server has closed the request.
    await inspector.evaluate('new Promise((done) => setImmediate(() => setImmediate(() => setImmediate(done))))');
  };
  /** What a turn adds to figures of the server: the middle of several turns. */
  const added = async (read: () => Promise<readonly number[]>): Promise<readonly number[]> => {
    const turns: (readonly number[])[] = [];
    for (let index = 0; index < counted; index += 1) {
      const before = await read();
      await turn();
      const after = await read();
      turns.push(after.map((figure, at) => figure - (before[at] ?? 0)));
    }
    return turns[0]?.map((_, at) => middle(turns.map((figures) => figures[at] ?? 0))) ?? [];
  };
  // Optimised code leaves some objects out, and when V8 optimises depends on the machine.
  await inspector.evaluate(`process.getBuiltinModule('v8').setFlagsFromString('--no-opt')`);
  await inspector.evaluate(`process.getBuiltinModule('v8').setFlagsFromString('--no-maglev')`);
  for (let index = 0; index < warmUp; index += 1) await turn();
  const [bytes = 0] = await added(async () => [await inspector.evaluate('process.memoryUsage().heapUsed')]);
  await inspector.ask('Profiler.enable');
  await inspector.ask('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await inspector.evaluate(
    `globalThis.promisesMade = 0; process.getBuiltinModule('v8').promiseHooks.onInit(() => { globalThis.promisesMade += 1; })`,
  );
  let entered = 0;
  const [calls = 0, promises = 0] = await added(async () => {
    entered += await inspector.entered();
    return [entered, await inspector.evaluate('globalThis.promisesMade')];
  });
  inspector.close();
  return { calls, promises, kilobytes: Math.round(bytes / 1000) };
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** What V8 has counted of the functions of one script since it was last asked. */
interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
}

/** The inspector of a process: the protocol of Chrome's developer tools. */
class Inspector {
  readonly #socket: WebSocket;
  readonly #answers = new Map<number, (message: { readonly result: unknown }) => void>();
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(String(data)) as { readonly id: number; readonly result: unknown }; // by the protocol
      this.#answers.get(message.id)?.(message);
    });
  }

  static async of(server: ServerProcess): Promise<Inspector> {
    await server.url;
    const [address] = /ws:\/\/\S+/.exec(server.printed()) ?? [];
    if (address === undefined) throw new Error(`the server has no inspector: ${server.printed()}`);
    const socket = new WebSocket(address);
    await once(socket, 'open');
    return new Inspector(socket);
  }

  async ask(method: string, params: object = {}): Promise<unknown> {
    const id = (this.#last += 1);
    const { promise, resolve } = Promise.withResolvers<{ readonly result: unknown }>();
    this.#answers.set(id, resolve);
    this.#socket.send(JSON.stringify({ id, method, params }));
    return (await promise).result;
  }

  /** The value of an expression in the process, which MUST be a number where it is used. */
  async evaluate(expression: string): Promise<number> {
    const answer = await this.ask('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    const { result, exceptionDetails } = answer as { result: { value: number }; exceptionDetails?: unknown }; // by the protocol
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    return result.value;
  }

  /** How often functions of the server were entered since the last time. */
  async entered(): Promise<number> {
    const { result } = (await this.ask('Profiler.takePreciseCoverage')) as {
      readonly result: readonly ScriptCoverage[];
    }; // by the protocol
    const own = result.filter(({ url }) => url.includes('/dist/'));
    return own.flatMap(({ functions }) => functions).reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
  }

  close(): void {
    this.#socket.close();
  }
}
