import { Readable, Writable } from 'node:stream';
import type { CommandContext } from '../../../src/cli/command.ts';

export interface FakeContext extends CommandContext {
  readonly written: () => string;
  readonly complained: () => string;
}

/** The context of a command. It records what the command prints. */
export function fakeContext(
  workingDirectory: string,
  environment: Readonly<Record<string, string>> = {},
  input = '',
): FakeContext {
  let output = '';
  let complaints = '';
  const write = (text: string): void => {
    output += text;
  };
  const bytes = new Writable({
    write(chunk: Buffer, _encoding, done) {
      write(chunk.toString('latin1'));
      done();
    },
  });
  return {
    environment,
    workingDirectory,
    invokedAs: 'helper',
    write,
    input: Readable.from([input]),
    output: bytes,
    writeError: (text) => {
      complaints += text;
    },
    untilStopped: () => new AbortController().signal,
    onHangup: () => undefined,
    onUnhandledRejection: () => undefined,
    written: () => output,
    complained: () => complaints,
  };
}
