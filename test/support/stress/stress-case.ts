import type { StressServer, StressServerOptions } from './stress-server.ts';

/** Records a promise that did not hold. */
export type Must = (isSo: boolean, sentence: string) => void;

/** One attack. It is played against a server of its own while another client chats. */
export interface StressCase {
  /** Used by `--only` and in the first column of the tables. */
  readonly name: string;
  /** What the attacker does. */
  readonly attack: string;
  /** What the attack once caused. */
  readonly once?: string;
  /** What must hold, in addition to what must hold in every case. */
  readonly promise: string;
  readonly server?: StressServerOptions;
  /** How much more memory the server may need than before. Default: 100 MiB. */
  readonly mebibytes?: number;
  /** Plays the attack and closes what it opened. Resolves with a short description of the result. */
  readonly play: (server: StressServer, must: Must) => Promise<string>;
}
