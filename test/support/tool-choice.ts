import { ShortTextWords } from '../../src/adapters/shared/words/short-text-words.ts';
import type { TextWords } from '../../src/core/ports/text-words.ts';
import { ToolFilter, type ToolFilterOptions, type ToolQuestion } from '../../src/core/tool-filter/tool-filter.ts';
import { Toolbox } from '../../src/core/tools/toolbox.ts';
import { toolCatalogue } from './tool-catalogue.ts';

const words: TextWords = new ShortTextWords();

/** A filter over the words of the product, which keeps three tools unless told otherwise. */
export function toolFilter(options: Partial<ToolFilterOptions> = {}): ToolFilter {
  return new ToolFilter({ maxTools: 3, minScore: 0.25, words: () => Promise.resolve(words), ...options });
}

/** A first message in a conversation. */
export function asking(text: string, more: Partial<ToolQuestion> = {}): ToolQuestion {
  return { text, recent: [], used: new Set(), signal: new AbortController().signal, tenant: undefined, ...more };
}

/** How many of the questions of the catalogue have their tool among those that are chosen, from 0 to 1. */
interface ShareFound {
  readonly usual: number;
  readonly everyday: number;
  readonly inOtherWords: number;
  /** Milliseconds of each choice, the quickest first. */
  readonly times: readonly number[];
}

/** Asks a filter all questions of the catalogue. */
export async function shareFound(given: {
  readonly examples: boolean;
  readonly maxTools: number;
}): Promise<ShareFound> {
  const { tools, ...questions } = toolCatalogue(given);
  const toolbox = new Toolbox(tools);
  const filter = toolFilter({ maxTools: given.maxTools });
  await filter.prepare(toolbox);
  const times: number[] = [];
  const share = async (kind: keyof typeof questions): Promise<number> => {
    let found = 0;
    for (const { question, tool } of questions[kind]) {
      const begin = performance.now();
      const names = await filter.choose(toolbox, asking(question));
      times.push(performance.now() - begin);
      found += Number(names.includes(tool));
    }
    return found / questions[kind].length;
  };
  const shares = {
    usual: await share('usual'),
    everyday: await share('everyday'),
    inOtherWords: await share('inOtherWords'),
  };
  return { ...shares, times: times.sort((one, other) => one - other) };
}
