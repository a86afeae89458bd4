import type { PrometheusMetrics } from '../../adapters/metrics/prometheus-metrics.ts';
import type { Telemetry } from '../../adapters/telemetry/telemetry.ts';
import { type LoadedSettings, loadSettings } from '../../config/load-settings.ts';
import type { HelperSettings } from '../../config/settings.ts';
import { withPlaces } from '../../config/with-places.ts';
import { StartupFaults } from '../../core/errors/startup-fault.ts';
import type { Assistant } from '../../core/assistant.ts';
import type { TokenEstimates } from '../../core/history/token-estimates.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { answeringRemote } from '../agents/answering-agent.ts';
import { currentAgents, remoteIn } from '../agents/current-agents.ts';
import type { LoadedAgents } from '../agents/load-agents.ts';
import { type ComposedTools, composeTools } from '../compose-tools.ts';
import { expectActions } from '../expected-actions.ts';
import { openVerifier } from '../open-identity.ts';
import type { Resource } from '../open-resources.ts';
import { dataKeys } from '../open-snapshots.ts';
import { openModels } from '../open-models.ts';
import type { PreparedServer } from '../prepare-server.ts';
import type { ServicesOfTurns } from '../services-of-turns.ts';
import { filesOfSecrets, type KeyMaterial, readKeyMaterial, renewedKeys } from './key-material.ts';
import type { LiveSealers } from './live-sealers.ts';
import { changeOf, type SettingsChange } from './live-settings.ts';
import { LookAgain } from './watched-file.ts';
import { WatchedSecrets } from './watched-secrets.ts';

/** The result of a reload. */
export interface ReloadResult {
  /** Top-level keys that apply to new turns from now on, and the full paths of changed secrets. */
  readonly taken: readonly string[];
  /** Top-level keys whose change waits for a restart. */
  readonly left: readonly string[];
  /** The hash that tells the serving configuration from another one. */
  readonly configuration: string;
}

interface ReloaderParts {
  readonly metrics: Pick<PrometheusMetrics, 'metrics'>;
  readonly telemetry: Pick<Telemetry, 'traced' | 'log'> | undefined;
  readonly log: Logger;
  readonly clock: Clock;
  readonly estimates: TokenEstimates;
  readonly prepared: PreparedServer;
  readonly assistant: Assistant;
  readonly services: ServicesOfTurns;
  readonly sealers: LiveSealers;
}

/** The result of reading the configuration, before anything is built from it. */
interface Reading extends SettingsChange {
  readonly keys: KeyMaterial;
}

/** Applies a changed configuration file to the turns that begin from now on (contract/operations.md#reload). */
export class Reloader {
  readonly #parts: ReloaderParts;
  #settings: HelperSettings;
  #keys: KeyMaterial;
  /** Reloads run one after the other, because each compares with the result of the one before. */
  #last: Promise<unknown> = Promise.resolve();
  readonly #secrets = new WatchedSecrets(() => this.#lookAtSecrets());

  constructor(settings: HelperSettings, parts: ReloaderParts) {
    this.#settings = settings;
    this.#parts = parts;
    this.#keys = parts.prepared.keys;
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

  /** Takes over changed files of secrets and keys, until the returned resources are closed (contract/operations.md#secrets). */
  watchSecrets(): readonly Resource[] {
    const files = filesOfSecrets(this.#settings);
    this.#secrets.follow(files);
    return files.length === 0
      ? [this.#secrets]
      : [this.#secrets, new LookAgain('secrets, again', () => this.#lookAtSecrets())];
  }

  /** Takes over changed files of definitions, until the returned resource is closed (contract/agents.md#watching). */
  watchAgents(): Resource {
    return this.#parts.prepared.agents.watch(
      () => this.#settings,
      () => void this.#inTurn(() => this.#renewAgents()),
    );
  }

  #lookAtSecrets(): void {
    void this.#inTurn(() => this.#renewSecrets());
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = this.#last.then(work, work);
    this.#last = next;
    return next;
  }

  /**
   * Takes over changed secrets. When the configuration file itself has changed too, the secrets wait with it for `reload`, because nobody
   * has asked for a reload yet.
   */
  async #renewSecrets(): Promise<void> {
    const { log } = this.#parts;
    try {
      const loaded = this.#load();
      if (loaded.settings.configuration !== this.#settings.configuration) {
        log.warn({}, 'a secret file has changed, and so has the configuration: both wait for helper reload');
        return;
      }
      const reading = await withPlaces(loaded, () => this.#compare(loaded.settings));
      const { taken, left } = reading;
      if (taken.length === 0 && left.length === 0) return;
      await withPlaces(loaded, () => this.#take(reading, { keepsAgents: true }));
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
      const result = await withPlaces(loaded, async () => this.#take(await this.#compare(loaded.settings)));
      log.info(result, 'the configuration was read again');
      if (result.left.length > 0) log.warn({ left: result.left }, 'changes of the configuration wait for a restart');
      return result;
    } catch (error) {
      log.error(whyOf(error), 'the configuration was read again and has faults: nothing changes');
      throw error;
    }
  }

  /**
   * Takes changed files of definitions. With any fault nothing changes, and the fault is logged once for each change
   * (contract/agents.md#watching).
   */
  async #renewAgents(): Promise<void> {
    const { log, prepared } = this.#parts;
    try {
      await this.#take({ settings: this.#settings, taken: ['declarative'], left: [], keys: this.#keys });
      const agents = prepared.agents.current.definitions.map(({ name, version }) => `${name} ${version}`);
      log.info({ agents }, 'the definitions of agents were read again');
    } catch (error) {
      log.error(whyOf(error), 'the definitions of agents have faults: the earlier ones stay');
    }
  }

  async #compare(changed: HelperSettings): Promise<Reading> {
    const { settings, taken, left } = changeOf(this.#settings, changed);
    const keys = await readKeyMaterial(settings);
    return { settings, taken: [...taken, ...renewedKeys(this.#keys, keys)], left, keys };
  }

  /** The agents to go on with. With `keepsAgents`, faults of their files do not keep a changed secret from being taken. */
  async #readAgents(
    settings: HelperSettings,
    toolbox: ComposedTools['toolbox'],
    { keepsAgents }: { readonly keepsAgents: boolean },
  ): Promise<LoadedAgents> {
    const { prepared, log } = this.#parts;
    try {
      return await prepared.agents.read(settings, toolbox.current);
    } catch (error) {
      if (!keepsAgents || !(error instanceof StartupFaults)) throw error;
      log.error(whyOf(error), 'the definitions of agents have faults: the earlier ones stay');
      return prepared.agents.current;
    }
  }

  async #take(
    { settings, taken, left, keys }: Reading,
    how: { readonly keepsAgents: boolean } = { keepsAgents: false },
  ): Promise<ReloadResult> {
    const { prepared, assistant, services, metrics, telemetry, clock, estimates, sealers } = this.#parts;
    const log = telemetry?.log(this.#parts.log) ?? this.#parts.log;
    const { plugins, providers, killSwitch } = prepared;
    const tools = composeTools(settings, { plugins, providers, killSwitch }, log);
    const verifier = taken.some((key) => key.startsWith('auth.jwt.'))
      ? await openVerifier(settings, { log, metrics: metrics.metrics, clock })
      : undefined;
    const sealing = taken.includes('dataProtection.keys') ? await dataKeys(settings, keys.dataKeys) : undefined;
    const agents = await this.#readAgents(settings, tools.toolbox, how);
    const { remoteAgents: remotes, leftOut, windows } = prepared;
    const opened = { log, metrics: metrics.metrics, estimates, traced: telemetry?.traced, leftOut, windows };
    const models = await openModels(settings, { plugins, tools, wanted: agents.wanted, remotes }, opened);
    const renewEmbedders = await prepared.embedders.prepare(settings);
    await remotes.use([...remoteIn(agents), ...answeringRemote(settings)]);
    await prepared.mcpServers.use({ ...settings, ofAgents: agents.servers });
    // From here on nothing can fail.
    renewEmbedders();
    killSwitch.take(settings.killSwitch);
    expectActions(tools, metrics.metrics);
    if (verifier !== undefined) prepared.authenticator.trust(verifier);
    if (sealing !== undefined && !sealers.replace(sealing))
      log.warn({}, 'the key of dataProtection that has sealed until now is gone: what it has sealed stays closed');
    for (const provider of providers) provider.takeSecrets?.(settings);
    prepared.knowledge.serveWith(settings);
    this.#secrets.follow(filesOfSecrets(settings));
    // The tools were composed with the MCP servers of before.
    tools.toolbox.refresh();
    prepared.tools.replace(tools);
    prepared.agents.replace(agents);
    const unused = assistant.serveWith(services.by(settings, { tools, models, agents: currentAgents(agents, models) }));
    prepared.models.replace(models, unused).catch((error: unknown) => {
      log.error({ error }, 'the model of the earlier configuration could not be closed');
    });
    this.#settings = settings;
    this.#keys = keys;
    return { taken, left, configuration: settings.configuration };
  }
}

function whyOf(error: unknown): Readonly<Record<string, unknown>> {
  return error instanceof StartupFaults ? { faults: error.faults } : { error };
}
