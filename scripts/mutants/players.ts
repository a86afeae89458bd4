import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Played, Run } from './player.ts';

/** What a player says during a run and at its end. */
type Heard = 'alive' | readonly Played[];

interface Place {
  readonly folder: string;
  /** Names of Vitest projects, with commas. */
  readonly projects: string;
  /** The file in which mutants are written down as they are reached, when no mutant is played. */
  readonly reached?: string;
}

/** A process in which test files are played. It is started when it is needed, and again once it has been killed. */
export class Player {
  readonly #place: Place;
  #child: ChildProcess | undefined;

  constructor(place: Place) {
    this.#place = place;
  }

  /**
   * What the run has played, or undefined when no test file has come to its end for so long. Runs take turns.
   * @throws Error when the process ends by itself.
   */
  async play(run: Run, silenceMs: number): Promise<readonly Played[] | undefined> {
    const child = (this.#child ??= await this.#start());
    const result = Promise.withResolvers<readonly Played[] | undefined>();
    const timer = setTimeout(() => {
      this.stop();
      result.resolve(undefined);
    }, silenceMs);
    const hear = (message: Heard): void => {
      if (message === 'alive') timer.refresh();
      else result.resolve(message);
    };
    const end = (): void => {
      result.reject(new Error('a process that plays tests has ended'));
    };
    child.on('message', hear).once('exit', end);
    child.send(run);
    try {
      return await result.promise;
    } finally {
      clearTimeout(timer);
      child.off('message', hear).off('exit', end);
    }
  }

  /** Kills the process and all that its tests have started. */
  stop(): void {
    const pid = this.#child?.pid;
    this.#child = undefined;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }

  async #start(): Promise<ChildProcess> {
    const { folder, projects, reached } = this.#place;
    const recording = reached === undefined ? { HELPER_MUTANT: '0' } : { HELPER_MUTANTS_REACHED: reached };
    const child = fork(join(import.meta.dirname, 'player.ts'), [folder, reached === undefined ? '1' : '0'], {
      cwd: folder,
      env: { ...process.env, HELPER_MUTANTS_PROJECTS: projects, ...recording },
      // A group of its own, to be killed as one.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const ended = once(child, 'exit').then(() => {
      throw new Error('a process that plays tests did not start');
    });
    await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => undefined);
    return child;
  }
}
