import type { PrometheusMetrics } from '../../adapters/metrics/prometheus-metrics.ts';
import type { Telemetry } from '../../adapters/telemetry/telemetry.ts';
import { type LoadedSettings, loadSettings } from '../../config/load-settings.ts';
import type { HelperSettings } from '../../config/settings.ts';
import { withPlaces } from '../../config/with-places.ts';
import { StartupFaults } from '../../core/errors/startup-fault.ts';
import type { Assistant } from '../../core/assistant.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { composeTools } from '../compose-tools.ts';
import { expectActions } from '../expected-actions.ts';
import { openVerifier } from '../open-identity.ts';
import type { OpenResources, Resource } from '../open-resources.ts';
import { openModel, type PreparedServer } from '../prepare-server.ts';
import type { ServicesOfTurns } from '../services-of-turns.ts';
import { changeOf } from './live-settings.ts';
import { WatchedSecrets } from './watched-secrets.ts';

/** What came of a reload. */
export interface ReloadResult {
  /** Top-level keys that turns go by from now on, and the whole keys of secrets. */
  readonly taken: readonly string[];
  /** Top-level keys whose change waits for a restart. */
  readonly left: readonly string[];
  /** Tells the configuration that serves from another. */
  readonly configuration: string;
}

interface ReloaderParts {
  readonly metrics: Pick<PrometheusMetrics, 'metrics'>;
  readonly telemetry: Pick<Telemetry, 'traced' | 'log'> | undefined;
  readonly log: Logger;
  readonly clock: Clock;
  readonly resources: Pick<OpenResources, 'add'>;
  readonly prepared: PreparedServer;
  readonly assistant: Assistant;
  readonly services: ServicesOfTurns;
}

/** Takes a changed configuration file for the turns that begin from now on (contract/operations.md#reload). */
export class Reloader {
  readonly #parts: ReloaderParts;
  #settings: HelperSettings;
  #models = 1;
  /** One after the other: each compares with what the one before has left. */
  #last: Promise<unknown> = Promise.resolve();
  readonly #secrets = new WatchedSecrets(() => void this.#inTurn(() => this.#renewSecrets()));

  constructor(settings: HelperSettings, parts: ReloaderParts) {
    this.#settings = settings;
    this.#parts = parts;
  }

  /** The settings that turns go by now. */
  get settings(): HelperSettings {
    return this.#settings;
  }

  /**
   * Reads the file again. Everything is taken or, with any fault, nothing.
   * @throws StartupFaults with every fault of the file; Error when the configuration is an object of the host's.
   */
  reload(): Promise<ReloadResult> {
    return this.#inTurn(() => this.#reload());
  }

  /** Goes by changed secret files, which `${file:…}` names, until what is returned is closed (contract/operations.md#secrets). */
  watchSecrets(): Resource {
    this.#secrets.follow(this.#settings.secretFiles);
    return this.#secrets;
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = this.#last.then(work, work);
    this.#last = next;
    return next;
  }

  /** Changes of the configuration file itself wait for `reload`, and the secrets wait with them: nobody has asked for it yet. */
  async #renewSecrets(): Promise<void> {
    const { log } = this.#parts;
    try {
      const loaded = this.#load();
      if (loaded.settings.configuration !== this.#settings.configuration) {
        log.warn({}, 'a secret file has changed, and so has the configuration: both wait for helper reload');
        return;
      }
      const { taken, left } = changeOf(this.#settings, loaded.settings);
      if (taken.length === 0 && left.length === 0) return;
      await withPlaces(loaded, () => this.#take(loaded.settings));
      log.info({ taken }, 'changed secret files were read again');
      if (left.length > 0) log.warn({ left }, 'changed secrets wait for a restart');
    } catch (error) {
      log.error(whyOf(error), 'a changed secret file cannot be used: nothing changes');
    }
  }

  #load(): LoadedSettings {
    return loadSettings({ file: this.#settings.configFile, environment: process.env });
  }

  async #reload(): Promise<ReloadResult> {
    const { log } = this.#parts;
    try {
      const loaded = this.#load();
      const result = await withPlaces(loaded, () => this.#take(loaded.settings));
      log.info(result, 'the configuration was read again');
      if (result.left.length > 0) log.warn({ left: result.left }, 'changes of the configuration wait for a restart');
      return result;
    } catch (error) {
      log.error(whyOf(error), 'the configuration was read again and has faults: nothing changes');
      throw error;
    }
  }

  async #take(changed: HelperSettings): Promise<ReloadResult> {
    const { prepared, assistant, services, metrics, resources, telemetry, clock } = this.#parts;
    const log = telemetry?.log(this.#parts.log) ?? this.#parts.log;
    const { settings, taken, left } = changeOf(this.#settings, changed);
    const { plugins, providers, killSwitch } = prepared;
    const tools = composeTools(settings, { plugins, providers, killSwitch }, log);
    const verifier = taken.includes('auth.jwt.secret')
      ? await openVerifier(settings, { log, metrics: metrics.metrics, clock })
      : undefined;
    const opened = { log, metrics: metrics.metrics, traced: telemetry?.traced };
    const model = await openModel(settings, { plugins, tools }, opened);
    // From here on nothing can fail. Turns that run keep their model, which is closed with the server.
    this.#models += 1;
    resources.add({ name: `model ${String(this.#models)}`, close: () => model.close() });
    killSwitch.take(settings.killSwitch);
    expectActions(tools, metrics.metrics);
    if (verifier !== undefined) prepared.authenticator.trust(verifier);
    for (const provider of providers) provider.takeSecrets?.(settings);
    this.#secrets.follow(settings.secretFiles);
    prepared.tools.replace(tools);
    prepared.models.replace(model);
    assistant.serveWith(services.by(settings, { tools, model }));
    this.#settings = settings;
    return { taken, left, configuration: settings.configuration };
  }
}

function whyOf(error: unknown): Readonly<Record<string, unknown>> {
  return error instanceof StartupFaults ? { faults: error.faults } : { error };
}
