import type { StressServer, StressServerOptions } from './stress-server.ts';

/** Notes that something which must hold did not. */
export type Must = (isSo: boolean, sentence: string) => void;

/** One attack, played against a server of its own while somebody else chats. */
export interface StressCase {
  /** For `--only`, and the first column of the tables. */
  readonly name: string;
  /** What an attacker does. */
  readonly attack: string;
  /** What it once came to. */
  readonly once?: string;
  /** What must hold, beside what must hold in every case. */
  readonly promise: string;
  readonly server?: StressServerOptions;
  /** The server may need so much more memory than before. Default: 100 MiB. */
  readonly mebibytes?: number;
  /** Plays the attack, and closes what it opened. Resolves with what was seen, in a few words. */
  readonly play: (server: StressServer, must: Must) => Promise<string>;
}
