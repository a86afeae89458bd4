import { ShortTextWords } from '../../src/adapters/shared/words/short-text-words.ts';
import type { TextWords } from '../../src/core/ports/text-words.ts';
import { ToolFilter, type ToolFilterOptions, type ToolQuestion } from '../../src/core/tool-filter/tool-filter.ts';
import { Toolbox } from '../../src/core/tools/toolbox.ts';
import { toolCatalogue } from './tool-catalogue.ts';

const words: TextWords = new ShortTextWords();

/** A filter with the product's own handling of words. It keeps three tools unless the test sets another number. */
export function toolFilter(options: Partial<ToolFilterOptions> = {}): ToolFilter {
  return new ToolFilter({ maxTools: 3, minScore: 0.25, words: () => Promise.resolve(words), ...options });
}

/** The first message of a conversation, as the filter gets it. */
export function asking(text: string, more: Partial<ToolQuestion> = {}): ToolQuestion {
  return { text, recent: [], used: new Set(), signal: new AbortController().signal, tenant: undefined, ...more };
}

/** The share of the catalogue's questions, from 0 to 1, whose tool is among the chosen tools. */
interface ShareFound {
  readonly usual: number;
  readonly everyday: number;
  readonly inOtherWords: number;
  /** The time of each choice in milliseconds, in ascending order. */
  readonly times: readonly number[];
}

/** Lets a filter choose tools for all questions of the catalogue. */
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
