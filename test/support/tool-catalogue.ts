import { readdirSync, readFileSync } from 'node:fs';
import type { Tool } from '../../src/core/tools/tool.ts';
import { fakeTool } from './fake-tool.ts';

/** What somebody says, and the one tool that it is for. */
interface AskedOfCatalogue {
  readonly question: string;
  readonly tool: string;
}

/** Tools of eight fields, and what users say who want them. */
export interface ToolCatalogue {
  readonly tools: readonly Tool[];
  /** One for each tool, by somebody who calls things as the application does. */
  readonly usual: readonly AskedOfCatalogue[];
  /** One for each tool, in words of every day, whether the tool has them or not. */
  readonly everyday: readonly AskedOfCatalogue[];
  /** Two for each tool, which share hardly a word with it and its examples on purpose. */
  readonly inOtherWords: readonly AskedOfCatalogue[];
}

const folder = new URL('./tool-catalogue/', import.meta.url);

/** The catalogue of 200 tools. `examples`: whether the tools have examples. */
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
