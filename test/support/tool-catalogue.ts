import { readdirSync, readFileSync } from 'node:fs';
import type { Tool } from '../../src/core/tools/tool.ts';
import { fakeTool } from './fake-tool.ts';

/** A user's question, and the one tool that it needs. */
interface AskedOfCatalogue {
  readonly question: string;
  readonly tool: string;
}

/** Tools of eight fields of work, and the questions of users who need them. */
export interface ToolCatalogue {
  readonly tools: readonly Tool[];
  /** One question for each tool, in the words of the application. */
  readonly usual: readonly AskedOfCatalogue[];
  /** One question for each tool in everyday words. The tool's texts may contain these words or not. */
  readonly everyday: readonly AskedOfCatalogue[];
  /** Two questions for each tool. They share almost no word with the tool and its examples, on purpose. */
  readonly inOtherWords: readonly AskedOfCatalogue[];
}

const folder = new URL('./tool-catalogue/', import.meta.url);

/** The catalogue of 200 tools. `examples` says whether the tools have examples. */
export function toolCatalogue({ examples: hasExamples }: { readonly examples: boolean }): ToolCatalogue {
  const lines = readdirSync(folder).flatMap((file) =>
    readFileSync(new URL(file, folder), 'utf8')
      .split('\n')
      .filter((line) => line !== ''),
  );
  const entries = lines.map((line) => {
    const [name = '', description = '', examples = '', usual = '', everyday = '', others = ''] = line.split(' | ');
    return { name, description, examples: examples.split('; '), usual, everyday, others: others.split('; ') };
  });
  return {
    tools: entries.map(({ name, description, examples }) =>
      fakeTool({ name, title: titleOf(name), description, ...(hasExamples ? { examples } : {}) }),
    ),
    usual: entries.map(({ name, usual }) => ({ question: usual, tool: name })),
    everyday: entries.map(({ name, everyday }) => ({ question: everyday, tool: name })),
    inOtherWords: entries.flatMap(({ name, others }) => others.map((question) => ({ question, tool: name }))),
  };
}

function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
