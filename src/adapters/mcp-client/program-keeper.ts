import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';

/**
 * Waits for the end of its input, which comes with the end of this server too, however that ends. Then it ends what is left of a program.
 * Each line names the process group of the program; an empty one says that it has ended. On Linux the rest is found by the mark in its
 * environment. Many forks may be under way when they are killed, so they are looked for again until none is left.
 */
const script = `
group=
while read -r line; do group=$line; done
left() {
  found=$(grep -ls "HELPER_PROGRAM=$0" /proc/[0-9]*/environ | sed 's/[^0-9]//g')
  [ "$found" ] && return
  [ "$group" ] && kill -s 0 -- "-$group" && found=-$group
}
gone() {
  rounds=$1
  while left; do
    [ "$rounds" -gt 0 ] || return
    rounds=$((rounds - 1))
    sleep 0.5
  done
}
gone 1 && exit
kill -s TERM -- $found
gone 4 && exit
for round in 1 2 3 4 5 6 7 8 9 10; do
  kill -s KILL -- $found \${group:+"-$group"}
  gone 1 && exit
done
`;

/**
 * A shell beside a program. It outlives this server, where that is killed, until the program and what that has started have ended
 * (contract/mcp-servers.md#programs). Where there is no shell, nothing is kept.
 */
export class ProgramKeeper {
  /** By this part of its environment a program is known, and so is what it starts. */
  readonly mark = { HELPER_PROGRAM: randomUUID() };
  /** A process for which this one has no descriptors left gets no stream, whatever the types say. */
  readonly #input: Writable | undefined;
  readonly #ended: Promise<void>;

  constructor() {
    const shell = spawn('sh', ['-c', script, this.mark.HELPER_PROGRAM], {
      env: { PATH: process.env['PATH'] },
      stdio: ['pipe', 'ignore', 'ignore'],
      // A session of its own: what a terminal sends to the group of this server does not end it.
      detached: true,
    });
    this.#ended = new Promise((resolve) => {
      shell.once('exit', () => resolve());
      shell.once('error', () => resolve());
    });
    const streams: Partial<typeof shell> = shell;
    this.#input = streams.stdin;
    this.#input?.on('error', () => undefined);
  }

  /** From now on what is in this process group, too, ends with this server. */
  keep(group: number): void {
    this.#input?.write(`${String(group)}\n`);
  }

  /** Ends what has left the group, which has ended: its number may be that of another by now. Resolves once nothing is left. */
  end(): Promise<void> {
    this.#input?.end('\n');
    return this.#ended;
  }
}
