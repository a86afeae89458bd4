import { type StartupFault, StartupFaults } from '../core/errors/startup-fault.ts';
import { inLanguage } from '../core/tools/action-words.ts';
import { navigateTool } from '../core/tools/navigate-tool.ts';
import type { Logger } from '../core/ports/logger.ts';
import { Toolbox } from '../core/tools/toolbox.ts';
import type { Tool } from '../core/tools/tool.ts';
import type { Offer, OfferSource } from './providers/tool-provider.ts';

interface Claim {
  readonly kind: 'tool' | 'page';
  readonly name: string;
  readonly source: OfferSource;
}

/**
 * Everything the model may call now. When a source changes its offer, a new `Toolbox` replaces the present one, so that running turns keep
 * theirs.
 */
export class LiveToolbox {
  readonly #sources: readonly OfferSource[];
  readonly #log: Logger;
  readonly #languageTag: string;
  /** Label of the source that holds a name, by kind and name. */
  #holders: ReadonlyMap<string, string> = new Map();
  #current = new Toolbox([]);

  /**
   * `languageTag`: the language in which tools speak that have words in several.
   * @throws StartupFaults when a name is used twice (extending-1-06).
   */
  constructor(sources: readonly OfferSource[], log: Logger, languageTag = 'en') {
    this.#sources = sources;
    this.#log = log;
    this.#languageTag = languageTag;
    const faults = this.#compose().map(({ claim, holder }) => clashFault(claim, holder));
    if (faults.length > 0) throw new StartupFaults(faults);
  }

  get current(): Toolbox {
    return this.#current;
  }

  /**
   * Call it after a source has changed its offer. A name stays with the source that had it first. A second tool with that name is refused
   * with a warning.
   */
  refresh(): void {
    for (const { claim, holder } of this.#compose()) {
      const fields = { [claim.kind]: claim.name, refused: claim.source.name, holder };
      this.#log.warn(fields, 'a name is used twice: the newcomer is left out');
    }
  }

  /** Builds the toolbox of what the sources offer now. Returns the claims that lost. */
  #compose(): readonly { readonly claim: Claim; readonly holder: string }[] {
    const taken = new Set<string>();
    const offers = this.#sources.map((source) => {
      const offer = source.offer(taken);
      for (const { name } of [...offer.tools, ...(offer.ownTools ?? [])]) taken.add(name);
      return { source, ...offer };
    });
    const claims = offers.flatMap(claimsOf);
    const held = claims.filter((claim) => this.#holders.get(keyOf(claim)) === claim.source.name);
    const holders = new Map<string, string>();
    for (const claim of [...held, ...claims]) {
      if (!holders.has(keyOf(claim))) holders.set(keyOf(claim), claim.source.name);
    }
    const wins = (claim: Claim): boolean => holders.get(keyOf(claim)) === claim.source.name;
    const pages = offers.flatMap((offer) => offer.pages.filter(({ name }) => wins({ ...offer, kind: 'page', name })));
    const isWon = (offer: (typeof offers)[number]) => (tool: Tool) => wins({ ...offer, kind: 'tool', name: tool.name });
    const worded = (tool: Tool): Tool => inLanguage(tool, this.#languageTag);
    const tools = offers.flatMap((offer) => offer.tools.filter(isWon(offer)).map(worded));
    const own = offers.flatMap((offer) => (offer.ownTools ?? []).filter(isWon(offer)).map(worded));
    this.#holders = holders;
    this.#current = new Toolbox(pages.length > 0 ? [...tools, navigateTool(pages)] : tools, pages, own);
    return claims.filter((claim) => !wins(claim)).map((claim) => ({ claim, holder: holders.get(keyOf(claim)) ?? '' }));
  }
}

function claimsOf({ source, tools, ownTools = [], pages }: Offer & { readonly source: OfferSource }): readonly Claim[] {
  return [
    ...[...tools, ...ownTools].map(({ name }) => ({ kind: 'tool' as const, name, source })),
    ...pages.map(({ name }) => ({ kind: 'page' as const, name, source })),
  ];
}

function keyOf({ kind, name }: Claim): string {
  return `${kind} ${name}`;
}

function clashFault({ kind, name, source }: Claim, holder: string): StartupFault {
  const message = `the ${kind} name "${name}" is used twice: by ${holder} and by ${source.name}`;
  return { ...source.placeOf(kind, name), message };
}
