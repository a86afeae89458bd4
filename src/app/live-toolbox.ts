import type { ActionCallback } from '../adapters/action-callback/action-callback.ts';
import type { LoadedPlugin } from '../adapters/plugin-directory/loaded-plugin.ts';
import type { HelperSettings } from '../config/settings.ts';
import { type StartupFault, StartupFaults } from '../core/errors/startup-fault.ts';
import { navigateTool } from '../core/pages/navigate-tool.ts';
import type { Page } from '../core/pages/page.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Tool } from '../core/tools/tool.ts';
import { Toolbox } from '../core/tools/toolbox.ts';

/** One place that tools and pages come from. */
interface Source {
  /** For people; unique. */
  readonly label: string;
  readonly file: string;
  /** Key path of what is at fault when the name of one of its things is taken. */
  readonly faultPath: (kind: 'tool' | 'page', name: string) => string;
  readonly tools: readonly Tool[];
  readonly pages: readonly Page[];
}

type OfferingCallback = Pick<ActionCallback, 'name' | 'offer'>;

interface Claim {
  readonly kind: 'tool' | 'page';
  readonly name: string;
  readonly source: Source;
}

/**
 * Everything the model may call now: plugins, YAML and built-ins stay as they are, what callbacks offer may change. A
 * changed one is a new `Toolbox`, so that turns which run keep theirs.
 */
export class LiveToolbox {
  readonly #sources: () => readonly Source[];
  readonly #log: Logger;
  /** Label of the source that holds a name, by kind and name. */
  #holders: ReadonlyMap<string, string> = new Map();
  #current = new Toolbox([]);

  /** @throws StartupFaults when a name is used twice (extending.md, first paragraph). */
  constructor(
    settings: HelperSettings,
    providers: { readonly plugins: readonly LoadedPlugin[]; readonly callbacks: readonly OfferingCallback[] },
    log: Logger,
  ) {
    const fixed = [yamlSource(settings), ...providers.plugins.map(pluginSource)];
    this.#sources = () => [...fixed, ...providers.callbacks.map((callback) => callbackSource(callback, settings))];
    this.#log = log;
    const faults = this.#compose().map(({ claim, holder }) => clashFault(claim, holder));
    if (faults.length > 0) throw new StartupFaults(faults);
  }

  get current(): Toolbox {
    return this.#current;
  }

  /** After a callback's manifest has changed. Whoever had a name keeps it, and the newcomer is refused with a warning. */
  refresh(): void {
    for (const { claim, holder } of this.#compose()) {
      const fields = { [claim.kind]: claim.name, refused: claim.source.label, holder };
      this.#log.warn(fields, 'a name is used twice: the newcomer is left out');
    }
  }

  /** Builds the toolbox of what there is now; returns the claims that lost. */
  #compose(): readonly { readonly claim: Claim; readonly holder: string }[] {
    const sources = this.#sources();
    const claims = sources.flatMap(claimsOf);
    const held = claims.filter((claim) => this.#holders.get(keyOf(claim)) === claim.source.label);
    const holders = new Map<string, string>();
    for (const claim of [...held, ...claims]) {
      if (!holders.has(keyOf(claim))) holders.set(keyOf(claim), claim.source.label);
    }
    const wins = (claim: Claim): boolean => holders.get(keyOf(claim)) === claim.source.label;
    const pages = sources.flatMap((source) => source.pages.filter(({ name }) => wins({ kind: 'page', name, source })));
    const tools = sources.flatMap((source) => source.tools.filter(({ name }) => wins({ kind: 'tool', name, source })));
    this.#holders = holders;
    this.#current = new Toolbox(pages.length > 0 ? [...tools, navigateTool(pages)] : tools, pages);
    return claims.filter((claim) => !wins(claim)).map((claim) => ({ claim, holder: holders.get(keyOf(claim)) ?? '' }));
  }
}

function yamlSource({ pages, configFile }: HelperSettings): Source {
  return { label: configFile, file: configFile, faultPath: pathInPages, tools: [], pages };
}

function pluginSource({ name, file, tools, pages }: LoadedPlugin): Source {
  return { label: `plugin "${name}" (${file})`, file, faultPath: pathInPages, tools, pages };
}

function callbackSource({ name, offer }: OfferingCallback, { actions, configFile }: HelperSettings): Source {
  const index = actions === 'none' ? -1 : actions.callbacks.findIndex((callback) => callback.name === name);
  return {
    label: `callback "${name}"`,
    file: configFile,
    faultPath: () => `actions.callbacks[${String(index)}]`,
    tools: offer.tools,
    pages: offer.pages,
  };
}

function pathInPages(kind: 'tool' | 'page', name: string): string {
  return kind === 'page' ? `pages.${name}` : name;
}

function claimsOf(source: Source): readonly Claim[] {
  return [
    ...source.tools.map(({ name }) => ({ kind: 'tool' as const, name, source })),
    ...source.pages.map(({ name }) => ({ kind: 'page' as const, name, source })),
  ];
}

function keyOf({ kind, name }: Claim): string {
  return `${kind} ${name}`;
}

function clashFault({ kind, name, source }: Claim, holder: string): StartupFault {
  const message = `the ${kind} name "${name}" is used twice: by ${holder} and by ${source.label}`;
  return { file: source.file, path: source.faultPath(kind, name), message };
}
