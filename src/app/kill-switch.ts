import { isAbsolute } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { loadSettings } from '../config/load-settings.ts';
import type { HelperSettings } from '../config/settings.ts';
import { globPredicate } from '../core/base/glob.ts';
import { StartupFaults } from '../core/errors/startup-fault.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Tool } from '../core/tools/tool.ts';
import type { Resource } from './open-resources.ts';
import { LookAgain, WatchedFile } from './reload/watched-file.ts';

type Thrown = HelperSettings['killSwitch'];

/**
 * The present `killSwitch` of the configuration file (contract/operations.md#kill-switch). A change of the file is read within 5 s. A file
 * with faults changes nothing.
 */
export class KillSwitch {
  readonly #file: string | null;
  readonly #log: Logger;
  #configured: Thrown;
  /** Writes are refused whatever the file says, until the process ends. */
  #isSetHere = false;
  #thrown: Thrown;
  #isNamed: (name: string) => boolean;
  #isFaulty = false;
  readonly #listeners: (() => void)[] = [];

  /** A configuration that is an object of the host does not change, so no file is watched then. */
  constructor({ killSwitch, configFile }: Pick<HelperSettings, 'killSwitch' | 'configFile'>, log: Logger) {
    this.#file = isAbsolute(configFile) ? configFile : null;
    this.#log = log;
    this.#configured = killSwitch;
    this.#thrown = killSwitch;
    this.#isNamed = globPredicate(killSwitch.tools);
  }

  /** Whether `refuseWrites` holds now. */
  get isSetHere(): boolean {
    return this.#isSetHere;
  }

  /** What the kill switch refuses now. Undefined when it refuses nothing. */
  get thrown(): Thrown | undefined {
    return this.#thrown.writes || this.#thrown.tools.length > 0 ? this.#thrown : undefined;
  }

  stops(tool: Pick<Tool, 'name'>, readOnly: boolean): boolean {
    return (this.#thrown.writes && !readOnly) || this.#isNamed(tool.name);
  }

  /** Calls `listener` after each change of what is refused. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Follows the file from now on, until the returned function is called. */
  watch(): readonly Resource[] {
    if (this.thrown !== undefined) this.#log.warn(this.thrown, 'the kill switch is on');
    if (this.#file === null) return [];
    const read = (): void => this.#read();
    return [new WatchedFile('kill switch', this.#file, read), new LookAgain('kill switch, again', read)];
  }

  #read(): void {
    try {
      const { settings } = loadSettings({ file: this.#file ?? '', environment: process.env });
      this.#isFaulty = false;
      this.take(settings.killSwitch);
    } catch (error) {
      const why = error instanceof StartupFaults ? { faults: error.faults } : { error };
      // The fault is logged once, however long the file stays faulty.
      if (!this.#isFaulty)
        this.#log.error(why, 'the changed configuration cannot be used: the kill switch stays as it is');
      this.#isFaulty = true;
    }
  }

  /** Sets what the configuration refuses from now on. */
  take(killSwitch: Thrown): void {
    this.#configured = killSwitch;
    this.#change({});
  }

  /** Refuses all writes, whatever the configuration says, until this is taken back or the process ends. `by` is for the log. */
  refuseWrites(isSetHere: boolean, by: { readonly who: string; readonly requestId: string }): void {
    this.#isSetHere = isSetHere;
    this.#change(by);
  }

  #change(by: object): void {
    const killSwitch = { ...this.#configured, writes: this.#configured.writes || this.#isSetHere };
    if (isDeepStrictEqual(killSwitch, this.#thrown)) return;
    this.#thrown = killSwitch;
    this.#isNamed = globPredicate(killSwitch.tools);
    const { writes, tools } = killSwitch;
    this.#log.warn(
      { writes, tools, ...by },
      this.thrown === undefined ? 'the kill switch is off' : 'the kill switch is on',
    );
    for (const listener of this.#listeners) listener();
  }
}
