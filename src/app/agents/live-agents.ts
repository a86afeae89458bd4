import type { HelperSettings } from '../../config/settings.ts';
import { stampOfAgents } from '../../config/agents/read-agents.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { Resource } from '../open-resources.ts';
import { missingWarnings } from './agent-warnings.ts';
import { type AgentSurroundings, loadAgents, type LoadedAgents } from './load-agents.ts';

/** Milliseconds between two looks at the files. A change is read after two looks at most, which leaves time for the reading in 5 s. */
const lookEveryMs = 1000;

/** The present agents, which a reload or a changed file replaces. */
export class LiveAgents {
  readonly #around: Omit<AgentSurroundings, 'toolbox'>;
  #current: LoadedAgents;
  /** The warnings about missing tools that were told last. */
  #toldMissing: string;

  /** @throws StartupFaults with everything that is wrong with the agents. */
  static async open(settings: HelperSettings, around: AgentSurroundings): Promise<LiveAgents> {
    return new LiveAgents(await loadAgents(settings, around), around);
  }

  private constructor(first: LoadedAgents, around: AgentSurroundings) {
    this.#current = first;
    this.#around = around;
    this.#toldMissing = textOf(missingWarnings(first.written, around));
  }

  get current(): LoadedAgents {
    return this.#current;
  }

  /**
   * Reads all agents again, and changes nothing yet.
   * @throws StartupFaults with everything that is wrong.
   */
  read(settings: HelperSettings, toolbox: AgentSurroundings['toolbox']): Promise<LoadedAgents> {
    return loadAgents(settings, { ...this.#around, toolbox });
  }

  replace(next: LoadedAgents): void {
    this.#current = next;
  }

  /** Warns of tools that agents name and that are gone, or never came. Call it after the tools of a callback have changed. */
  toolsChanged(toolbox: AgentSurroundings['toolbox'], log: Logger): void {
    const missing = missingWarnings(this.#current.written, { ...this.#around, toolbox });
    const text = textOf(missing);
    if (text !== this.#toldMissing) for (const { code, message } of missing) log.warn({ code }, message);
    this.#toldMissing = text;
  }

  /**
   * Calls `changed` once for each change of the files of definitions while `declarative.watch` is on. `settings` gives the settings that
   * serve. It does not keep the process running.
   */
  watch(settings: () => HelperSettings, changed: () => void): Resource {
    let seen: string | undefined;
    let before: string | undefined;
    let of = this.#current;
    const timer = setInterval(() => {
      const serving = settings();
      if (!serving.declarative.watch) return;
      // A reload has read the files itself.
      if (of !== this.#current) seen = undefined;
      of = this.#current;
      const now = stampOfAgents(serving);
      // A file that is still being written may be valid without its end, such as without the roles that its agent requires.
      const isAtRest = now === before;
      before = now;
      if (!isAtRest || now === (seen ?? of.stamp)) return;
      seen = now;
      changed();
    }, lookEveryMs).unref();
    return {
      name: 'definitions of agents',
      close: () => {
        clearInterval(timer);
        return Promise.resolve();
      },
    };
  }
}

function textOf(warnings: ReturnType<typeof missingWarnings>): string {
  return warnings.map(({ message }) => message).join('\n');
}
