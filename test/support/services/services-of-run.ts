import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/** What keeper.ts says of a service: its place, or why it has not started. */
export interface Kept {
  readonly name: string;
  readonly place?: string;
  readonly fault?: string;
}

/**
 * Runs before the first file of a run of Vitest, in the process of the run. Tells the files where they can ask for the services that all of
 * them share. Nothing starts before a file asks. What has started ends with the run, also with one that is interrupted.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const keeper = new Keeper();
  const server = createServer((request, response) => {
    void keeper.find((request.url ?? '').slice(1)).then(({ place, fault = '' }) => {
      response.writeHead(place === undefined ? 500 : 200).end(place ?? fault);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // It listens on a port, so this is an address of IP.
  const { port } = server.address() as AddressInfo;
  project.provide('services', `http://127.0.0.1:${String(port)}`);
  return async () => {
    server.close();
    await keeper.end();
  };
}

/** The process of keeper.ts, which starts with the first service. */
class Keeper {
  readonly #found = new Map<string, Promise<Kept>>();
  #process: ChildProcess | undefined;

  find(name: string): Promise<Kept> {
    const found = this.#found.get(name) ?? this.#ask(name);
    this.#found.set(name, found);
    return found;
  }

  #ask(name: string): Promise<Kept> {
    // The signals of the terminal do not reach it: it ends once this process has.
    const keeper = (this.#process ??= fork(join(import.meta.dirname, 'keeper.ts'), {
      detached: true,
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }));
    return new Promise((resolve) => {
      keeper.on('message', (kept: Kept) => {
        if (kept.name === name) resolve(kept);
      });
      keeper.once('exit', () => resolve({ name, fault: 'its keeper has ended' }));
      keeper.send(name);
    });
  }

  async end(): Promise<void> {
    const keeper = this.#process;
    if (keeper?.connected !== true) return;
    const exited = once(keeper, 'exit');
    keeper.disconnect();
    await exited;
  }
}
